/** @import { ReplyShape } from '../../traffic/types.js' */

/**
 * What a reply is, as every client gives it: a number may come as text, a map as an object or a flat list, and so
 * only what is in it is compared.
 *
 * @typedef {object} Seen
 * @property {'null' | 'text' | 'number' | 'members'} type
 * @property {number} bytes of all texts and numbers in it
 */

/** @param {unknown} reply @returns {number} the bytes of all content */
export function bytesOf(reply) {
  if (typeof reply === 'string') return reply.length;
  if (reply === null || reply === undefined) return 0;
  // Under RESP3 some clients make it of what is 1 or 0 under RESP2.
  if (typeof reply === 'boolean') return 1;
  if (typeof reply !== 'object') return String(reply).length;
  let bytes = 0;
  if (Array.isArray(reply)) {
    for (const each of reply) bytes += bytesOf(each);
  } else if (Symbol.iterator in reply) {
    for (const each of /** @type {Iterable<unknown>} */ (reply)) bytes += bytesOf(each);
  } else if ('key' in reply && 'value' in reply) {
    // A member of a map, as valkey-glide gives it.
    bytes += bytesOf(reply.key) + bytesOf(reply.value);
  } else if (!(reply instanceof Error)) {
    for (const [name, each] of Object.entries(reply)) bytes += name.length + bytesOf(each);
  }
  return bytes;
}

/** @param {unknown} reply @returns {Seen['type']} */
export function typeOf(reply) {
  if (reply === null || reply === undefined) return 'null';
  if (typeof reply === 'string') return 'text';
  return typeof reply === 'object' ? 'members' : 'number';
}

const TYPES = /** @type {const} */ ({
  '+': 'text',
  $: 'text',
  '=': 'text',
  _: 'null',
  ':': 'number',
  '#': 'number',
  ',': 'number',
  '(': 'number',
  '*': 'members',
  '%': 'members',
  '~': 'members',
});

/** @param {NonNullable<ReplyShape>} reply as it was recorded, not an error @returns {Seen} */
export const recordedShape = ([type, size]) => ({
  type: TYPES[/** @type {keyof typeof TYPES} */ (type)],
  bytes: Number(size),
});

/** A number may come as text, as scores do in RESP2. */
const ALIKE = new Set(['text number', 'number text']);

/**
 * @param {Seen['type']} seen
 * @param {Seen['type']} expected
 */
export const isAlike = (seen, expected) => seen === expected || ALIKE.has(`${seen} ${expected}`);
