/** @import { Command, ReadUse } from './types.js' */

/** Of one key, whatever a recording says. */
export const MOST_MEMBERS = 20_000;
export const MOST_COUNTED = 1000;
/** @param {Pick<ReadUse, 'reply'>} use @returns {number} bytes of the reply's content */
export const bytesIn = ({ reply }) => Number(reply[1]);

/** @param {Pick<ReadUse, 'reply'>} use @returns {number} members of the reply, or as many as it counts */
export function membersIn({ reply: [type, size, members] }) {
  if (type === ':') return Math.min(MOST_COUNTED, 10 ** (Number(size) - 1));
  return Math.min(MOST_MEMBERS, Number(members ?? 0));
}

/**
 * Shares out bytes: each part gets as many, and the first ones one more.
 *
 * @param {number} bytes
 * @param {number} parts
 * @returns {number[]}
 */
export const shares = (bytes, parts) =>
  Array.from({ length: parts }, (_, index) => Math.floor(bytes / parts) + (index < bytes % parts ? 1 : 0));

const DIGITS = 36;

/**
 * @param {number} index
 * @param {number} bytes
 * @param {ReadUse['content']} content
 * @returns {string} different for each index, and of that length if that is enough to tell them apart
 */
export function distinct(index, bytes, content) {
  const number = index.toString(DIGITS);
  return number.length >= bytes ? number : `${number}${content(bytes - number.length - 1, index)}_`;
}

/** Longer commands are cut. */
const AT_ONCE = 1000;

/** @param {string} name @param {string} key @param {string[]} parts of the command, `each` belong together @param {number} [each] */
export function inPieces(name, key, parts, each = 1) {
  /** @type {Command[]} */
  const commands = [];
  for (let start = 0; start < parts.length; start += AT_ONCE * each) {
    commands.push([name, key, ...parts.slice(start, start + AT_ONCE * each)]);
  }
  return commands;
}
