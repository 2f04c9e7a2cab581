import { MOST_KEYS } from './format.js';

/** @import { Argument, ReplyShape } from './types.js' */

const VALUE_BYTES = 100;
const MEMBERS = 10;
const MOST_MEMBERS = 100;

/** MONITOR shows no replies. What is assumed of them, as it is told to the user. */
export const ASSUMPTIONS = [
  'every key is there, and no command fails',
  `a string has the size with which the recording last wrote it, otherwise ${VALUE_BYTES} bytes`,
  `a field, an element or a member has ${VALUE_BYTES} bytes`,
  `a whole hash, list or set has ${MEMBERS} of them, and a range as many as were asked for, at most ${MOST_MEMBERS}`,
  'of all other replies only the type is assumed, or nothing',
];

/** @param {string} names */
const named = (names) => new Set(names.trim().split(/\s+/));

const DONE = named(`SET SETEX PSETEX MSET HMSET LSET LTRIM RENAME SELECT MULTI DISCARD WATCH UNWATCH FLUSHDB
  FLUSHALL RESTORE AUTH PFMERGE`);
const READS = named('GET GETEX GETDEL GETSET GETRANGE SUBSTR');
const ONE = named('HGET LINDEX LPOP RPOP SPOP SRANDMEMBER LMOVE RPOPLPUSH HRANDFIELD ZRANDMEMBER XADD ECHO');
const WHOLE = named('SMEMBERS HKEYS HVALS SINTER SUNION SDIFF KEYS SORT ZUNION ZINTER ZDIFF');
const RANGES = named('LRANGE ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE XRANGE XREVRANGE ZRANGEBYLEX');
const LISTS = named('MGET HMGET SMISMEMBER ZMSCORE');
const NUMBERS =
  named(`DEL UNLINK EXISTS EXPIRE PEXPIRE EXPIREAT PEXPIREAT PERSIST TTL PTTL TOUCH APPEND STRLEN INCR
  DECR INCRBY DECRBY SETNX MSETNX SETRANGE SETBIT GETBIT BITCOUNT HSET HSETNX HDEL HLEN HEXISTS HINCRBY HSTRLEN LPUSH
  RPUSH LPUSHX RPUSHX LLEN LREM LINSERT SADD SREM SCARD SISMEMBER SMOVE SINTERSTORE SUNIONSTORE SDIFFSTORE ZADD ZREM
  ZCARD ZCOUNT ZRANK ZREVRANK ZREMRANGEBYSCORE ZREMRANGEBYRANK ZUNIONSTORE ZINTERSTORE PUBLISH PFADD PFCOUNT XLEN
  XACK XDEL XTRIM DBSIZE COPY MOVE RENAMENX GEOADD`);

/** The place of the value in what writes a whole string. @type {Record<string, number>} */
const VALUE_AT = { SET: 1, SETNX: 1, GETSET: 1, SETEX: 2, PSETEX: 2 };

/** @returns {(name: string, args: Argument[]) => ReplyShape} */
export function createAssumptions() {
  /** With one added, so that 0 is a key that was not written. */
  const sizes = new Uint32Array(MOST_KEYS);

  /** @param {Argument | undefined} argument */
  const sizeOf = (argument) =>
    (Array.isArray(argument) && sizes[argument[0]] > 0 ? sizes[argument[0]] : VALUE_BYTES + 1) - 1;

  /** @param {string} name @param {Argument[]} args */
  function remember(name, args) {
    const [key] = args;
    const value = args[VALUE_AT[name]];
    if (Array.isArray(key) && typeof value === 'number') sizes[key[0]] = Math.abs(value) + 1;
    if (name !== 'MSET' && name !== 'MSETNX') return;
    for (const [index, each] of args.entries()) {
      const next = args[index + 1];
      if (Array.isArray(each) && typeof next === 'number') sizes[each[0]] = Math.abs(next) + 1;
    }
  }

  return (name, args) => {
    const before = sizeOf(args[0]);
    if (name in VALUE_AT || name.startsWith('MSET')) remember(name, args);
    if (DONE.has(name)) return ['+', 2];
    if (NUMBERS.has(name)) return [':', 1];
    if (READS.has(name)) return ['$', before];
    if (ONE.has(name)) return ['$', VALUE_BYTES];
    if (LISTS.has(name))
      return listOf(name === 'MGET' ? args.map(sizeOf) : args.slice(1).map(() => VALUE_BYTES));
    if (RANGES.has(name)) return listOf(Array(asked(args)).fill(VALUE_BYTES));
    if (WHOLE.has(name)) return listOf(Array(MEMBERS).fill(VALUE_BYTES));
    if (name === 'EXEC') return listOf([]);
    if (name === 'HGETALL') return listOf(Array(2 * MEMBERS).fill(VALUE_BYTES));
    if (name === 'PING') return ['+', 4];
    return null;
  };
}

/** @param {number[]} sizes @returns {ReplyShape} */
const listOf = (sizes) => ['*', sizes.reduce((sum, each) => sum + each, 0), sizes.length, 0];

/** @param {Argument[]} args of a range @returns {number} members */
function asked([, from, to]) {
  const [first, last] = [Number(from), Number(to)];
  const isRange = typeof from === 'string' && typeof to === 'string' && first >= 0 && last >= first;
  return isRange ? Math.min(MOST_MEMBERS, last - first + 1) : MEMBERS;
}
