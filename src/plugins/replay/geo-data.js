import { coordinateOf } from './content.js';
import { bytesIn, distinct, MOST_MEMBERS, membersIn, shares } from './reply-amounts.js';

/** @import { Command, ReadUse } from './types.js' */

/** Where all members stand that a search must find. */
const PLACE = coordinateOf(8);
/** Metres of a degree of latitude, by the radius of the earth that Redis uses. */
const DEGREE = (6372797.560856 * Math.PI) / 180;
/** From the place above to the pole. */
const MOST_DEGREES = 80;
/** @type {Record<string, number>} */
const METRES = { M: 1, KM: 1000, FT: 0.3048, MI: 1609.34 };
/** A distance is told with four digits after its point. */
const SHORTEST = '0.0000'.length;

/** @param {string} key @param {string[]} members @returns {Command[]} */
const inOnePlace = (key, members) =>
  members.length === 0 ? [] : [['GEOADD', key, ...members.flatMap((member) => [PLACE, PLACE, member])]];

/** @param {ReadUse} use @returns {Command[]} those that were found, and not those that are asked for and were missing */
export const membersAsked = ({ keys: [key], args, reply }) => {
  const [, , members = 1, nulls = 0] = /** @type {any[]} */ (reply);
  return inOnePlace(key, args.slice(1, 1 + members - nulls));
};

/** @param {ReadUse} use @returns {Command[]} two members so far apart that their distance has as many digits */
export function twoMembers({ keys: [key], args, reply }) {
  const [, one = 'a', other = 'b', unit = 'M'] = args;
  const digits = Math.max(0, Number(reply[1]) - SHORTEST);
  const metres = digits === 0 ? 0 : 2 * 10 ** digits * (METRES[unit.toUpperCase()] ?? 1);
  const latitude = Number(PLACE) + Math.min(MOST_DEGREES, metres / DEGREE);
  return [['GEOADD', key, PLACE, PLACE, one, PLACE, latitude.toFixed(6), other]];
}

/** @param {ReadUse} use the members that a search around a place found */
export function membersFound(use) {
  const { keys, args, content, name } = use;
  const from = name.includes('BYMEMBER') ? args[1] : args[args.indexOf('FROMMEMBER') + 1];
  const given = name.includes('BYMEMBER') || args.includes('FROMMEMBER') ? [from] : [];
  const others = Math.max(0, Math.min(MOST_MEMBERS, membersIn(use)) - given.length);
  const sizes = shares(Math.max(0, bytesIn(use) - (given[0]?.length ?? 0)), others);
  return inOnePlace(keys[0], [...given, ...sizes.map((bytes, index) => distinct(index, bytes, content))]);
}
