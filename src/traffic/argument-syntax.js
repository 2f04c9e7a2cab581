/**
 * What the arguments of a command are besides keys and values, as far as a replay needs it. Only these may be
 * written as they are; all others are contents, of which the size is kept. Whatever stands here is public: a fixed
 * word of Redis, a count, an index or a duration.
 *
 * A letter for each argument, keys included; after `|` for all further ones:
 *
 * - `k` a key, where @ioredis/commands says so; otherwise a value
 * - `v` a value
 * - `n` a count, an index, a duration: written as it is
 * - `r` an end of a range: written as it is if it is short, because a score may stand there too
 * - `a` a number of the user's own: an amount, a score, a timestamp, an id of a stream; only its length is kept
 * - `w` a word
 * - `o` options: words, and behind some of them counts
 * - `p` options, and then pairs of `a` and `v`; `g` options, and then `a`, `a` and `v`; `x` options, an id, and values
 */
const SYNTAX = new Map(
  `SET kv|o, SETEX knv, PSETEX knv, GETEX k|o, GETRANGE knn, SUBSTR knn, SETRANGE knv, SETBIT knn, GETBIT kn,
  BITCOUNT knn|w, BITPOS knnn|w, BITOP w|k, LCS kk|o, INCRBY ka, DECRBY ka, INCRBYFLOAT ka, MSETEX n|o,
  EXPIRE kn|w, PEXPIRE kn|w, EXPIREAT ka|w, PEXPIREAT ka|w, COPY kk|o, RESTORE knv|o, SORT k|o, SORT_RO k|o,
  SELECT n, MOVE kn, SWAPDB nn, SCAN r|o, HSCAN kr|o, SSCAN kr|o, ZSCAN kr|o, FLUSHALL |w, FLUSHDB |w, WAIT nn,
  HINCRBY kva, HINCRBYFLOAT kva, HRANDFIELD kn|w, HGETEX k|o, HSETEX k|o, HGETDEL k|o, HEXPIRE kn|o,
  HPEXPIRE kn|o, HEXPIREAT ka|o, HPEXPIREAT ka|o, HPERSIST k|o, HTTL k|o, HPTTL k|o,
  LPOP kn, RPOP kn, LRANGE knn, LTRIM knn, LINDEX kn, LSET knv, LREM knv, LINSERT kwvv, LMOVE kkww,
  BLMOVE kkwwn, BLPOP |n, BRPOP |n, BRPOPLPUSH kkn, LPOS kv|o, LMPOP n|o, BLMPOP nn|o,
  SPOP kn, SRANDMEMBER kn, SINTERCARD n|o, ZADD k|p, ZINCRBY kav, ZPOPMIN kn, ZPOPMAX kn, BZPOPMIN |n,
  BZPOPMAX |n, ZMPOP n|o, BZMPOP nn|o, ZRANDMEMBER kn|w, ZCOUNT krr, ZLEXCOUNT krr, ZRANGE krr|o,
  ZREVRANGE knn|w, ZRANGEBYSCORE krr|o, ZREVRANGEBYSCORE krr|o, ZRANGEBYLEX krr|o, ZREVRANGEBYLEX krr|o,
  ZRANGESTORE kkrr|o, ZREMRANGEBYSCORE krr, ZREMRANGEBYRANK knn, ZREMRANGEBYLEX krr, ZRANK kv|w, ZREVRANK kv|w,
  ZUNION n|o, ZINTER n|o, ZDIFF n|o, ZUNIONSTORE kn|o, ZINTERSTORE kn|o, ZDIFFSTORE kn|o, ZINTERCARD n|o,
  GEOADD k|g, GEODIST kvv|w, GEOSEARCH k|o, GEOSEARCHSTORE kk|o, GEORADIUS kaaa|o, GEORADIUS_RO kaaa|o,
  GEORADIUSBYMEMBER kva|o, GEORADIUSBYMEMBER_RO kva|o,
  XADD k|x, XREAD |o, XREADGROUP wvv|o, XRANGE krr|o, XREVRANGE krr|o, XTRIM k|o, XACK kv|a, XDEL k|a,
  XCLAIM kvvn|o, XAUTOCLAIM kvvnr|o, XPENDING kv|o, XGROUP CREATE kvr|o, XGROUP SETID kvr|o,
  CLIENT REPLY w, CLIENT TRACKING w, EVAL vn, EVAL_RO vn, EVALSHA vn, EVALSHA_RO vn, FCALL vn, FCALL_RO vn`
    .split(',')
    .map((entry) => {
      const words = entry.trim().split(' ');
      const [first, rest = 'v'] = String(words.pop()).split('|');
      return [words.join(' '), { first, rest }];
    }),
);
const ALL_VALUES = { first: '', rest: 'v' };

/** @param {string} name of a command @returns {{first: string, rest: string}} */
export const syntaxOf = (name) => SYNTAX.get(name) ?? ALL_VALUES;

/** Words of Redis. */
const WORDS = new Set(
  `EXAT PXAT NX XX KEEPTTL GET PERSIST GT LT CH INCR BYTE BIT MATCH TYPE ASC DESC ALPHA STORE BY WITHSCORES
  WITHSCORE WITHVALUES BYSCORE BYLEX REV AGGREGATE SUM MIN MAX LEFT RIGHT BEFORE AFTER MINID NOMKSTREAM STREAMS
  GROUP NOACK FORCE JUSTID MKSTREAM FNX FXX REPLACE ABSTTL LEN IDX WITHMATCHLEN AND OR XOR NOT DIFF ASYNC SYNC ON
  OFF SKIP FROMMEMBER FROMLONLAT BYRADIUS BYBOX M KM FT MI WITHCOORD WITHDIST WITHHASH ANY STOREDIST NOVALUES
  * > $ - + -INF +INF INF 0-0`.split(/\s+/),
);
/** A count or a duration follows on these. */
const COUNTED = new Set(
  `EX PX COUNT LIMIT WEIGHTS RANK MAXLEN BLOCK IDLE RETRYCOUNT FIELDS DB MINMATCHLEN NUMKEYS ENTRIESREAD FREQ
  IDLETIME ~ =`.split(/\s+/),
);

/** @param {string} text in capitals */
export const isCounted = (text) => COUNTED.has(text);

/** @param {string} text in capitals */
export const isWord = (text) => WORDS.has(text) || COUNTED.has(text);
