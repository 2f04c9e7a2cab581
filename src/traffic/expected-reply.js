/** @import { CommandLine, CommandRow } from './types.js' */

/**
 * Clients return a number as text, and a map as an object or a flat list, so only type and size of content are compared.
 * @typedef {{types: Type[], bytes: number | null}} Expected
 * @typedef {'null' | 'text' | 'number' | 'members'} Type
 */

/** @param {Pick<CommandLine, 'reply'>} line not an error @param {CommandRow} row @returns {Expected} */
export function expectedOf({ reply }, { replay, mayReply, varies }) {
  const [sign, size] = /** @type {[keyof typeof TYPES, number]} */ (reply);
  const [type, bytes] = [TYPES[sign], Number(size)];
  if (replay === 'take') return { types: type === 'null' ? ['null'] : [type, 'null'], bytes: null };
  if (replay === 'write') {
    // A returned value may have another size; a word such as OK may not.
    return { types: mayReply ?? [type], bytes: sign === '+' ? bytes : null };
  }
  return { types: [type], bytes: type === 'number' || varies ? null : bytes };
}

/** @param {Expected} expected @param {unknown} reply */
export function isExpected({ types, bytes }, reply) {
  const type = typeOf(reply);
  if (!types.some((each) => isAlike(type, each))) return false;
  return bytes === null || type === 'null' || bytesOf(reply) === bytes;
}

/** @param {unknown} reply @param {Expected} expected */
export const shapeText = (reply, { types, bytes }) =>
  `${nameOf(typeOf(reply))} of ${bytesOf(reply)} bytes, instead of ${types.map(nameOf).join(' or ')}` +
  `${bytes === null ? '' : ` of ${bytes}`}`;

/** @param {Type} type */
const nameOf = (type) => ({ null: 'nil', text: 'a text', number: 'a number', members: 'a list' })[type];

/** @param {unknown} reply @returns {number} */
export function bytesOf(reply) {
  if (typeof reply === 'string') return reply.length;
  if (reply === null || reply === undefined) return 0;
  // 1 or 0 in RESP2, true or false in RESP3 with some clients.
  if (typeof reply === 'boolean') return 1;
  if (typeof reply !== 'object') return String(reply).length;
  let bytes = 0;
  if (Array.isArray(reply)) {
    for (const each of reply) bytes += bytesOf(each);
  } else if (Symbol.iterator in reply) {
    for (const each of /** @type {Iterable<unknown>} */ (reply)) bytes += bytesOf(each);
  } else if ('key' in reply && 'value' in reply) {
    // A member of a map in valkey-glide.
    bytes += bytesOf(reply.key) + bytesOf(reply.value);
  } else if (!(reply instanceof Error)) {
    for (const [name, each] of Object.entries(reply)) bytes += name.length + bytesOf(each);
  }
  return bytes;
}

/** @param {unknown} reply @returns {Type} */
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

/** A number may come as text, as scores do in RESP2. */
const ALIKE = new Set(['text number', 'number text']);

/** @param {Type} seen @param {Type} expected */
const isAlike = (seen, expected) => seen === expected || ALIKE.has(`${seen} ${expected}`);
