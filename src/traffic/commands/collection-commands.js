import {
  alike,
  bytesIn,
  counted,
  distinct,
  foundIn,
  inPieces,
  MOST_MEMBERS,
  membersIn,
  ofOneKey,
  replayed,
  shares,
  skippedBy,
  withoutFirst,
  withoutLast,
  withSome,
} from './row-parts.js';

/** @import { Argument, CommandRow, KeyArgument, ReadUse, RedisCommand } from '../types.js' */

/**
 * @param {ReadUse} use @param {number} count of fields
 * @param {(bytes: number, index: number) => [field: string, value: string]} pairOf
 */
function hash({ keys: [key], ...use }, count, pairOf) {
  const pairs = shares(bytesIn(use), count).flatMap((bytes, index) => pairOf(bytes, index));
  return inPieces('HSET', key, pairs, 2);
}

/** @param {ReadUse} use */
function hashOfPairs(use) {
  const pairs = membersIn(use) / (use.reply[0] === '%' ? 1 : 2);
  return hash(use, Math.floor(pairs), (all, index) => {
    const field = distinct(index, Math.min(8, Math.floor(all / 2)), use.content);
    return [field, use.content(Math.max(0, all - field.length), index)];
  });
}

/** @param {ReadUse} use */
const hashOfFields = (use) =>
  hash(use, membersIn(use), (bytes, index) => [distinct(index, bytes, use.content), 'x']);

/** @param {ReadUse} use */
const hashOfValues = (use) =>
  hash(use, membersIn(use), (bytes, index) => [`f${index}`, use.content(bytes, index)]);

/** @param {ReadUse} use */
function hashOfAsked(use) {
  const fields = foundIn(use);
  return hash(use, fields.length, (bytes, index) => [fields[index], use.content(bytes, index)]);
}

/** @param {ReadUse} use @param {string} value @returns {RedisCommand[]} */
const hashOfField = ({ keys: [key], args }, value) => [['HSET', key, args[1] ?? 'f', value]];

/** @param {ReadUse} use @param {number} [before] elements before the range */
function list({ keys: [key], content, ...use }, before = 0) {
  const sizes = shares(bytesIn(use), membersIn(use));
  const skipped = Array.from({ length: Math.min(MOST_MEMBERS, before) }, () => 'x');
  return inPieces('RPUSH', key, [...skipped, ...sizes.map((bytes, index) => content(bytes, index))]);
}

/** @param {ReadUse} use @param {string[]} [given] members */
function set({ keys, content, name, ...use }, given = []) {
  const sizes = given.length > 0 ? [] : shares(bytesIn(use), membersIn(use));
  const members = [...given, ...sizes.map((bytes, index) => distinct(index, bytes, content))];
  // In a difference, only the first set has members.
  const filled = name === 'SDIFF' ? keys.slice(0, 1) : keys;
  return members.length === 0 ? [] : filled.flatMap((key) => inPieces('SADD', key, members));
}

/** Hashes, lists and sets. @type {Record<string, CommandRow>} */
export const COLLECTION_COMMANDS = {
  ...replayed('read', 'hash', {
    HGET: { data: hashOfAsked },
    HMGET: { hits: 'members', data: hashOfAsked },
    HGETALL: { data: hashOfPairs },
    HKEYS: { data: hashOfFields },
    HVALS: { data: hashOfValues },
    HLEN: { data: hashOfValues },
    HEXISTS: { data: (use) => hashOfField(use, 'x') },
    HSTRLEN: { data: (use) => hashOfField(use, use.content(membersIn(use))) },
    HSCAN: { syntax: 'ki|NOVALUES MATCH:v COUNT:n', varies: true, data: (use) => hashOfPairs(withSome(use)) },
    HRANDFIELD: {
      syntax: 'kn|WITHVALUES',
      varies: true,
      data: (use) => hashOfPairs(withSome(use)),
    },
  }),
  ...replayed('write', 'hash', {
    HSET: { method: ['hset', 3] },
    HMSET: {},
    ...alike('HSETNX HDEL', {}),
  }),
  ...replayed('write', 'hash-integer', { HINCRBY: { syntax: 'kva' } }),
  ...replayed('write', 'hash-float', { HINCRBYFLOAT: { syntax: 'kva' } }),
  ...replayed('read', 'list', {
    LRANGE: { syntax: 'knn', data: (use) => list(use, skippedBy(use)) },
    LINDEX: {
      syntax: 'kn',
      data: (use) => list({ ...use, reply: ['*', bytesIn(use), 1, 0] }, skippedBy(use)),
    },
    LLEN: {
      data: (use) => list({ ...use, reply: ['*', membersIn(use), membersIn(use), 0] }),
    },
    LPOS: {
      syntax: 'kv|RANK:n COUNT:n MAXLEN:n',
      data: ({ keys: [key], args }) => [['RPUSH', key, args[1] ?? 'x']],
    },
  }),
  ...replayed('write', 'list', {
    ...alike('LPUSH RPUSH', { grows: true }),
    ...alike('LPUSHX RPUSHX', {}),
    LREM: { syntax: 'knv' },
    LTRIM: { syntax: 'knn' },
  }),
  ...replayed('take', 'list', {
    ...alike('LPOP RPOP', { syntax: 'kn' }),
    LMOVE: { syntax: 'kkww' },
    RPOPLPUSH: {},
    LMPOP: { syntax: 'n|LEFT RIGHT COUNT:n' },
  }),
  ...replayed('read', 'set', {
    ...alike('SMEMBERS SINTER SUNION SDIFF', { data: (use) => set(use) }),
    SISMEMBER: { data: (use) => set(use, use.args.slice(1, 2)) },
    SMISMEMBER: { data: (use) => set(use, use.args.slice(1)) },
    SCARD: { data: (use) => set(counted(use)) },
    SRANDMEMBER: { syntax: 'kn', varies: true, data: (use) => set(withSome(use)) },
    SSCAN: { syntax: 'ki|MATCH:v COUNT:n', varies: true, data: (use) => set(withSome(use)) },
    SINTERCARD: { syntax: 'n|LIMIT:n', data: (use) => set(counted(use)) },
  }),
  ...replayed('write', 'set', alike('SADD SREM SMOVE SINTERSTORE SUNIONSTORE SDIFFSTORE', {})),
  ...replayed('take', 'set', { SPOP: { syntax: 'kn' } }),
  BLPOP: { syntax: '|+n', unblocked: ofOneKey('LPOP'), leftOut: 'blocks' },
  BRPOP: { syntax: '|+n', unblocked: ofOneKey('RPOP'), leftOut: 'blocks' },
  BLMOVE: { syntax: 'kkwwn', unblocked: withoutLast('LMOVE'), leftOut: 'blocks' },
  BRPOPLPUSH: { syntax: 'kkn', unblocked: withoutLast('RPOPLPUSH'), leftOut: 'blocks' },
  BLMPOP: { syntax: 'nn|LEFT RIGHT COUNT:n', unblocked: withoutFirst('LMPOP'), leftOut: 'blocks' },
};
