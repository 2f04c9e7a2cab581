// Every place of a command where a key can stand. What is not listed here may reach other keys, databases or servers.

/**
 * Names by their form, which has a part for each word:
 *
 * - `k` a key or a channel, `v` anything else, `n` a number and as many keys
 * - `k*` and `v*` all that follow, `kv*` and `kvv*` a key and its values in turn, `k*v` keys and one last word
 * - after `|` options in any order, each with the letters of its words: `p` a pattern that SORT fills in, `s` keys and then
 *   as many other words. An option that is not listed makes the command unknown.
 *
 * A name with `|` is a subcommand. A new option of Redis cannot add a key to the first form: cluster clients would not find it.
 */
const FORMS = {
  'k v*': `
    APPEND DECR DECRBY DELEX DELIFEQ DIGEST GET GETBIT GETDEL GETEX GETRANGE GETSET INCR INCRBY INCRBYFLOAT PSETEX SET SETBIT
    SETEX SETNX SETRANGE STRLEN SUBSTR BITCOUNT BITFIELD BITFIELD_RO BITPOS PFADD
    DUMP EXPIRE EXPIREAT EXPIRETIME PERSIST PEXPIRE PEXPIREAT PEXPIRETIME PTTL RESTORE TTL TYPE
    OBJECT|ENCODING OBJECT|FREQ OBJECT|IDLETIME OBJECT|REFCOUNT MEMORY|USAGE
    HDEL HEXISTS HEXPIRE HEXPIREAT HEXPIRETIME HGET HGETALL HGETDEL HGETEX HINCRBY HINCRBYFLOAT HKEYS HLEN HMGET HMSET HPERSIST
    HPEXPIRE HPEXPIREAT HPEXPIRETIME HPTTL HRANDFIELD HSCAN HSET HSETEX HSETNX HSTRLEN HTTL HVALS
    LINDEX LINSERT LLEN LPOP LPOS LPUSH LPUSHX LRANGE LREM LSET LTRIM RPOP RPUSH RPUSHX
    SADD SCARD SISMEMBER SMEMBERS SMISMEMBER SPOP SRANDMEMBER SREM SSCAN
    ZADD ZCARD ZCOUNT ZINCRBY ZLEXCOUNT ZMSCORE ZPOPMAX ZPOPMIN ZRANDMEMBER ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZRANK ZREM
    ZREMRANGEBYLEX ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREVRANGE ZREVRANGEBYLEX ZREVRANGEBYSCORE ZREVRANK ZSCAN ZSCORE
    GEOADD GEODIST GEOHASH GEOPOS GEORADIUS_RO GEORADIUSBYMEMBER_RO GEOSEARCH
    XACK XACKDEL XADD XAUTOCLAIM XCLAIM XDEL XDELEX XLEN XPENDING XRANGE XREVRANGE XSETID XTRIM
    XGROUP|CREATE XGROUP|CREATECONSUMER XGROUP|DELCONSUMER XGROUP|DESTROY XGROUP|SETID XINFO|CONSUMERS XINFO|GROUPS XINFO|STREAM
    PUBLISH SPUBLISH
    VADD VCARD VDIM VEMB VGETATTR VINFO VISMEMBER VLINKS VRANDMEMBER VRANGE VREM VSETATTR VSIM
    JSON.ARRAPPEND JSON.ARRINDEX JSON.ARRINSERT JSON.ARRLEN JSON.ARRPOP JSON.ARRTRIM JSON.CLEAR JSON.DEL JSON.FORGET JSON.GET
    JSON.MERGE JSON.NUMINCRBY JSON.NUMMULTBY JSON.OBJKEYS JSON.OBJLEN JSON.SET JSON.STRAPPEND JSON.STRLEN JSON.TOGGLE JSON.TYPE
    BF.ADD BF.CARD BF.EXISTS BF.INFO BF.INSERT BF.MADD BF.MEXISTS BF.RESERVE
    CF.ADD CF.ADDNX CF.COUNT CF.DEL CF.EXISTS CF.INFO CF.INSERT CF.INSERTNX CF.MEXISTS CF.RESERVE
    CMS.INCRBY CMS.INFO CMS.INITBYDIM CMS.INITBYPROB CMS.QUERY
    TOPK.ADD TOPK.COUNT TOPK.INCRBY TOPK.INFO TOPK.LIST TOPK.QUERY TOPK.RESERVE`,
  'k k v*': 'BLMOVE BRPOPLPUSH GEOSEARCHSTORE LCS LMOVE RENAME RENAMENX RPOPLPUSH SMOVE ZRANGESTORE',
  'k*': `DEL EXISTS MGET PFCOUNT PFMERGE SDIFF SDIFFSTORE SINTER SINTERSTORE SUNION SUNIONSTORE TOUCH UNLINK WATCH
    PSUBSCRIBE PUNSUBSCRIBE SSUBSCRIBE SUBSCRIBE SUNSUBSCRIBE UNSUBSCRIBE`,
  'k*v': 'BLPOP BRPOP BZPOPMAX BZPOPMIN JSON.MGET',
  'kv*': 'MSET MSETNX',
  'kvv*': 'JSON.MSET',
  'v k*': 'BITOP',
  'n v*': 'LMPOP SINTERCARD ZDIFF ZINTER ZINTERCARD ZMPOP ZUNION',
  'k n v*': 'ZDIFFSTORE ZINTERSTORE ZUNIONSTORE CMS.MERGE TDIGEST.MERGE',
  'v n v*': 'BLMPOP BZMPOP',
  'k k | REPLACE': 'COPY',
  'k v v v v | WITHCOORD WITHDIST WITHHASH COUNT:v ANY ASC DESC STORE:k STOREDIST:k': 'GEORADIUS',
  'k v v v | WITHCOORD WITHDIST WITHHASH COUNT:v ANY ASC DESC STORE:k STOREDIST:k': 'GEORADIUSBYMEMBER',
  'k | ALPHA ASC DESC LIMIT:vv BY:p GET:p STORE:k': 'SORT',
  'k | ALPHA ASC DESC LIMIT:vv BY:p GET:p': 'SORT_RO',
  '| COUNT:v BLOCK:v STREAMS:s': 'XREAD',
  '| GROUP:vv COUNT:v BLOCK:v NOACK CLAIM:v STREAMS:s': 'XREADGROUP',
  'v*': 'DISCARD ECHO EXEC LOLWUT MULTI PING SCAN TIME UNWATCH WAIT WAITAOF',
};

/** @type {Map<string, {parts: string[], options: Map<string, string>}>} by name */
const KNOWN = new Map();
for (const [form, names] of Object.entries(FORMS)) {
  const [parts, words = []] = form.split('|').map((text) => text.split(' ').filter(Boolean));
  const options = new Map();
  for (const [word, letters = ''] of words.map((text) => text.split(':'))) options.set(word, letters);
  for (const name of names.trim().split(/\s+/)) KNOWN.set(name, { parts, options });
}

export const LISTED_NAMES = [...KNOWN.keys()];

/** @param {string} name of a command, without its subcommand */
export const isListed = (name) =>
  KNOWN.has(name.toUpperCase()) || LISTED_NAMES.some((each) => each.startsWith(`${name.toUpperCase()}|`));

/** @typedef {{keys: string[], patterns: string[]}} Places what stands where a key can, and what SORT makes keys of */

/** @param {readonly unknown[]} command @returns {Places | null} null if it is not listed, or not in this form */
export function placesIn(command) {
  const [name, subcommand] = command;
  const alone = KNOWN.get(`${name}`.toUpperCase());
  if (alone !== undefined) return placesOf(alone, command.slice(1));
  const known = KNOWN.get(`${name}|${subcommand}`.toUpperCase());
  return known === undefined ? null : placesOf(known, command.slice(2));
}

/**
 * A word that is missing is no place: the server refuses such a command.
 * @param {{parts: string[], options: Map<string, string>}} known @param {readonly unknown[]} args @returns {Places | null}
 */
function placesOf({ parts, options }, args) {
  /** @type {Places} */
  const places = { keys: [], patterns: [] };
  let rest = args;
  for (const part of parts) {
    const taken = PARTS[part](rest);
    if (taken === null) return null;
    for (const key of taken.keys) places.keys.push(`${key}`);
    rest = rest.slice(taken.words);
  }
  while (rest.length > 0) {
    const letters = options.get(`${rest[0]}`.toUpperCase());
    if (letters === undefined) return null;
    const words = letters === 's' ? rest.slice(1) : rest.slice(1, 1 + letters.length);
    if (letters === 's' && words.length % 2 === 1) return null;
    const half = words.length / 2;
    for (const [at, word] of words.entries()) {
      if (letters[at] === 'k' || (letters === 's' && at < half)) places.keys.push(`${word}`);
      if (letters[at] === 'p') places.patterns.push(`${word}`);
    }
    rest = rest.slice(1 + words.length);
  }
  return places;
}

/** @param {number} step @returns {Part} */
const every = (step) => (rest) => ({ keys: rest.filter((_, at) => at % step === 0), words: rest.length });

/** @typedef {(rest: readonly unknown[]) => {keys: unknown[], words: number} | null} Part */

/** @type {Record<string, Part>} */
const PARTS = {
  k: (rest) => ({ keys: rest.slice(0, 1), words: 1 }),
  v: () => ({ keys: [], words: 1 }),
  'v*': (rest) => ({ keys: [], words: rest.length }),
  'k*': every(1),
  'kv*': every(2),
  'kvv*': every(3),
  'k*v': (rest) => ({ keys: rest.slice(0, -1), words: rest.length }),
  n([number = '', ...rest]) {
    const count = /^[1-9]\d{0,6}$/.test(`${number}`) ? Number(number) : Number.NaN;
    return count <= rest.length ? { keys: rest.slice(0, count), words: 1 + count } : null;
  },
};

/**
 * SORT replaces the `*` of a pattern; without one it reads no key. `{` begins what is filled in later.
 * @param {string} pattern @param {string} own how this tool's keys begin
 */
export const isOwnPattern = (pattern, own) => pattern.startsWith(own) || !/[*{]/.test(pattern);

/** The server also counts the commands that scripts and functions send. */
const RUNS_SCRIPT = /^(?:(?:eval|evalsha|fcall)(?:_ro)?|tfcall(?:async)?)$/;

/** @param {Record<string, number>} calls by command, in lower case */
export const runsScripts = (calls) => Object.keys(calls).some((name) => RUNS_SCRIPT.test(name));

/** @typedef {'scripts'} Permission of --allow-scripts */

/**
 * @param {readonly (readonly unknown[])[]} commands as they are sent, or with `{key}` and `{value}`
 * @returns {Permission | null} what an external server's user must allow first: they may reach other keys than their own
 */
export const permissionOf = (commands) =>
  commands.some((command) => placesIn(command) === null) ? 'scripts' : null;

/**
 * All that the workload command sends, or none of its words for the parameter of another.
 * @typedef {{commands?: string[][], prepare?: string[] | null, shares?: Sending[]}} Sending
 * @param {Sending} parameter @returns {string[][]}
 */
export const sentBy = ({ commands = [], prepare = null, shares = [] }) => [
  ...(prepare ? [prepare] : []),
  ...commands,
  ...shares.flatMap(sentBy),
];

/** @param {Sending} parameter */
export const permissionOfOwn = (parameter) => permissionOf(sentBy(parameter));

/** @param {string} name of a command @returns {string} why it is refused */
export const permissionText = (name) =>
  `${name.toUpperCase()} is not known to keep to this tool's keys; --allow-scripts lets it reach all data`;
