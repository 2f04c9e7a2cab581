import {
  BLOCKS,
  bytesIn,
  counted,
  distinct,
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

/** @param {ReadUse} use */
function hashOfPairs({ keys: [key], content, ...use }) {
  const { reply } = use;
  const pairs = membersIn(use) / (reply[0] === '%' ? 1 : 2);
  const bytes = shares(bytesIn(use), Math.floor(pairs));
  const parts = bytes.flatMap((all, index) => {
    const field = distinct(index, Math.min(8, Math.floor(all / 2)), content);
    return [field, content(Math.max(0, all - field.length), index)];
  });
  return inPieces('HSET', key, parts, 2);
}

/** @param {ReadUse} use the reply's members are fields */
function hashOfFields({ keys: [key], content, ...use }) {
  const sizes = shares(bytesIn(use), membersIn(use));
  return inPieces(
    'HSET',
    key,
    sizes.flatMap((bytes, index) => [distinct(index, bytes, content), 'x']),
    2,
  );
}

/** @param {ReadUse} use the reply's members are values */
function hashOfValues({ keys: [key], content, ...use }) {
  const sizes = shares(bytesIn(use), membersIn(use));
  return inPieces(
    'HSET',
    key,
    sizes.flatMap((bytes, index) => [`f${index}`, content(bytes, index)]),
    2,
  );
}

/** @param {ReadUse} use @returns {RedisCommand[]} */
function hashOfAsked({ keys: [key], args, content, reply }) {
  const [, bytes, members = 1, nulls = 0] = /** @type {any[]} */ (reply);
  const fields = args.slice(1, 1 + members - nulls);
  const sizes = shares(bytes, fields.length);
  return fields.length === 0
    ? []
    : [['HSET', key, ...fields.flatMap((field, index) => [field, content(sizes[index], index)])]];
}

/** @param {ReadUse} use @param {string} value @returns {RedisCommand[]} */
const hashOfField = ({ keys: [key], args }, value) => [['HSET', key, args[1] ?? 'f', value]];

/** @param {ReadUse} use @param {number} [before] elements that the range skips */
function list({ keys: [key], content, ...use }, before = 0) {
  const sizes = shares(bytesIn(use), membersIn(use));
  const skipped = Array.from({ length: Math.min(MOST_MEMBERS, before) }, () => 'x');
  return inPieces('RPUSH', key, [...skipped, ...sizes.map((bytes, index) => content(bytes, index))]);
}

/** @param {ReadUse} use @param {string[]} [given] that must be among them */
function set({ keys, content, name, ...use }, given = []) {
  const sizes = given.length > 0 ? [] : shares(bytesIn(use), membersIn(use));
  const members = [...given, ...sizes.map((bytes, index) => distinct(index, bytes, content))];
  // Of a difference, only the first set has members.
  const filled = name === 'SDIFF' ? keys.slice(0, 1) : keys;
  return members.length === 0 ? [] : filled.flatMap((key) => inPieces('SADD', key, members));
}

/** @type {CommandRow['pushes']} */
const allButKey = (args, [key]) => [key, args.length - 1];

/** @type {CommandRow['pushes']} */
const oneToSecond = (_, [, second]) => [second, 1];

/** Hashes, lists and sets. @type {Record<string, CommandRow>} */
export const COLLECTION_COMMANDS = {
  ...replayed('read', 'hash', {
    HGET: { reply: 'one', data: hashOfAsked },
    HMGET: { reply: 'each', hits: 'members', data: hashOfAsked },
    HGETALL: { reply: 'pairs', data: hashOfPairs },
    HKEYS: { reply: 'all', data: hashOfFields },
    HVALS: { reply: 'all', data: hashOfValues },
    HLEN: { reply: 'number', data: hashOfValues },
    HEXISTS: { reply: 'number', data: (use) => hashOfField(use, 'x') },
    HSTRLEN: { reply: 'number', data: (use) => hashOfField(use, use.content(membersIn(use))) },
    HSCAN: { syntax: 'ki|NOVALUES MATCH:v COUNT:n', varies: true, data: (use) => hashOfPairs(withSome(use)) },
    HRANDFIELD: {
      syntax: 'kn|WITHVALUES',
      reply: 'one',
      varies: true,
      data: (use) => hashOfPairs(withSome(use)),
    },
  }),
  ...replayed('write', 'hash', {
    HSET: { reply: 'number', method: ['hset', 3] },
    HMSET: { reply: 'done' },
    HSETNX: { reply: 'number' },
    HDEL: { reply: 'number' },
  }),
  ...replayed('write', 'hash-integer', {
    HINCRBY: { syntax: 'kva', reply: 'number' },
  }),
  ...replayed('write', 'hash-float', {
    HINCRBYFLOAT: { syntax: 'kva' },
  }),
  ...replayed('read', 'list', {
    LRANGE: { syntax: 'knn', reply: 'range', data: (use) => list(use, skippedBy(use)) },
    LINDEX: {
      syntax: 'kn',
      reply: 'one',
      data: (use) => list({ ...use, reply: ['*', bytesIn(use), 1, 0] }, skippedBy(use)),
    },
    LLEN: {
      reply: 'number',
      data: (use) => list({ ...use, reply: ['*', membersIn(use), membersIn(use), 0] }),
    },
    LPOS: {
      syntax: 'kv|RANK:n COUNT:n MAXLEN:n',
      data: ({ keys: [key], args }) => [['RPUSH', key, args[1] ?? 'x']],
    },
  }),
  ...replayed('write', 'list', {
    LPUSH: { reply: 'number', grows: true, pushes: allButKey },
    RPUSH: { reply: 'number', grows: true, pushes: allButKey },
    LPUSHX: { reply: 'number', pushes: allButKey },
    RPUSHX: { reply: 'number', pushes: allButKey },
    LREM: { syntax: 'knv', reply: 'number' },
    LTRIM: { syntax: 'knn', reply: 'done' },
  }),
  ...replayed('take', 'list', {
    LPOP: { syntax: 'kn', reply: 'one' },
    RPOP: { syntax: 'kn', reply: 'one' },
    LMOVE: { syntax: 'kkww', reply: 'one', pushes: oneToSecond },
    RPOPLPUSH: { reply: 'one', pushes: oneToSecond },
    LMPOP: { syntax: 'n|LEFT RIGHT COUNT:n' },
  }),
  ...replayed('read', 'set', {
    SMEMBERS: { reply: 'all', data: (use) => set(use) },
    SISMEMBER: { reply: 'number', data: (use) => set(use, use.args.slice(1, 2)) },
    SMISMEMBER: { reply: 'each', data: (use) => set(use, use.args.slice(1)) },
    SCARD: { reply: 'number', data: (use) => set(counted(use)) },
    SRANDMEMBER: { syntax: 'kn', reply: 'one', varies: true, data: (use) => set(withSome(use)) },
    SSCAN: { syntax: 'ki|MATCH:v COUNT:n', varies: true, data: (use) => set(withSome(use)) },
    SINTER: { reply: 'all', data: (use) => set(use) },
    SUNION: { reply: 'all', data: (use) => set(use) },
    SDIFF: { reply: 'all', data: (use) => set(use) },
    SINTERCARD: { syntax: 'n|LIMIT:n', data: (use) => set(counted(use)) },
  }),
  ...replayed('write', 'set', {
    SADD: { reply: 'number' },
    SREM: { reply: 'number' },
    SMOVE: { reply: 'number' },
    SINTERSTORE: { reply: 'number' },
    SUNIONSTORE: { reply: 'number' },
    SDIFFSTORE: { reply: 'number' },
  }),
  ...replayed('take', 'set', {
    SPOP: { syntax: 'kn', reply: 'one' },
  }),
  BLPOP: { syntax: '|+n', unblocked: ofOneKey('LPOP'), leftOut: BLOCKS },
  BRPOP: { syntax: '|+n', unblocked: ofOneKey('RPOP'), leftOut: BLOCKS },
  BLMOVE: { syntax: 'kkwwn', unblocked: withoutLast('LMOVE'), leftOut: BLOCKS },
  BRPOPLPUSH: { syntax: 'kkn', unblocked: withoutLast('RPOPLPUSH'), leftOut: BLOCKS },
  BLMPOP: { syntax: 'nn|LEFT RIGHT COUNT:n', unblocked: withoutFirst('LMPOP'), leftOut: BLOCKS },
  HGETEX: { syntax: 'k|PERSIST EX:n PX:n EXAT:a PXAT:a FIELDS:n!' },
  HSETEX: { syntax: 'k|FNX FXX KEEPTTL EX:n PX:n EXAT:a PXAT:a FIELDS:n!' },
  HGETDEL: { syntax: 'k|FIELDS:n!' },
  HEXPIRE: { syntax: 'kn|NX XX GT LT FIELDS:n!' },
  HPEXPIRE: { syntax: 'kn|NX XX GT LT FIELDS:n!' },
  HEXPIREAT: { syntax: 'ka|NX XX GT LT FIELDS:n!' },
  HPEXPIREAT: { syntax: 'ka|NX XX GT LT FIELDS:n!' },
  HPERSIST: { syntax: 'k|FIELDS:n!' },
  HTTL: { syntax: 'k|FIELDS:n!' },
  HPTTL: { syntax: 'k|FIELDS:n!' },
  HEXPIRETIME: { syntax: 'k|FIELDS:n!' },
  HPEXPIRETIME: { syntax: 'k|FIELDS:n!' },
  LSET: { syntax: 'knv', reply: 'done' },
  LINSERT: { syntax: 'kw', reply: 'number' },
};
