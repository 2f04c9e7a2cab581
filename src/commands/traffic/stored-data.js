/** What is stored so that the reads of a replay get the recorded replies. */

/** @import { CommandLine, ReadUse, RedisCommand } from './types.js' */

/** Bounds against hostile recordings. */
export const MOST_MEMBERS = 20_000;
const MOST_COUNTED = 1000;
const MOST_ENTRIES = 1000;
const AT_ONCE = 1000;
/** Where the reply does not say. */
const SOME = 10;
const MEMBER_BYTES = 4;
const DIGITS = 36;

/** @param {ReadUse} use */
const bytesIn = ({ reply }) => Number(reply[1]);

/** @param {Pick<ReadUse, 'reply'>} use @returns {number} its members, or the number that it is */
export function membersIn({ reply: [type, size, members] }) {
  if (type === ':') return Math.min(MOST_COUNTED, 10 ** (Number(size) - 1));
  return Math.min(MOST_MEMBERS, Number(members ?? 0));
}

/** @param {number} bytes @param {number} parts @returns {number[]} equal shares, the first ones larger by one */
const shares = (bytes, parts) =>
  Array.from({ length: parts }, (_, index) => Math.floor(bytes / parts) + (index < bytes % parts ? 1 : 0));

/** @param {ReadUse} use @returns {number[]} bytes of each member */
const sizesIn = (use) => shares(bytesIn(use), membersIn(use));

/** @param {string | undefined} text @returns {number} 0 if it is not an integer */
const wholeNumber = (text) => (/^-?\d+$/.test(text ?? '') ? Number(text) : 0);

/** @param {ReadUse} use @returns {number} elements before a range by rank */
const skippedBy = ({ args }) => Math.min(MOST_MEMBERS, Math.max(0, wholeNumber(args[1])));

/** @param {ReadUse} use @param {number} members @param {number} bytes of each @returns {ReadUse} */
const replying = (use, members, bytes) => ({ ...use, reply: ['*', members * bytes, members, 0] });
/** @param {ReadUse} use where the reply shows no number */
const withSome = (use) => replying(use, SOME, SOME);
/** @param {ReadUse} use whose reply is a number */
const counted = (use) => replying(use, membersIn(use), MEMBER_BYTES);

/** @param {number} index @param {number} bytes at least, if unique @param {ReadUse['content']} content @returns {string} */
function distinct(index, bytes, content) {
  const number = index.toString(DIGITS);
  return number.length >= bytes ? number : `${number}${content(bytes - number.length - 1, index)}_`;
}

/** @param {string} name @param {string} key @param {string[]} parts @param {number} [each] how many belong together */
function inPieces(name, key, parts, each = 1) {
  /** @type {RedisCommand[]} */
  const commands = [];
  for (let start = 0; start < parts.length; start += AT_ONCE * each)
    commands.push([name, key, ...parts.slice(start, start + AT_ONCE * each)]);
  return commands;
}

/** @type {(key: string, value: string) => RedisCommand[]} */
const string = (key, value) => [['SET', key, value]];

/**
 * @param {ReadUse} use @param {number} count of fields
 * @param {(bytes: number, index: number) => [field: string, value: string]} pairOf
 */
const hash = (use, count, pairOf) =>
  inPieces('HSET', use.keys[0], shares(bytesIn(use), count).flatMap(pairOf), 2);

/** @param {ReadUse} use */
function hashOfPairs(use) {
  const pairs = membersIn(use) / (use.reply[0] === '%' ? 1 : 2);
  return hash(use, Math.floor(pairs), (bytes, index) => {
    const field = distinct(index, Math.min(8, Math.floor(bytes / 2)), use.content);
    return [field, use.content(Math.max(0, bytes - field.length), index)];
  });
}

/** @param {ReadUse} use @param {number} [before] elements before the range */
function list(use, before = 0) {
  const skipped = Array.from({ length: before }, () => 'x');
  return inPieces('RPUSH', use.keys[0], [...skipped, ...sizesIn(use).map(use.content)]);
}

/** @param {ReadUse} use @param {string[]} [members] */
function set(use, members = sizesIn(use).map((bytes, index) => distinct(index, bytes, use.content))) {
  // In a difference, only the first set has members.
  const filled = use.name === 'SDIFF' ? use.keys.slice(0, 1) : use.keys;
  return filled.flatMap((key) => inPieces('SADD', key, members));
}

/** Members of equal score are in lexical order: these come first and last. */
const [BEFORE, AFTER] = '!~';

/** @param {ReadUse} use */
const isReversed = ({ name, args }) =>
  name.startsWith('ZREV') || args.some((arg) => arg.toUpperCase() === 'REV');

/** @param {ReadUse} use @param {{score?: string, before?: number}} [range] */
function zset(use, { score = '1', before = 0 } = {}) {
  const hasScores = use.args.some((arg) => arg.toUpperCase() === 'WITHSCORES');
  const count = Math.floor(membersIn(use) / (hasScores && use.isFlat ? 2 : 1));
  const bytes = Math.max(0, bytesIn(use) - (hasScores ? count * score.length : 0));
  const mark = isReversed(use) ? AFTER : BEFORE;
  const skipped = Array.from({ length: before }, (_, index) => `${mark}${index}`);
  const sizes = shares(bytes, count);
  const members = [...skipped, ...sizes.map((size, index) => distinct(index, size, use.content))];
  const pairs = members.flatMap((member) => [score, member]);
  return inPieces('ZADD', use.keys[0], pairs, 2);
}

/** @param {ReadUse} use @returns {{score: string}} the lower end of the range */
const scoreIn = (use) => ({ score: String(wholeNumber(use.args[isReversed(use) ? 2 : 1]) || 1) });

/** Milliseconds, with as many digits as today. */
const FIRST_ID = 1_700_000_000_000;
const ID_BYTES = `${FIRST_ID}-0`.length;
const FIELD = 'f';

/** Replies are recorded by bytes, not entries: so entries get the average size that the recording adds. */
export function createEntrySizes() {
  let bytes = 0;
  let added = 0;
  return {
    /** @param {CommandLine} line */
    note({ name, args }) {
      if (name !== 'XADD') return;
      added++;
      for (const arg of args.slice(1)) bytes += typeof arg === 'number' ? Math.max(0, arg) : 0;
    },

    /** @returns {number} bytes; 0 if none was added */
    average: () => (added === 0 ? 0 : ID_BYTES + bytes / added),
  };
}

/** @param {string} key @param {ReadUse['content']} content @param {number[]} sizes of entries @returns {RedisCommand[]} */
const entriesOf = (key, content, sizes) =>
  sizes.map((bytes, index) => [
    'XADD',
    key,
    `${FIRST_ID + index}-0`,
    FIELD,
    content(Math.max(0, bytes - ID_BYTES - FIELD.length), index),
  ]);

/** @satisfies {Record<string, (use: ReadUse) => RedisCommand[]>} */
export const DATA = {
  string: (use) => string(use.keys[0], use.content(bytesIn(use))),
  partOfString: (use) => string(use.keys[0], use.content(bytesIn(use) + skippedBy(use))),
  stringOfLength: (use) => string(use.keys[0], use.content(membersIn(use))),
  someStrings: ({ keys, content }) => keys.flatMap((key) => string(key, content(SOME))),

  strings({ keys, content, reply }) {
    const [, bytes, , nulls = 0] = reply;
    const there = keys.slice(0, Math.max(0, keys.length - nulls));
    const sizes = shares(Number(bytes), there.length);
    return there.flatMap((key, index) => string(key, content(sizes[index], index)));
  },

  /** A type whose name has that length. */
  typed({ keys: [key], reply: [, bytes] }) {
    if (bytes === 3) return [['SADD', key, 'x']];
    return bytes === 4 ? [['HSET', key, 'f', 'x']] : string(key, 'x');
  },

  counters: ({ keys }) => keys.map((key) => ['PFADD', key, 'x']),

  pairs: (use) => hashOfPairs(use),
  somePairs: (use) => hashOfPairs(withSome(use)),
  fields: (use) => hash(use, membersIn(use), (bytes, index) => [distinct(index, bytes, use.content), 'x']),
  values: (use) => hash(use, membersIn(use), (bytes, index) => [`f${index}`, use.content(bytes, index)]),

  fieldsAsked(use) {
    const {
      args,
      reply: [, , members = 1, nulls = 0],
    } = use;
    const found = args.slice(1, 1 + members - nulls);
    return hash(use, found.length, (bytes, index) => [found[index], use.content(bytes, index)]);
  },

  /** Its value is as long as the number of the reply. */
  field: (use) => [['HSET', use.keys[0], use.args[1] ?? 'f', use.content(membersIn(use))]],

  list: (use) => list(use, skippedBy(use)),
  element: (use) => list(replying(use, 1, bytesIn(use)), skippedBy(use)),
  countedList: (use) => list(counted(use)),
  elementAsked: ({ keys: [key], args }) => [['RPUSH', key, args[1] ?? 'x']],

  set: (use) => set(use),
  membersAsked: (use) => set(use, use.args.slice(1)),
  countedSet: (use) => set(counted(use)),
  someSet: (use) => set(withSome(use)),

  zset: (use) => zset(use),
  zsetByScore: (use) => zset(use, scoreIn(use)),
  zsetByRank(use) {
    if (use.args.includes('BYSCORE')) return zset(use, scoreIn(use));
    return zset(use, use.args.includes('BYLEX') ? {} : { before: skippedBy(use) });
  },
  countedZset: (use) => zset(counted(use)),
  countedByScore: (use) => zset(counted(use), scoreIn(use)),
  someZset: (use) => zset({ ...withSome(use), args: [] }),
  ranksAsked: ({ keys: [key], args }) => args.slice(1).map((member) => ['ZADD', key, '1', member]),

  /** Its number has as many digits as the reply. */
  scoreAsked: ({ keys: [key], args, ...use }) => [
    ['ZADD', key, '1'.padEnd(Math.min(12, Number(use.reply[1])), '0'), args[1] ?? 'm'],
  ],

  stream: (use) => entriesOf(use.keys[0], use.content, sizesIn(use)),

  streams({ keys, args, reply, content, entryBytes }) {
    const [, bytes, members = 0] = reply;
    const streams = keys.slice(0, members);
    const rest = Number(bytes) - streams.reduce((sum, key) => sum + key.length, 0);
    const at = args.indexOf('COUNT');
    const most = Math.max(1, Math.min(MOST_ENTRIES, at === -1 ? MOST_ENTRIES : Number(args[at + 1]) || 1));
    return shares(Math.max(0, rest), streams.length).flatMap((ofStream, index) => {
      const entries = entryBytes === 0 ? 1 : Math.round(ofStream / entryBytes);
      return entriesOf(streams[index], content, shares(ofStream, Math.max(1, Math.min(most, entries))));
    });
  },
};
