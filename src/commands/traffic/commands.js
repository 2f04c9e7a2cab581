import { DATA } from './stored-data.js';

/** @import { Argument, CommandLine, CommandRow, KeyArgument, LeftOutReason, Unblocked } from './types.js' */

/** In a table a space separates names. @type {(shared: CommandRow, table: Record<string, CommandRow>) => [string, CommandRow][]} */
const rows = (shared, table) =>
  Object.entries(table).flatMap(([names, row]) =>
    names.split(' ').map((name) => [name.replace('|', ' '), { ...shared, ...row }]),
  );

/** @param {CommandRow['replay']} replay @param {CommandRow['family']} family @param {Record<string, CommandRow>} table */
const replayed = (replay, family, table) => rows({ replay, family }, table);

/** The reply to BLPOP names the key, that to LPOP does not. @type {(line: CommandLine, key: KeyArgument) => Unblocked} */
const ofOneKey = ({ name, reply }, key) => {
  const rest = Math.max(0, Number(reply?.[1]) - key[1]);
  return { name: name.slice(1), args: [key], reply: name.startsWith('BZ') ? ['*', rest, 2, 0] : ['$', rest] };
};

/** It comes first where the number of keys follows. @type {(line: CommandLine) => Unblocked} */
const withoutTimeout = ({ name, args, reply }) => ({
  name: name.slice(1),
  args: name.endsWith('MPOP') ? args.slice(1) : args.slice(0, -1),
  reply,
});

/** @type {(line: CommandLine) => Unblocked} */
const withoutBlock = ({ name, args, reply }) => {
  const at = args.indexOf('BLOCK');
  return { name, args: [...args.slice(0, at), ...args.slice(at + 2)], reply };
};

/** A replay always reads streams from their beginning. @param {string[]} texts @param {string[]} keys */
const fromBeginning = (texts, keys) => [...texts.slice(0, -keys.length), ...keys.map(() => '0')];

/** @type {CommandRow['mayReply']} */
const OLD_VALUE = ['text', 'null', 'number'];
/** @type {CommandRow['mayReply']} */
const MESSAGES = ['members', 'null'];
const SECOND = () => 1;
const THIRD = () => 2;

/** A command without a row is recorded with its values as sizes, and left out of replays. */
export const COMMANDS = new Map([
  ...replayed('read', 'string', {
    GET: { method: ['get', 1], data: DATA.string },
    MGET: { hits: 'members', data: DATA.strings },
    STRLEN: { data: DATA.stringOfLength },
    'GETRANGE SUBSTR': { syntax: 'knn', data: DATA.partOfString },
    GETEX: { syntax: 'k|PERSIST EX:n PX:n EXAT:a PXAT:a', data: DATA.string },
  }),
  ...replayed('write', 'string', {
    SET: {
      syntax: 'kv|NX XX GET KEEPTTL EX:n PX:n EXAT:a PXAT:a IFEQ:v IFNE:v IFDEQ:v IFDNE:v',
      method: ['set', 2],
      mayReply: OLD_VALUE,
    },
    'SETEX PSETEX': { syntax: 'knv' },
    GETSET: { mayReply: OLD_VALUE },
    'SETNX MSET MSETNX': {},
    APPEND: { grows: true },
    SETRANGE: { syntax: 'knv', grows: true, offsetAt: 1 },
  }),
  ...replayed('take', 'string', { GETDEL: {} }),
  ...replayed('write', 'integer', { 'INCR DECR': {}, 'INCRBY DECRBY': { syntax: 'ka' } }),
  ...replayed('write', 'float', { INCRBYFLOAT: { syntax: 'ka' } }),
  ...replayed('read', 'bits', {
    GETBIT: { syntax: 'ka', data: DATA.someStrings },
    BITCOUNT: { syntax: 'knn|BYTE BIT', data: DATA.someStrings },
    BITPOS: { syntax: 'kann|BYTE BIT', data: DATA.someStrings },
  }),
  ...replayed('write', 'bits', { SETBIT: { syntax: 'kaa', offsetAt: 1 } }),
  ...replayed('read', 'hll', { PFCOUNT: { data: DATA.counters } }),
  ...replayed('write', 'hll', { 'PFADD PFMERGE': {} }),

  ...replayed('read', 'hash', {
    HGET: { data: DATA.fieldsAsked },
    HMGET: { hits: 'members', data: DATA.fieldsAsked },
    HGETALL: { data: DATA.pairs },
    HKEYS: { data: DATA.fields },
    'HVALS HLEN': { data: DATA.values },
    'HEXISTS HSTRLEN': { data: DATA.field },
    HSCAN: { syntax: 'ki|NOVALUES MATCH:v COUNT:n', varies: true, data: DATA.somePairs },
    HRANDFIELD: { syntax: 'kn|WITHVALUES', varies: true, data: DATA.somePairs },
  }),
  ...replayed('write', 'hash', { HSET: { method: ['hset', 3] }, 'HMSET HSETNX HDEL': {} }),
  ...replayed('write', 'hash-integer', { HINCRBY: { syntax: 'kva' } }),
  ...replayed('write', 'hash-float', { HINCRBYFLOAT: { syntax: 'kva' } }),

  ...replayed('read', 'list', {
    LRANGE: { syntax: 'knn', data: DATA.list },
    LINDEX: { syntax: 'kn', data: DATA.element },
    LLEN: { data: DATA.countedList },
    LPOS: { syntax: 'kv|RANK:n COUNT:n MAXLEN:n', data: DATA.elementAsked },
  }),
  ...replayed('write', 'list', {
    'LPUSH RPUSH': { grows: true },
    'LPUSHX RPUSHX': {},
    LREM: { syntax: 'knv' },
    LTRIM: { syntax: 'knn' },
  }),
  ...replayed('take', 'list', {
    'LPOP RPOP': { syntax: 'kn' },
    LMOVE: { syntax: 'kkww' },
    RPOPLPUSH: {},
    LMPOP: { syntax: 'n|LEFT RIGHT COUNT:n' },
  }),

  ...replayed('read', 'set', {
    'SMEMBERS SINTER SUNION SDIFF': { data: DATA.set },
    'SISMEMBER SMISMEMBER': { data: DATA.membersAsked },
    SCARD: { data: DATA.countedSet },
    SRANDMEMBER: { syntax: 'kn', varies: true, data: DATA.someSet },
    SSCAN: { syntax: 'ki|MATCH:v COUNT:n', varies: true, data: DATA.someSet },
    SINTERCARD: { syntax: 'n|LIMIT:n', data: DATA.countedSet },
  }),
  ...replayed('write', 'set', { 'SADD SREM SMOVE SINTERSTORE SUNIONSTORE SDIFFSTORE': {} }),
  ...replayed('take', 'set', { SPOP: { syntax: 'kn' } }),

  ...replayed('read', 'zset', {
    ZRANGE: {
      syntax: 'kss|BYSCORE BYLEX REV WITHSCORES LIMIT:nn',
      largeAt: (args) => (args.includes('REV') ? 1 : 2),
      data: DATA.zsetByRank,
    },
    ZREVRANGE: { syntax: 'knn|WITHSCORES', data: DATA.zsetByRank },
    ZRANGEBYSCORE: { syntax: 'krr|WITHSCORES LIMIT:nn', largeAt: THIRD, data: DATA.zsetByScore },
    ZREVRANGEBYSCORE: { syntax: 'krr|WITHSCORES LIMIT:nn', largeAt: SECOND, data: DATA.zsetByScore },
    'ZRANGEBYLEX ZREVRANGEBYLEX': { syntax: 'krr|LIMIT:nn', data: DATA.zset },
    ZSCORE: { data: DATA.scoreAsked },
    ZMSCORE: { data: DATA.ranksAsked },
    'ZRANK ZREVRANK': { syntax: 'kv|WITHSCORE', data: DATA.ranksAsked },
    ZCARD: { data: DATA.countedZset },
    ZCOUNT: { syntax: 'krr', largeAt: THIRD, data: DATA.countedByScore },
    ZLEXCOUNT: { syntax: 'krr', data: DATA.countedZset },
    ZRANDMEMBER: { syntax: 'kn|WITHSCORES', varies: true, data: DATA.someZset },
    ZSCAN: { syntax: 'ki|MATCH:v COUNT:n', varies: true, data: DATA.someZset },
  }),
  ...replayed('write', 'zset', {
    ZADD: { syntax: 'k|NX XX GT LT CH INCR *av', mayReply: OLD_VALUE },
    ZREM: {},
    ZINCRBY: { syntax: 'kav' },
    ZREMRANGEBYRANK: { syntax: 'knn' },
    ZREMRANGEBYSCORE: { syntax: 'krr', largeAt: THIRD },
    ZREMRANGEBYLEX: { syntax: 'krr' },
    ZRANGESTORE: { syntax: 'kkss|BYSCORE BYLEX REV LIMIT:nn' },
  }),
  ...replayed('take', 'zset', {
    'ZPOPMIN ZPOPMAX': { syntax: 'kn' },
    ZMPOP: { syntax: 'n|MIN MAX COUNT:n' },
  }),

  ...replayed('read', 'stream', {
    XLEN: { data: DATA.stream },
    'XRANGE XREVRANGE': { syntax: 'kii|COUNT:n', data: DATA.stream },
    XREAD: {
      syntax: '|COUNT:n BLOCK:n STREAMS:! +i',
      data: DATA.streams,
      unblocked: withoutBlock,
      blocksBy: 'BLOCK',
      sentAs: fromBeginning,
    },
  }),
  ...replayed('write', 'stream', {
    XADD: { syntax: 'k|NOMKSTREAM MAXLEN:~n MINID:~i LIMIT:n +iv', grows: true },
    XTRIM: { syntax: 'k|MAXLEN:~n MINID:~i LIMIT:n' },
    XDEL: { syntax: 'k|+a' },
    XACK: { syntax: 'kv|+a' },
    XREADGROUP: {
      syntax: 'wvv|COUNT:n BLOCK:n NOACK STREAMS:! +i',
      grows: true,
      mayReply: MESSAGES,
      unblocked: withoutBlock,
      blocksBy: 'BLOCK',
      groupAt: 2,
    },
  }),

  ...replayed('plain', 'any', { 'PING ECHO': {}, TIME: { varies: true } }),
  ...replayed('read', 'any', {
    EXISTS: { method: ['exists', 1], data: DATA.someStrings },
    TYPE: { data: DATA.typed },
    'TTL PTTL TOUCH EXPIRETIME PEXPIRETIME': { data: DATA.someStrings },
  }),
  ...replayed('write', 'any', {
    DEL: { method: ['del', 1] },
    'UNLINK PERSIST': {},
    'EXPIRE PEXPIRE': { syntax: 'kn|NX XX GT LT' },
    'EXPIREAT PEXPIREAT': { syntax: 'ka|NX XX GT LT', largeAt: SECOND },
  }),

  ...rows(
    { leftOut: 'blocks' },
    {
      'BLPOP BRPOP BZPOPMIN BZPOPMAX': { syntax: '|+n', unblocked: ofOneKey },
      BLMOVE: { syntax: 'kkwwn', unblocked: withoutTimeout },
      BRPOPLPUSH: { syntax: 'kkn', unblocked: withoutTimeout },
      BLMPOP: { syntax: 'nn|LEFT RIGHT COUNT:n', unblocked: withoutTimeout },
      BZMPOP: { syntax: 'nn|MIN MAX COUNT:n', unblocked: withoutTimeout },
      'WAIT WAITAOF': {},
    },
  ),
  ...rows(
    {},
    {
      'AUTH HELLO CLIENT': { isPrivate: true, leftOut: 'set-up' },
      'CLIENT|REPLY': { isPrivate: true, role: 'unread' },
      RESET: { role: 'reset', leftOut: 'set-up' },
      'SELECT QUIT READONLY READWRITE ASKING COMMAND INFO': { leftOut: 'set-up' },
      'SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE': {
        role: 'subscribe',
        leftOut: 'channels',
      },
      'PUBLISH SPUBLISH PUBSUB': { leftOut: 'channels' },
      'EVAL EVALSHA EVAL_RO EVALSHA_RO FCALL FCALL_RO SCRIPT FUNCTION': { leftOut: 'scripts' },
      'WATCH UNWATCH': { leftOut: 'watched' },
      MULTI: { role: 'multi', leftOut: 'not-carried-out' },
      EXEC: { role: 'exec', leftOut: 'not-carried-out' },
      DISCARD: { role: 'discard', leftOut: 'not-carried-out' },
      'SCAN KEYS DBSIZE RANDOMKEY FLUSHDB FLUSHALL SWAPDB': { leftOut: 'whole-database' },
      XGROUP: { leftOut: 'groups' },
      'ACL CONFIG MIGRATE REPLCONF': { isPrivate: true },
      'MONITOR SYNC PSYNC': { role: 'unread' },
    },
  ),
]);

/** @type {CommandRow} */
const NOTHING_KNOWN = {};

/** @param {string} name in capitals, with its subcommand @returns {CommandRow} */
export const rowOf = (name) => COMMANDS.get(name) ?? NOTHING_KNOWN;

/** @param {string} name in capitals, with its subcommand @returns {LeftOutReason} */
export const reasonToLeaveOut = (name) => rowOf(name.split(' ')[0]).leftOut ?? 'unknown';

/** @type {(args: Argument[]) => KeyArgument[]} */
export const keysIn = (args) => args.filter((arg) => Array.isArray(arg));
