/** @import { Argument, CommandLine, CommandRow, Family, KeyArgument, ReadUse, RedisCommand, Unblocked, Way } from '../types.js' */

/** @param {Way} replay @param {Family} family @param {Record<string, CommandRow>} rows @returns {Record<string, CommandRow>} */
export const replayed = (replay, family, rows) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { replay, family, ...row }]));

/** @param {string} names @param {CommandRow} row @returns {Record<string, CommandRow>} */
export const alike = (names, row) => Object.fromEntries(names.split(' ').map((name) => [name, row]));

/** @param {number} at @returns {NonNullable<CommandRow['isLarge']>} */
export const atPlace = (at) => (_, place) => place === at;

/** @param {Argument[]} args @returns {KeyArgument[]} */
export const keysIn = (args) => /** @type {KeyArgument[]} */ (args.filter((arg) => Array.isArray(arg)));

/**
 * The reply to BLPOP names the key, that to LPOP does not.
 * @param {string} name @returns {(line: CommandLine, key: KeyArgument) => Unblocked}
 */
export const ofOneKey = (name) => (line, key) => {
  const [, bytes] = /** @type {[string, number]} */ (line.reply);
  const rest = Math.max(0, bytes - key[1]);
  return { name, args: [key], reply: name.startsWith('Z') ? ['*', rest, 2, 0] : ['$', rest] };
};

/** @param {string} name @returns {(line: CommandLine) => Unblocked} */
export const withoutLast = (name) => (line) => ({ name, args: line.args.slice(0, -1), reply: line.reply });

/** @param {string} name @returns {(line: CommandLine) => Unblocked} */
export const withoutFirst = (name) => (line) => ({ name, args: line.args.slice(1), reply: line.reply });

/** Bounds against hostile recordings. */
export const MOST_MEMBERS = 20_000;
export const MOST_COUNTED = 1000;

/** @param {Pick<ReadUse, 'reply'>} use */
export const bytesIn = ({ reply }) => Number(reply[1]);

/** @param {Pick<ReadUse, 'reply'>} use @returns {number} its members, or the number that it is */
export function membersIn({ reply: [type, size, members] }) {
  if (type === ':') return Math.min(MOST_COUNTED, 10 ** (Number(size) - 1));
  return Math.min(MOST_MEMBERS, Number(members ?? 0));
}

/** @param {ReadUse} use @returns {string[]} as many of the members asked for as were found */
export function foundIn({ args, reply: [, , members = 1, nulls = 0] }) {
  return args.slice(1, 1 + members - nulls);
}

/** @param {ReadUse} use @returns {number} elements before a range by rank */
export const skippedBy = ({ args }) => Math.max(0, wholeNumber(args[1]));

/** @param {string | undefined} text @returns {number} 0 if it is not an integer */
export const wholeNumber = (text) => (/^-?\d+$/.test(text ?? '') ? Number(text) : 0);

/** @param {number} bytes @param {number} parts @returns {number[]} equal shares, the first ones larger by one */
export const shares = (bytes, parts) =>
  Array.from({ length: parts }, (_, index) => Math.floor(bytes / parts) + (index < bytes % parts ? 1 : 0));

const DIGITS = 36;

/** @param {number} index @param {number} bytes at least, if unique @param {ReadUse['content']} content @returns {string} */
export function distinct(index, bytes, content) {
  const number = index.toString(DIGITS);
  return number.length >= bytes ? number : `${number}${content(bytes - number.length - 1, index)}_`;
}

/** Parts per command. */
const AT_ONCE = 1000;

/** @param {string} name @param {string} key @param {string[]} parts @param {number} [each] how many belong together */
export function inPieces(name, key, parts, each = 1) {
  /** @type {RedisCommand[]} */
  const commands = [];
  for (let start = 0; start < parts.length; start += AT_ONCE * each) {
    commands.push([name, key, ...parts.slice(start, start + AT_ONCE * each)]);
  }
  return commands;
}

/** Where the reply does not say. */
const SOME_BYTES = 10;
const SOME_MEMBERS = 10;
/** Of a short unique member. */
const MEMBER_BYTES = 4;

/** @param {ReadUse} use @returns {ReadUse} where the reply shows no number */
export const withSome = (use) => ({ ...use, reply: ['*', SOME_MEMBERS * SOME_BYTES, SOME_MEMBERS, 0] });

/** @param {ReadUse} use whose reply is a number @returns {ReadUse} with as many members */
export const counted = (use) => ({ ...use, reply: ['*', membersIn(use) * MEMBER_BYTES, membersIn(use), 0] });

/** @param {string} key @param {string} value @returns {RedisCommand[]} */
export const string = (key, value) => [['SET', key, value]];

/** @param {ReadUse} use */
export const someString = ({ keys, content }) => keys.flatMap((key) => string(key, content(SOME_BYTES)));
