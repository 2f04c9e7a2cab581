import pLimit from 'p-limit';

/** @import { Account, Ask, Item, WorkloadPlugin, Untyped } from '../types.js' */

const ASKED_AT_ONCE = 100;
/** What operations that only read may find on the server; they share it. */
const MOST_READ_BYTES = 64e6;

/**
 * The account of a workload whose operations each write items of their own: those that were done are seen there.
 * @param {Pick<WorkloadPlugin, 'done' | 'request' | 'tellsRepeats' | 'writes'>} workload @returns {Account}
 */
export const freshAccount = ({ done, request, tellsRepeats, writes }) => ({
  proves: tellsRepeats ? 'repeats' : 'writes',
  fresh: true,

  number({ valueSize }, items, parameter) {
    const all = items.all();
    const each = request?.(parameter)?.count ?? 1;
    const isWrite = writes?.(parameter) ?? (() => true);
    const written = all.filter(({ index }) => isWrite(Math.floor(index / each)));
    const others = all.filter(({ index }) => !isWrite(Math.floor(index / each)));
    const read = others.slice(0, Math.ceil(MOST_READ_BYTES / valueSize));
    const evidence = {
      items: written.map(({ index, key, hash }) => ({ index, key, hash })),
      operations: Math.ceil(all.length / each),
      each,
      parameter,
    };
    return {
      evidence,
      unstored: new Set(writes ? [...written, ...others.slice(read.length)] : []),
      itemOf(number) {
        const item = isWrite(number) ? all[number * each] : read[number % read.length];
        if (item === undefined) throw new Error(`operation ${number} has no keys of its own`);
        return item;
      },
    };
  },

  /** @param {{items: Item[], operations: number, each: number, parameter: Untyped}} evidence @param {Ask} ask */
  async count({ items, operations, each, parameter }, ask) {
    /** @type {number[][]} */
    const found = Array.from({ length: operations }, () => []);
    await pLimit(ASKED_AT_ONCE).map(items, async (item) => {
      found[Math.floor(item.index / each)].push(Number(await done?.(ask, item, parameter)));
    });
    return new Map(found.map((often, number) => [number, timesOf(often)]));
  },
});

/**
 * @param {number[]} often how often each part of an operation was done
 * @returns {number | null} how often any part was, where all were done, otherwise the share of those that were; null
 *   where it only read
 */
function timesOf(often) {
  if (often.length === 0) return null;
  const done = often.filter((times) => times > 0);
  return done.length < often.length ? done.length / often.length : Math.max(...done);
}

/** Whether an item is stored, by its key. @type {NonNullable<WorkloadPlugin['done']>} */
export const isStored = (ask, { key }) => ask('EXISTS', key);
