import { coordinateOf } from '../replay-content.js';
import { bytesIn, distinct, foundIn, MOST_MEMBERS, membersIn, replayed, shares } from './row-parts.js';

/** @import { CommandRow, ReadUse, RedisCommand } from '../types.js' */

/** Of all members that a search must find. */
const PLACE = coordinateOf(8);
/** Metres, by the earth radius in Redis. */
const DEGREE = (6372797.560856 * Math.PI) / 180;
/** From the place above to the pole. */
const MOST_DEGREES = 80;
/** @type {Record<string, number>} */
const METRES = { M: 1, KM: 1000, FT: 0.3048, MI: 1609.34 };
/** A distance has four digits after its point. */
const SHORTEST = '0.0000'.length;

/** @param {string} key @param {string[]} members @returns {RedisCommand[]} */
const inOnePlace = (key, members) =>
  members.length === 0 ? [] : [['GEOADD', key, ...members.flatMap((member) => [PLACE, PLACE, member])]];

/** @param {ReadUse} use */
const membersAsked = (use) => inOnePlace(use.keys[0], foundIn(use));

/** @param {ReadUse} use @returns {RedisCommand[]} so far apart that their distance has as many digits */
function twoMembers({ keys: [key], args, reply }) {
  const [, one = 'a', other = 'b', unit = 'M'] = args;
  const digits = Math.max(0, Number(reply[1]) - SHORTEST);
  const metres = digits === 0 ? 0 : 2 * 10 ** digits * (METRES[unit.toUpperCase()] ?? 1);
  const latitude = Number(PLACE) + Math.min(MOST_DEGREES, metres / DEGREE);
  return [['GEOADD', key, PLACE, PLACE, one, PLACE, latitude.toFixed(6), other]];
}

/** @param {ReadUse} use */
function membersFound(use) {
  const { keys, args, content, name } = use;
  const from = name.includes('BYMEMBER') ? args[1] : args[args.indexOf('FROMMEMBER') + 1];
  const given = name.includes('BYMEMBER') || args.includes('FROMMEMBER') ? [from] : [];
  const others = Math.max(0, Math.min(MOST_MEMBERS, membersIn(use)) - given.length);
  const sizes = shares(Math.max(0, bytesIn(use) - (given[0]?.length ?? 0)), others);
  return inOnePlace(keys[0], [...given, ...sizes.map((bytes, index) => distinct(index, bytes, content))]);
}

/** @type {CommandRow['isCoordinate']} */
const behindKey = (_, place) => place === 1 || place === 2;

/** @type {CommandRow['isCoordinate']} */
const fromLonLat = (args, place) => {
  const at = args.indexOf('FROMLONLAT') + 1;
  return at > 0 && (place === at || place === at + 1);
};

const LIMITS = 'COUNT:n ANY ASC DESC';
const SHOWN = `WITHCOORD WITHDIST WITHHASH ${LIMITS}`;
const STORED = 'STORE:k STOREDIST:k';
const SEARCH = 'FROMMEMBER:v FROMLONLAT:aa BYRADIUS:aw BYBOX:aaw';

/** @type {Record<string, CommandRow>} */
export const GEO_COMMANDS = {
  ...replayed('read', 'geo', {
    GEOPOS: { varies: true, data: membersAsked },
    GEODIST: { syntax: 'kvvw', varies: true, data: twoMembers },
    GEOHASH: { data: membersAsked },
    GEOSEARCH: { syntax: `k|${SEARCH} ${SHOWN}`, isCoordinate: fromLonLat, data: membersFound },
    GEORADIUS: { syntax: `kaaaw|${SHOWN} ${STORED}`, isCoordinate: behindKey, data: membersFound },
    GEORADIUS_RO: { syntax: `kaaaw|${SHOWN}`, isCoordinate: behindKey, data: membersFound },
    GEORADIUSBYMEMBER: { syntax: `kvaw|${SHOWN} ${STORED}`, data: membersFound },
    GEORADIUSBYMEMBER_RO: { syntax: `kvaw|${SHOWN}`, data: membersFound },
  }),
  ...replayed('write', 'geo', {
    GEOADD: { syntax: 'k|NX XX CH *aav', isCoordinate: () => true },
    GEOSEARCHSTORE: { syntax: `kk|${SEARCH} ${LIMITS} STOREDIST`, isCoordinate: fromLonLat },
  }),
};
