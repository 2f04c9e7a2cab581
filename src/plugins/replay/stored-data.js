import { inOnePlace, membersAsked, twoMembers } from './geo-data.js';
import { entriesOf, readStreams } from './stream-data.js';

/** @import { ReplyShape } from '../../traffic/types.js' */

/**
 * The data that makes a command's reply what it was in the recording.
 *
 * @typedef {[string, ...string[]]} Command
 *
 * @typedef {object} ReadUse a command that reads, with keys of its own
 * @property {string} name in capitals
 * @property {string[]} args as they are sent
 * @property {NonNullable<ReplyShape>} reply
 * @property {string[]} keys
 * @property {boolean} isFlat whether scores stood between the members (RESP2), and not each with its member
 * @property {(bytes: number, place?: number) => string} content
 * @property {number} entryBytes of an entry of a stream, on average; 0 where it is not known
 */

/** Of one key, whatever a recording says. */
export const MOST_MEMBERS = 20_000;
export const MOST_COUNTED = 1000;
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

/** @param {Pick<ReadUse, 'reply'>} use @returns {number} bytes of the reply's content */
const bytesIn = ({ reply }) => Number(reply[1]);

/** @param {Pick<ReadUse, 'reply'>} use @returns {number} members of the reply, or as many as it counts */
function membersIn({ reply: [type, size, members] }) {
  if (type === ':') return Math.min(MOST_COUNTED, 10 ** (Number(size) - 1));
  return Math.min(MOST_MEMBERS, Number(members ?? 0));
}

/** @param {string | undefined} text @returns {number} 0 where it is no whole number */
const whole = (text) => (/^-?\d+$/.test(text ?? '') ? Number(text) : 0);

/**
 * Shares out bytes: each part gets as many, and the first ones one more.
 *
 * @param {number} bytes
 * @param {number} parts
 * @returns {number[]}
 */
const shares = (bytes, parts) =>
  Array.from({ length: parts }, (_, index) => Math.floor(bytes / parts) + (index < bytes % parts ? 1 : 0));

const DIGITS = 36;

/**
 * @param {number} index
 * @param {number} bytes
 * @param {ReadUse['content']} content
 * @returns {string} different for each index, and of that length if that is enough to tell them apart
 */
function distinct(index, bytes, content) {
  const number = index.toString(DIGITS);
  return number.length >= bytes ? number : `${number}${content(bytes - number.length - 1, index)}_`;
}

/** @param {string} key @param {string} value @returns {Command[]} */
const string = (key, value) => [['SET', key, value]];

/** Longer commands are cut. */
const AT_ONCE = 1000;

/** @param {string} name @param {string} key @param {string[]} parts of the command, `each` belong together @param {number} [each] */
function inPieces(name, key, parts, each = 1) {
  /** @type {Command[]} */
  const commands = [];
  for (let start = 0; start < parts.length; start += AT_ONCE * each) {
    commands.push([name, key, ...parts.slice(start, start + AT_ONCE * each)]);
  }
  return commands;
}

/** @param {ReadUse} use @param {number} before elements that the range skips */
function list({ keys: [key], content, ...use }, before) {
  const sizes = shares(bytesIn(use), membersIn(use));
  const skipped = Array.from({ length: Math.min(MOST_MEMBERS, before) }, () => 'x');
  return inPieces('RPUSH', key, [...skipped, ...sizes.map((bytes, index) => content(bytes, index))]);
}

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

/** @param {ReadUse} use @param {boolean} areFields whether the reply's members are fields, and not values */
function hashOfMembers({ keys: [key], content, ...use }, areFields) {
  const sizes = shares(bytesIn(use), membersIn(use));
  const parts = sizes.flatMap((bytes, index) =>
    areFields ? [distinct(index, bytes, content), 'x'] : [`f${index}`, content(bytes, index)],
  );
  return inPieces('HSET', key, parts, 2);
}

/** @param {ReadUse} use @returns {Command[]} */
function hashOfAsked({ keys: [key], args, content, reply }) {
  const [, bytes, members = 1, nulls = 0] = /** @type {any[]} */ (reply);
  const fields = args.slice(1, 1 + members - nulls);
  const sizes = shares(bytes, fields.length);
  return fields.length === 0
    ? []
    : [['HSET', key, ...fields.flatMap((field, index) => [field, content(sizes[index], index)])]];
}

/** @param {ReadUse} use @param {string[]} [given] that must be among them */
function set({ keys, content, name, ...use }, given = []) {
  const sizes = given.length > 0 ? [] : shares(bytesIn(use), membersIn(use));
  const members = [...given, ...sizes.map((bytes, index) => distinct(index, bytes, content))];
  // Of a difference, only the first set has members.
  const filled = name === 'SDIFF' ? keys.slice(0, 1) : keys;
  return members.length === 0 ? [] : filled.flatMap((key) => inPieces('SADD', key, members));
}

/** Members of one score stand in the order of their characters: these before all others, or after them. */
const BEFORE = '!';
const AFTER = '~';

/** @param {Pick<ReadUse, 'name' | 'args'>} use */
const isReversed = ({ name, args }) =>
  name.startsWith('ZREV') || args.some((arg) => arg.toUpperCase() === 'REV');

/** @param {ReadUse} use @param {{score?: string, before?: number}} [range] */
function zset({ keys: [key], args, content, ...use }, { score = '1', before = 0 } = {}) {
  const all = { ...use, keys: [key], args, content };
  const hasScores = args.some((arg) => arg.toUpperCase() === 'WITHSCORES');
  const perMember = hasScores && use.isFlat ? 2 : 1;
  const count = Math.floor(membersIn(all) / perMember);
  const bytes = Math.max(0, bytesIn(all) - (hasScores ? count * score.length : 0));
  const sizes = shares(bytes, count);
  const skipped = Array.from(
    { length: Math.min(MOST_MEMBERS, before) },
    (_, index) => `${isReversed(all) ? AFTER : BEFORE}${index}`,
  );
  const members = [...skipped, ...sizes.map((size, index) => distinct(index, size, content))];
  return inPieces(
    'ZADD',
    key,
    members.flatMap((member) => [score, member]),
    2,
  );
}

/** @param {ReadUse} use @param {string} member @param {string} score @returns {Command[]} */
const zsetOf = ({ keys: [key] }, member, score) => [['ZADD', key, score, member]];

/** @param {ReadUse} use @param {number} entries */
const stream = (use, entries) => entriesOf(use, shares(bytesIn(use), entries));

/** @param {ReadUse} use the members that a search around a place found */
function found(use) {
  const { keys, args, content, name } = use;
  const from = name.includes('BYMEMBER') ? args[1] : args[args.indexOf('FROMMEMBER') + 1];
  const given = name.includes('BYMEMBER') || args.includes('FROMMEMBER') ? [from] : [];
  const others = Math.max(0, Math.min(MOST_MEMBERS, membersIn(use)) - given.length);
  const sizes = shares(Math.max(0, bytesIn(use) - (given[0]?.length ?? 0)), others);
  return inOnePlace(keys[0], [...given, ...sizes.map((bytes, index) => distinct(index, bytes, content))]);
}

/** @param {ReadUse} use @returns {number} of a range by rank */
const skippedBy = ({ args }) => Math.max(0, whole(args[1]));

/** @param {ReadUse} use @returns {{score: string}} of a range by score: the number at its lower end */
const scoreIn = ({ args, name }) => {
  const least = args[name.startsWith('ZREV') ? 2 : 1];
  return { score: whole(least) === 0 ? '1' : String(whole(least)) };
};

/** @param {ReadUse} use */
const ranked = (use) =>
  use.args.some((arg) => /^by(?:score|lex)$/i.test(arg)) ? {} : { before: skippedBy(use) };

/** @param {ReadUse} use @returns {Command[]} something of the type that TYPE tells by its length */
function typed({ keys: [key], reply: [, bytes] }) {
  if (bytes === 3) return [['SADD', key, 'x']];
  return bytes === 4 ? [['HSET', key, 'f', 'x']] : string(key, 'x');
}

/** @param {ReadUse} use @param {(use: ReadUse) => Command[]} make with some members, where the reply tells no number */
const withSome = (use, make) => make({ ...use, reply: ['*', SOME_MEMBERS * SOME_BYTES, SOME_MEMBERS, 0] });

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
  SCARD: (use) => set({ ...use, reply: ['*', membersIn(use) * 4, membersIn(use), 0] }),
  SINTERCARD: (use) => set({ ...use, reply: ['*', membersIn(use) * 4, membersIn(use), 0] }),
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
  ZCARD: (use) => zset({ ...use, reply: ['*', membersIn(use) * 4, membersIn(use), 0] }),
  ZCOUNT: (use) => zset({ ...use, reply: ['*', membersIn(use) * 4, membersIn(use), 0] }, scoreIn(use)),
  ZLEXCOUNT: (use) => zset({ ...use, reply: ['*', membersIn(use) * 4, membersIn(use), 0] }),
  ZRANDMEMBER: (use) => withSome(use, (some) => zset({ ...some, args: [] })),
  ZSCAN: (use) => withSome(use, (some) => zset({ ...some, args: [] })),
  XLEN: (use) => stream(use, membersIn(use)),
  XRANGE: (use) => stream(use, membersIn(use)),
  XREVRANGE: (use) => stream(use, membersIn(use)),
  XREAD: (use) => readStreams(use, shares),
  GEOPOS: membersAsked,
  GEOHASH: membersAsked,
  GEODIST: twoMembers,
  GEOSEARCH: found,
  GEORADIUS: found,
  GEORADIUS_RO: found,
  GEORADIUSBYMEMBER: found,
  GEORADIUSBYMEMBER_RO: found,
  PFCOUNT: ({ keys }) => keys.map((key) => ['PFADD', key, 'x']),
  EXISTS: one,
  TYPE: typed,
  TTL: one,
  PTTL: one,
  EXPIRETIME: one,
  PEXPIRETIME: one,
  TOUCH: one,
};
