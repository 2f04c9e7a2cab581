/**
 * What the arguments of a command are besides keys and values, as far as a replay needs it. An argument is written as
 * it is only where this table proves that it is a fixed word of Redis, a count, an index or a duration. All others are
 * contents, of which the size is kept.
 *
 * A letter for each of the first arguments, keys included:
 *
 * - `k` a key, where @ioredis/commands says so; otherwise a value
 * - `v` a value
 * - `n` a count, an index, a duration: written as it is
 * - `a` a number of the user's own (an amount, a score, an offset of a bit, a timestamp): only its length is kept
 * - `r` an end of a range of scores or names, `i` an id or a cursor: written as it is where Redis itself has a word for it
 * - `s` an index, or `r` in a range by score or by name
 * - `w` a word
 *
 * After `|` options in any order, each with the letters of what belongs to it: `~` for a mark (`~` or `=`) that may
 * precede a count, `!` for an option that is the last one. What is no option ends them, and all from there on is
 * values; or has the letters after `+`, the last one again and again, or after `*`, all of them again and again.
 */
const SYNTAX = new Map(
  `SET kv|NX XX GET KEEPTTL EX:n PX:n EXAT:a PXAT:a IFEQ:v IFNE:v IFDEQ:v IFDNE:v; SETEX knv; PSETEX knv;
  GETEX k|PERSIST EX:n PX:n EXAT:a PXAT:a; GETRANGE knn; SUBSTR knn; SETRANGE knv; SETBIT kaa; GETBIT ka;
  BITCOUNT knn|BYTE BIT; BITPOS kann|BYTE BIT; BITOP w; LCS kk|LEN IDX WITHMATCHLEN MINMATCHLEN:n; INCRBY ka;
  DECRBY ka; INCRBYFLOAT ka; MSETEX n; EXPIRE kn|NX XX GT LT; PEXPIRE kn|NX XX GT LT; EXPIREAT ka|NX XX GT LT;
  PEXPIREAT ka|NX XX GT LT; COPY kk|REPLACE DB:n; RESTORE kav|REPLACE ABSTTL IDLETIME:n FREQ:n;
  SORT k|ASC DESC ALPHA BY:v LIMIT:nn GET:v STORE:k; SORT_RO k|ASC DESC ALPHA BY:v LIMIT:nn GET:v;
  SELECT n; MOVE kn; SWAPDB nn; SCAN i|MATCH:v COUNT:n TYPE:v; HSCAN ki|NOVALUES MATCH:v COUNT:n;
  SSCAN ki|MATCH:v COUNT:n; ZSCAN ki|MATCH:v COUNT:n; FLUSHALL |ASYNC SYNC; FLUSHDB |ASYNC SYNC; WAIT nn;
  HINCRBY kva; HINCRBYFLOAT kva; HRANDFIELD kn|WITHVALUES;
  HGETEX k|PERSIST EX:n PX:n EXAT:a PXAT:a FIELDS:n!; HSETEX k|FNX FXX KEEPTTL EX:n PX:n EXAT:a PXAT:a FIELDS:n!;
  HGETDEL k|FIELDS:n!; HEXPIRE kn|NX XX GT LT FIELDS:n!; HPEXPIRE kn|NX XX GT LT FIELDS:n!;
  HEXPIREAT ka|NX XX GT LT FIELDS:n!; HPEXPIREAT ka|NX XX GT LT FIELDS:n!; HPERSIST k|FIELDS:n!; HTTL k|FIELDS:n!;
  HPTTL k|FIELDS:n!; HEXPIRETIME k|FIELDS:n!; HPEXPIRETIME k|FIELDS:n!;
  LPOP kn; RPOP kn; LRANGE knn; LTRIM knn; LINDEX kn; LSET knv; LREM knv; LINSERT kw; LMOVE kkww; BLMOVE kkwwn;
  BLPOP |+n; BRPOP |+n; BRPOPLPUSH kkn; LPOS kv|RANK:n COUNT:n MAXLEN:n; LMPOP n|LEFT RIGHT COUNT:n;
  BLMPOP nn|LEFT RIGHT COUNT:n; SPOP kn; SRANDMEMBER kn; SINTERCARD n|LIMIT:n;
  ZADD k|NX XX GT LT CH INCR *av; ZINCRBY kav; ZPOPMIN kn; ZPOPMAX kn; BZPOPMIN |+n; BZPOPMAX |+n;
  ZMPOP n|MIN MAX COUNT:n; BZMPOP nn|MIN MAX COUNT:n; ZRANDMEMBER kn|WITHSCORES; ZCOUNT krr; ZLEXCOUNT krr;
  ZRANGE kss|BYSCORE BYLEX REV WITHSCORES LIMIT:nn; ZRANGESTORE kkss|BYSCORE BYLEX REV LIMIT:nn;
  ZREVRANGE knn|WITHSCORES; ZRANGEBYSCORE krr|WITHSCORES LIMIT:nn; ZREVRANGEBYSCORE krr|WITHSCORES LIMIT:nn;
  ZRANGEBYLEX krr|LIMIT:nn; ZREVRANGEBYLEX krr|LIMIT:nn; ZREMRANGEBYSCORE krr; ZREMRANGEBYRANK knn;
  ZREMRANGEBYLEX krr; ZRANK kv|WITHSCORE; ZREVRANK kv|WITHSCORE;
  ZUNION n|AGGREGATE:w WITHSCORES WEIGHTS:! +a; ZINTER n|AGGREGATE:w WITHSCORES WEIGHTS:! +a; ZDIFF n|WITHSCORES;
  ZUNIONSTORE kn|AGGREGATE:w WEIGHTS:! +a; ZINTERSTORE kn|AGGREGATE:w WEIGHTS:! +a; ZDIFFSTORE kn;
  ZINTERCARD n|LIMIT:n; GEOADD k|NX XX CH *aav; GEODIST kvvw;
  GEOSEARCH k|FROMMEMBER:v FROMLONLAT:aa BYRADIUS:aw BYBOX:aaw ASC DESC COUNT:n ANY WITHCOORD WITHDIST WITHHASH;
  GEOSEARCHSTORE kk|FROMMEMBER:v FROMLONLAT:aa BYRADIUS:aw BYBOX:aaw ASC DESC COUNT:n ANY STOREDIST;
  GEORADIUS kaaaw|WITHCOORD WITHDIST WITHHASH COUNT:n ANY ASC DESC STORE:k STOREDIST:k;
  GEORADIUS_RO kaaaw|WITHCOORD WITHDIST WITHHASH COUNT:n ANY ASC DESC;
  GEORADIUSBYMEMBER kvaw|WITHCOORD WITHDIST WITHHASH COUNT:n ANY ASC DESC STORE:k STOREDIST:k;
  GEORADIUSBYMEMBER_RO kvaw|WITHCOORD WITHDIST WITHHASH COUNT:n ANY ASC DESC;
  XADD k|NOMKSTREAM MAXLEN:~n MINID:~i LIMIT:n +iv; XREAD |COUNT:n BLOCK:n STREAMS:! +i;
  XREADGROUP wvv|COUNT:n BLOCK:n NOACK STREAMS:! +i; XRANGE kii|COUNT:n; XREVRANGE kii|COUNT:n;
  XTRIM k|MAXLEN:~n MINID:~i LIMIT:n; XACK kv|+a; XDEL k|+a; XCLAIM kvvn|+a; XAUTOCLAIM kvvni|COUNT:n JUSTID;
  XPENDING kv|IDLE:n +iinv; XGROUP CREATE kvi|MKSTREAM; XGROUP SETID kvi;
  CLIENT REPLY |ON OFF SKIP; CLIENT TRACKING |ON OFF BCAST OPTIN OPTOUT NOLOOP REDIRECT:a PREFIX:v;
  EVAL vn; EVAL_RO vn; EVALSHA vn; EVALSHA_RO vn; FCALL vn; FCALL_RO vn`
    .split(';')
    .map((entry) => {
      const [, name, first, tail = ''] = /** @type {string[]} */ (
        /^(.*) ([a-z]*)(?:\|(.*))?$/s.exec(entry.trim())
      );
      return [name, { first, ...readTail(tail.split(/\s+/)) }];
    }),
);
export const ALL_VALUES = { first: '', ...readTail([]) };

/**
 * @typedef {object} Syntax
 * @property {string} first the letters of the first arguments
 * @property {Map<string, string>} options by word: the letters of what belongs to it
 * @property {string} rest the letters of what follows the options
 * @property {number} again how many of these letters, the last ones, come again
 */

/** @param {string[]} tokens @returns {Pick<Syntax, 'options' | 'rest' | 'again'>} */
function readTail(tokens) {
  const group = tokens.find((token) => /^[+*]/.test(token)) ?? '+v';
  const rest = group.slice(1);
  return {
    options: new Map(
      tokens
        .filter((token) => /^[A-Z]/.test(token))
        .map((token) => {
          const [word, letters = ''] = token.split(':');
          return [word, letters];
        }),
    ),
    rest,
    again: group[0] === '*' ? rest.length : 1,
  };
}

/** @param {string} name of a command @returns {Syntax} */
export const syntaxOf = (name) => SYNTAX.get(name) ?? ALL_VALUES;

/** @param {string} words */
const fixed = (words) => new Set(words.split(' '));

/** The words that Redis has at a place with this letter. @type {Record<string, Set<string>>} */
export const WORDS = {
  w: fixed('LEFT RIGHT BEFORE AFTER AND OR XOR NOT DIFF GROUP SUM MIN MAX M KM FT MI'),
  r: fixed('- + -INF +INF INF'),
  i: fixed('* > $ - + 0 0-0'),
};
