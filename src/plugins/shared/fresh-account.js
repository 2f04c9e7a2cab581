import pLimit from 'p-limit';

/** @import { Account, Ask, Item, Items, WorkloadPlugin } from '../types.js' */

const ASKED_AT_ONCE = 100;

/**
 * The account of a workload whose operations each work on items of their own: those that were done are seen there.
 * @param {Pick<WorkloadPlugin, 'done' | 'request' | 'tellsRepeats'>} workload @returns {Account}
 */
export const freshAccount = ({ done, request, tellsRepeats }) => ({
  proves: tellsRepeats ? 'repeats' : 'writes',
  fresh: true,

  number(_, items, parameter) {
    const all = items.all();
    const each = request?.(parameter)?.count ?? 1;
    return {
      keys: [],
      evidence: { items: all.map(({ index, key, hash }) => ({ index, key, hash })), each, parameter },
      itemOf(number) {
        const item = all[number * each];
        if (item === undefined) throw new Error(`operation ${number} has no keys of its own`);
        return item;
      },
    };
  },

  /** @param {{items: Item[], each: number, parameter: any}} evidence @param {Ask} ask */
  async count({ items, each, parameter }, ask) {
    /** @type {Map<number, number>} */
    const times = new Map();
    await pLimit(ASKED_AT_ONCE).map(items, async (item, index) => {
      const found = Number(await done?.(ask, item, parameter));
      const number = Math.floor(index / each);
      if (found > 0) times.set(number, (times.get(number) ?? 0) + found / each);
    });
    return times;
  },
});

/** Whether an item is stored, by its key. @type {NonNullable<WorkloadPlugin['done']>} */
export const isStored = (ask, { key }) => ask('EXISTS', key);
