import { numberOrError } from '../shared/byte-size.js';
import { get, set } from '../shared/steps.js';

/** @import { Item, WorkloadSource } from '../types.js' */

/** The default of Redis. */
const USUAL = '10';
const MOST = 1_000_000;

/** @type {WeakMap<Item[], Map<string, number>>} the places of keys, made once for each cell */
const PLACES = new WeakMap();

/** @param {Item[]} items */
function placesOf(items) {
  const places = PLACES.get(items) ?? new Map(items.map(({ key, index }) => [key, index]));
  PLACES.set(items, places);
  return places;
}

/** SCAN returns every key at least once, in any order. @satisfies {WorkloadSource<number>} */
export default {
  summary:
    "walks all keys of the cell by SCAN, as scanIterator and scanStream do, until the server's cursor is 0",
  ofOneNode: true,

  parse: (argument = USUAL) =>
    numberOrError(argument, 1, MOST, `a COUNT for each SCAN from 1 to ${MOST}, such as scan:1000`),

  choiceOf: (count) => `COUNT ${count}`,

  prepare: () => [set, get],

  async iterate({ client, declare }, _, count, { keyPrefix, items = () => [] }) {
    const places = placesOf(items());
    const seen = new Uint8Array(places.size);
    let missing = places.size;
    let cursor = '0';
    do {
      declare('scan');
      const reply = await client.command(['SCAN', cursor, 'MATCH', `${keyPrefix}*`, 'COUNT', String(count)]);
      for (const key of reply[1]) {
        const place = places.get(key);
        if (place === undefined || seen[place] === 1) continue;
        seen[place] = 1;
        missing--;
      }
      cursor = String(reply[0]);
    } while (cursor !== '0');
    return missing === 0 || new Error(`SCAN left out keys: ${missing} of ${places.size}`);
  },
};
