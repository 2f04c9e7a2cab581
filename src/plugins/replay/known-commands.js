/**
 * The commands that a replay sends, and what each needs to be answered as it was in the recording. Whatever is not
 * here is left out, counted and named.
 *
 * `read`: it changes nothing, and gets keys of its own, stored so that every reply is the recorded one. A recorded
 * miss gets a key that is never stored.
 * `write`: it works on keys for writing, which commands of other types never touch, so that none fails.
 * `take`: it takes something away that others, or the preparation, have put there.
 *
 * @typedef {'read' | 'write' | 'take' | 'plain'} Way `plain`: without keys
 *
 * @typedef {object} Known
 * @property {Way} way
 * @property {Family} family the type of its keys
 * @property {boolean} [grows] whether each time there is more
 *
 * @typedef {'string' | 'integer' | 'float' | 'bits' | 'hash' | 'hash-integer' | 'hash-float' | 'list' | 'set' | 'zset' |
 *   'geo' | 'stream' | 'hll' | 'any'} Family
 */

/** @type {[Way, Family, string, boolean?][]} */
const TABLE = [
  ['plain', 'any', 'ping echo time'],
  ['read', 'string', 'get mget strlen getrange substr getex'],
  ['write', 'string', 'set setex psetex setnx getset mset msetnx'],
  ['take', 'string', 'getdel'],
  ['write', 'string', 'append setrange', true],
  ['write', 'integer', 'incr decr incrby decrby'],
  ['write', 'float', 'incrbyfloat'],
  ['read', 'bits', 'getbit bitcount bitpos'],
  ['write', 'bits', 'setbit'],
  ['read', 'hash', 'hget hmget hgetall hkeys hvals hlen hexists hstrlen hscan hrandfield'],
  ['write', 'hash', 'hset hmset hsetnx hdel'],
  ['write', 'hash-integer', 'hincrby'],
  ['write', 'hash-float', 'hincrbyfloat'],
  ['read', 'list', 'lrange lindex llen lpos'],
  ['write', 'list', 'lpush rpush', true],
  ['write', 'list', 'lpushx rpushx lrem ltrim'],
  ['take', 'list', 'lpop rpop lmove rpoplpush lmpop'],
  ['read', 'set', 'smembers sismember smismember scard srandmember sscan sinter sunion sdiff sintercard'],
  ['write', 'set', 'sadd srem smove sinterstore sunionstore sdiffstore'],
  ['take', 'set', 'spop'],
  [
    'read',
    'zset',
    'zrange zrevrange zrangebyscore zrevrangebyscore zrangebylex zrevrangebylex zscore zmscore zrank zrevrank zcard ' +
      'zcount zlexcount zrandmember zscan',
  ],
  ['write', 'zset', 'zadd zrem zincrby zremrangebyrank zremrangebyscore zremrangebylex zrangestore'],
  ['take', 'zset', 'zpopmin zpopmax zmpop'],
  [
    'read',
    'geo',
    'geopos geodist geohash geosearch georadius georadius_ro georadiusbymember georadiusbymember_ro',
  ],
  ['write', 'geo', 'geoadd geosearchstore'],
  ['read', 'stream', 'xlen xrange xrevrange xread'],
  ['write', 'stream', 'xadd', true],
  ['write', 'stream', 'xtrim xdel xack'],
  ['write', 'stream', 'xreadgroup', true],
  ['read', 'hll', 'pfcount'],
  ['write', 'hll', 'pfadd pfmerge'],
  ['read', 'any', 'exists type ttl pttl expiretime pexpiretime touch'],
  ['write', 'any', 'del unlink expire pexpire expireat pexpireat persist'],
];

/** @type {Map<string, Known>} */
const KNOWN = new Map(
  TABLE.flatMap(([way, family, names, grows = false]) =>
    names.split(' ').map((name) => /** @type {[string, Known]} */ ([name, { way, family, grows }])),
  ),
);

/** @param {string} name in capitals @returns {Known | undefined} */
export const knownCommand = (name) => KNOWN.get(name.toLowerCase());

/** The names of commands by why a replay leaves them out. */
const REASONS = Object.entries({
  'the client sets up its connections itself':
    'AUTH HELLO SELECT CLIENT RESET QUIT READONLY READWRITE ASKING COMMAND INFO',
  'channels are not replayed':
    'SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE PUBLISH SPUBLISH PUBSUB',
  'they block': 'BLPOP BRPOP BLMOVE BRPOPLPUSH BLMPOP BZPOPMIN BZPOPMAX BZMPOP WAIT WAITAOF',
  'scripts are not recorded': 'EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO SCRIPT FUNCTION',
  'a replay makes the groups of streams itself': 'XGROUP',
  'keys are not watched': 'WATCH UNWATCH',
  'of transactions that were not carried out': 'MULTI EXEC DISCARD',
  'they work on the whole database': 'SCAN KEYS DBSIZE RANDOMKEY FLUSHDB FLUSHALL SWAPDB',
});

/** @type {Map<string, string>} */
const REASON_OF = new Map(
  REASONS.flatMap(([reason, names]) =>
    names.split(' ').map((name) => /** @type {[string, string]} */ ([name, reason])),
  ),
);

/** @param {string} name in capitals, with its subcommand @returns {string} */
export const reasonToLeaveOut = (name) => REASON_OF.get(name.split(' ')[0]) ?? 'a replay does not know them';
