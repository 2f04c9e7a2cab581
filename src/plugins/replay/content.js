/** @import { Argument } from '../../traffic/types.js' */

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A slice of a long text refers to all of it, and a client copies that of a short one each time. */
const SHORT = 1024;

/**
 * Content of any size, cut out of one long text. Two places of a command get different contents of the same size.
 *
 * @returns {(bytes: number, place?: number) => string}
 */
export function createContent() {
  let text = LETTERS;
  /** @type {Map<string, string>} */
  const made = new Map();
  return (bytes, place = 0) => {
    const offset = place % LETTERS.length;
    const key = `${bytes}@${offset}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    if (text.length < offset + bytes)
      text = LETTERS.repeat(Math.ceil((2 * (offset + bytes)) / LETTERS.length));
    const cut = text.slice(offset, offset + bytes);
    const content = bytes < SHORT ? Buffer.from(cut).toString('latin1') : cut;
    made.set(key, content);
    return content;
  };
}

/** An amount of more digits is added up beyond 64 bits after a few thousand times. */
const MOST_DIGITS = 12;
/** Points in time that are never over, and the ends of ranges. */
const LATE = /^(?:PX|EX)AT$/;
const AS_LARGE = new Map([
  ['EXPIREAT', [1]],
  ['PEXPIREAT', [1]],
  ['ZRANGEBYSCORE', [2]],
  ['ZREVRANGEBYSCORE', [1]],
  ['ZCOUNT', [2]],
  ['ZREMRANGEBYSCORE', [2]],
]);

/** All in one place, which is inside of every radius. */
const COORDINATES = /^GEORADIUS(?:_RO)?$/;

/** @param {number} characters @returns {string} a longitude or a latitude */
export const coordinateOf = (characters) =>
  characters < 3 ? '1' : '1.'.padEnd(Math.min(MOST_DIGITS, characters), '0');

/** @param {string} name @param {Argument[]} args @param {number} place */
function isCoordinate(name, args, place) {
  if (name === 'GEOADD') return true;
  const at = COORDINATES.test(name) ? 1 : args.indexOf('FROMLONLAT') + 1;
  return at > 0 && (place === at || place === at + 1);
}

/**
 * @param {string} name of the command
 * @param {Argument[]} args
 * @param {number} place of the number
 * @returns {string} a number of the recorded length, as long as it can be used
 */
export function numberAt(name, args, place) {
  if (name.startsWith('GEO') && isCoordinate(name, args, place)) return coordinateOf(-Number(args[place]));
  const before = args[place - 1];
  const isHighest = name === 'ZRANGE' && args.includes('BYSCORE') && place === (args.includes('REV') ? 1 : 2);
  const large =
    isHighest ||
    AS_LARGE.get(name)?.includes(place) ||
    (typeof before === 'string' && LATE.test(before.toUpperCase()));
  return numberOf(-Number(args[place]), large ? '9' : '0');
}

/**
 * @param {number} characters
 * @param {string} [fill] the digits after the first
 * @returns {string} a whole number that Redis reads
 */
export function numberOf(characters, fill = '0') {
  const digits = Math.max(1, Math.min(characters, fill === '9' ? MOST_DIGITS + 1 : MOST_DIGITS));
  return (fill === '9' ? '9' : '1') + fill.repeat(digits - 1);
}
