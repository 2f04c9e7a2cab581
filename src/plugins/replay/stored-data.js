import { membersAsked, membersFound, twoMembers } from './geo-data.js';
import { hashOfAsked, hashOfMembers, hashOfPairs } from './hash-data.js';
import { list, ranked, scoreIn, skippedBy, zset, zsetOf } from './range-data.js';
import { bytesIn, distinct, inPieces, MOST_MEMBERS, membersIn, shares } from './reply-amounts.js';
import { entriesOf, readStreams } from './stream-data.js';

/** @import { Command, ReadUse } from './types.js' */

/** Where a reply does not tell how much there was. */
const SOME_BYTES = 10;
const SOME_MEMBERS = 10;

/**
 * @param {ReadUse} use
 * @returns {Command[]} none where the keys are not there
 */
export function dataFor(use) {
  const [type] = use.reply;
  if (type === '_') return [];
  const make = MAKERS[/** @type {keyof typeof MAKERS} */ (use.name)];
  return make === undefined ? [] : make(use);
}

/** @param {string} key @param {string} value @returns {Command[]} */
const string = (key, value) => [['SET', key, value]];

/** @param {ReadUse} use @param {string[]} [given] that must be among them */
function set({ keys, content, name, ...use }, given = []) {
  const sizes = given.length > 0 ? [] : shares(bytesIn(use), membersIn(use));
  const members = [...given, ...sizes.map((bytes, index) => distinct(index, bytes, content))];
  // Of a difference, only the first set has members.
  const filled = name === 'SDIFF' ? keys.slice(0, 1) : keys;
  return members.length === 0 ? [] : filled.flatMap((key) => inPieces('SADD', key, members));
}

/** @param {ReadUse} use @param {number} entries */
const stream = (use, entries) => entriesOf(use, shares(bytesIn(use), entries));

/** @param {ReadUse} use @returns {Command[]} something of the type that TYPE tells by its length */
function typed({ keys: [key], reply: [, bytes] }) {
  if (bytes === 3) return [['SADD', key, 'x']];
  return bytes === 4 ? [['HSET', key, 'f', 'x']] : string(key, 'x');
}

/** @param {ReadUse} use @param {(use: ReadUse) => Command[]} make with some members, where the reply tells no number */
const withSome = (use, make) => make({ ...use, reply: ['*', SOME_MEMBERS * SOME_BYTES, SOME_MEMBERS, 0] });

/** What a small member takes, with what tells it from the others. */
const MEMBER_BYTES = 4;

/** @param {ReadUse} use of a reply that is a number @returns {ReadUse} of one with as many members */
const counted = (use) => ({ ...use, reply: ['*', membersIn(use) * MEMBER_BYTES, membersIn(use), 0] });

/** @param {ReadUse} use */
const one = ({ keys, content }) => keys.flatMap((key) => string(key, content(SOME_BYTES)));

/** @type {Record<string, (use: ReadUse) => Command[]>} */
const MAKERS = {
  GET: (use) => string(use.keys[0], use.content(bytesIn(use))),
  GETEX: (use) => string(use.keys[0], use.content(bytesIn(use))),
  STRLEN: (use) => string(use.keys[0], use.content(membersIn(use))),
  GETRANGE: (use) => string(use.keys[0], use.content(bytesIn(use) + Math.min(MOST_MEMBERS, skippedBy(use)))),
  SUBSTR: (use) => string(use.keys[0], use.content(bytesIn(use) + Math.min(MOST_MEMBERS, skippedBy(use)))),
  MGET({ keys, content, reply }) {
    const [, bytes, , nulls = 0] = /** @type {any[]} */ (reply);
    const there = keys.slice(0, Math.max(0, keys.length - nulls));
    const sizes = shares(bytes, there.length);
    return there.flatMap((key, index) => string(key, content(sizes[index], index)));
  },
  GETBIT: one,
  BITCOUNT: one,
  BITPOS: one,
  HGET: hashOfAsked,
  HMGET: hashOfAsked,
  HGETALL: hashOfPairs,
  HKEYS: (use) => hashOfMembers(use, true),
  HVALS: (use) => hashOfMembers(use, false),
  HLEN: (use) => hashOfMembers(use, false),
  HEXISTS: ({ keys: [key], args }) => [['HSET', key, args[1] ?? 'f', 'x']],
  HSTRLEN: (use) => [['HSET', use.keys[0], use.args[1] ?? 'f', use.content(membersIn(use))]],
  HSCAN: (use) => withSome(use, hashOfPairs),
  HRANDFIELD: (use) => withSome(use, hashOfPairs),
  LRANGE: (use) => list(use, skippedBy(use)),
  LINDEX: (use) => list({ ...use, reply: ['*', bytesIn(use), 1, 0] }, skippedBy(use)),
  LLEN: (use) => list({ ...use, reply: ['*', membersIn(use), membersIn(use), 0] }, 0),
  LPOS: ({ keys: [key], args }) => [['RPUSH', key, args[1] ?? 'x']],
  SMEMBERS: set,
  SINTER: set,
  SUNION: set,
  SDIFF: set,
  SISMEMBER: (use) => set(use, use.args.slice(1, 2)),
  SMISMEMBER: (use) => set(use, use.args.slice(1)),
  SCARD: (use) => set(counted(use)),
  SINTERCARD: (use) => set(counted(use)),
  SRANDMEMBER: (use) => withSome(use, set),
  SSCAN: (use) => withSome(use, set),
  ZRANGE: (use) => zset(use, ranked(use)),
  ZREVRANGE: (use) => zset(use, ranked(use)),
  ZRANGEBYSCORE: (use) => zset(use, scoreIn(use)),
  ZREVRANGEBYSCORE: (use) => zset(use, scoreIn(use)),
  ZRANGEBYLEX: (use) => zset(use),
  ZREVRANGEBYLEX: (use) => zset(use),
  ZSCORE: (use) => zsetOf(use, use.args[1] ?? 'm', '1'.padEnd(Math.min(12, bytesIn(use)), '0')),
  ZMSCORE: (use) => use.args.slice(1).flatMap((member) => zsetOf(use, member, '1')),
  ZRANK: (use) => zsetOf(use, use.args[1] ?? 'm', '1'),
  ZREVRANK: (use) => zsetOf(use, use.args[1] ?? 'm', '1'),
  ZCARD: (use) => zset(counted(use)),
  ZCOUNT: (use) => zset(counted(use), scoreIn(use)),
  ZLEXCOUNT: (use) => zset(counted(use)),
  ZRANDMEMBER: (use) => withSome(use, (some) => zset({ ...some, args: [] })),
  ZSCAN: (use) => withSome(use, (some) => zset({ ...some, args: [] })),
  XLEN: (use) => stream(use, membersIn(use)),
  XRANGE: (use) => stream(use, membersIn(use)),
  XREVRANGE: (use) => stream(use, membersIn(use)),
  XREAD: readStreams,
  GEOPOS: membersAsked,
  GEOHASH: membersAsked,
  GEODIST: twoMembers,
  GEOSEARCH: membersFound,
  GEORADIUS: membersFound,
  GEORADIUS_RO: membersFound,
  GEORADIUSBYMEMBER: membersFound,
  GEORADIUSBYMEMBER_RO: membersFound,
  PFCOUNT: ({ keys }) => keys.map((key) => ['PFADD', key, 'x']),
  EXISTS: one,
  TYPE: typed,
  TTL: one,
  PTTL: one,
  EXPIRETIME: one,
  PEXPIRETIME: one,
  TOUCH: one,
};
