import { UsageError } from '../../errors.js';
import { ONE_SLOT } from '../../server/one-slot.js';

/** @import { Settings, SizeRange, Topology } from '../../options/types.js' */
/** @import { Cell } from './types.js' */
/** @import { Catalogue, Chosen } from '../../plugins/types.js' */

/** `rpb:` and four characters. */
const PREFIX_LENGTH = 8;
/** So many characters distinguish the keys of compared cells. */
export const MARK_LENGTH = 2;
/** One key and value per command in flight. No cost of 64 keys could be measured. */
const FEWEST_KEYS = 64;
/** A cluster has 16384 slots, and a range of lengths needs many values. */
const MANY_KEYS = 1000;
/** Enough for a slice of the fastest cells, each of whose operations takes another. */
const FRESH_KEYS = 4000;
/** The default number of keys takes at most so much on the server, and in each worker. */
const MOST_DEFAULT_BYTES = 64e6;
/** Characters of an empty JSON text, and of an order without lines and without a note. */
export const SHORTEST = { text: 1, json: 2, records: 150 };
/** Each worker keeps all keys and values, to check replies. */
const MOST_BYTES = 512e6;

/**
 * `--size` sets both sizes, but a key is at least long enough for its prefix and its number.
 * @param {Settings} settings @param {Topology} topology @param {number} atOnce most commands in flight
 * @returns {{topology: Topology, keySize: number, valueSize: number, shortestValue: number, keys: number}[]}
 * @throws {UsageError}
 */
export function sizesOf(settings, topology, atOnce) {
  const { size, keySize, valueSize } = settings;
  const oneSlot = topology === 'cluster' && settings.oneSlot;
  // What is compared has as many keys.
  const topologies = settings.compare.includes('topology') ? settings.topology : [topology];
  const isSpread = topologies.includes('cluster') && !settings.oneSlot;
  const pairs = size.flatMap((both) => {
    /** @type {SizeRange} */
    const same = [both, both];
    return product({ keySize: keySize ?? [both], values: valueSize ?? [same] });
  });
  const sizes = pairs.map(({ keySize: wanted, values: [shortestValue, valueSize] }) => {
    const many = shortestValue < valueSize || isSpread;
    const start =
      PREFIX_LENGTH +
      (oneSlot ? ONE_SLOT.length : 0) +
      (settings.encode === undefined ? 0 : 1) +
      (settings.compare.length === 0 ? 0 : MARK_LENGTH);
    const keys =
      settings.keys ??
      Math.min(
        Math.max(settings.prepareEach ? FRESH_KEYS : many ? MANY_KEYS : FEWEST_KEYS, atOnce),
        Math.max(1, Math.floor(MOST_DEFAULT_BYTES / (wanted + valueSize))),
        keySize === undefined ? Number.POSITIVE_INFINITY : 10 ** Math.max(0, wanted - start),
      );
    if (settings.prepareEach && keys < atOnce)
      throw new UsageError(
        `--prepare-each: expected at least ${atOnce} --keys, as so many are used at once, got ${keys}`,
      );
    const shortestKey = start + String(keys - 1).length;
    if (keySize && wanted < shortestKey) {
      throw new UsageError(
        `--key-size: expected at least ${shortestKey}, so that every key carries this tool's prefix` +
          `${keys > 1 ? ' and its number' : ''}, got '${wanted}'`,
      );
    }
    return { topology, keySize: Math.max(wanted, shortestKey), valueSize, shortestValue, keys };
  });
  for (const each of sizes) check(each, settings);
  return [...new Map(sizes.map((each) => [JSON.stringify(each), each])).values()];
}

/** @param {number} length @param {Settings['value']} value @throws {UsageError} where values cannot be so short */
export function checkLength(length, value) {
  const least = SHORTEST[value];
  if (length < least)
    throw new UsageError(`--value ${value}: expected values of at least ${least} characters, got ${length}`);
}

/** @param {ReturnType<typeof sizesOf>[number]} sizes @param {Settings} settings */
function check({ keySize, valueSize, shortestValue, keys }, { value }) {
  checkLength(shortestValue, value);
  if (keys > 1 && keys * keySize > MOST_BYTES) {
    throw new UsageError(
      `--keys ${keys} of ${keySize} characters take ${Math.round((keys * keySize) / 1e6)} MB in each worker; ` +
        `expected at most ${MOST_BYTES / 1e6} MB: use fewer or shorter keys`,
    );
  }
  if (shortestValue < valueSize && keys === 1) {
    throw new UsageError(
      `--value-size ${shortestValue}-${valueSize} with --keys 1: one key has one value; expected more keys`,
    );
  }
}

/** All values of one size take at most so much on the server, and in each worker. */
const MOST_OF_A_SIZE_BYTES = 64e6;

/**
 * The values of its workload's own sizes: as many as it has keys, if they are not too large.
 * @param {Pick<Cell, 'chosen' | 'keys'>} cell @param {Pick<Catalogue, 'workloads'>} catalogue
 * @returns {{valueSize: number, keys: number}[]}
 */
export const ownSizes = ({ chosen: { workload }, keys }, { workloads }) =>
  sizesOfWorkload(workload, workloads).map((valueSize) => ({
    valueSize,
    keys: Math.max(1, Math.min(keys, Math.floor(MOST_OF_A_SIZE_BYTES / valueSize))),
  }));

/** @param {Chosen} workload @param {Catalogue['workloads']} workloads */
export const sizesOfWorkload = ({ id, parameter }, workloads) => workloads.get(id)?.sizes?.(parameter) ?? [];

/** @param {Pick<Cell, 'chosen' | 'keys' | 'valueSize'>} cell @param {Pick<Catalogue, 'workloads'>} catalogue */
export const longestValue = (cell, catalogue) =>
  Math.max(cell.valueSize, ...ownSizes(cell, catalogue).map(({ valueSize }) => valueSize));

/**
 * @template {Record<string, readonly unknown[]>} Axes @param {Axes} axes
 * @returns {{[Name in keyof Axes]: Axes[Name][number]}[]} the last axis varies fastest
 */
export function product(axes) {
  /** @type {any[]} */
  let points = [{}];
  for (const [name, values] of Object.entries(axes)) {
    points = points.flatMap((point) => values.map((value) => ({ ...point, [name]: value })));
  }
  return points;
}
