import { bytesOf, isAlike, recordedShape, typeOf } from './seen-reply.js';

/**
 * @import { CommandLine } from '../../traffic/types.js'
 * @import { Known } from './known-commands.js'
 * @import { Seen } from './seen-reply.js'
 */

/**
 * What a reply must be, one for all commands that are the same.
 *
 * @typedef {object} Expected
 * @property {Seen['type'][]} types
 * @property {number | null} bytes of its content; null where that is not known
 */

/** They draw by lot, tell the time, or tell where they stand: each reply is another one. */
const VARY = new Set([
  'TIME',
  'HSCAN',
  'SSCAN',
  'ZSCAN',
  'HRANDFIELD',
  'SRANDMEMBER',
  'ZRANDMEMBER',
  'GEOPOS',
  'GEODIST',
]);
/** Clients read the numbers in them, and each writes them in its own way. */
const WITH_NUMBERS = new Set(['WITHCOORD', 'WITHDIST', 'WITHHASH']);
/** Whether there is something to be told depends on what came before. */
const MAY_BE_NULL = new Set(['SET', 'GETSET', 'ZADD', 'GETEX']);

/**
 * @param {Pick<CommandLine, 'name' | 'args' | 'reply'>} line
 * @param {Known} known
 * @returns {Expected}
 */
export function expectedOf({ name, args, reply }, { way }) {
  const { type, bytes } = recordedShape(/** @type {NonNullable<typeof reply>} */ (reply));
  if (way === 'take') return { types: type === 'null' ? ['null'] : [type, 'null'], bytes: null };
  // Whether something has come to a stream in the meantime is up to the others.
  if (name === 'XREADGROUP') return { types: ['members', 'null'], bytes: null };
  if (way === 'write') {
    // A value that is given back may be of another size; a word such as OK may not.
    const isWord = reply?.[0] === '+';
    return {
      types: MAY_BE_NULL.has(name) ? ['text', 'null', 'number'] : [type],
      bytes: isWord ? bytes : null,
    };
  }
  const varies = VARY.has(name) || args.some((arg) => WITH_NUMBERS.has(String(arg)));
  return { types: [type], bytes: type === 'number' || varies ? null : bytes };
}

/** @param {Expected} expected @param {unknown} reply */
export function isExpected({ types, bytes }, reply) {
  const type = typeOf(reply);
  if (!types.some((each) => isAlike(type, each))) return false;
  return bytes === null || type === 'null' || bytesOf(reply) === bytes;
}

/** @param {unknown} reply @param {Expected} expected @returns {string} what it was, and what it should be */
export const shapeText = (reply, { types, bytes }) =>
  `${nameOf(typeOf(reply))} of ${bytesOf(reply)} bytes, instead of ${types.map(nameOf).join(' or ')}` +
  `${bytes === null ? '' : ` of ${bytes}`}`;

/** @param {Seen['type']} type */
const nameOf = (type) => ({ null: 'nil', text: 'a text', number: 'a number', members: 'a list' })[type];
