import pLimit from 'p-limit';
import { idOfMessage } from './message-receivers.js';

/** @import { Account, Ask, Item, WorkloadPlugin } from '../types.js' */

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

/**
 * The account of a workload of messages, each of which is an operation: they are found where they arrive, and what did
 * not is looked for on the server.
 * @param {Pick<WorkloadPlugin, 'messagesLeft' | 'keepsMessages'>} workload @returns {Account}
 */
export const messageAccount = ({ messagesLeft, keepsMessages }) => ({
  proves: keepsMessages ? 'kept' : messagesLeft ? 'popped' : 'published',

  number({ keyPrefix, oneSlot, part }, items, parameter) {
    const key = `${keyPrefix}${oneSlot ? '{s}' : ''}m${part.index}`;
    return {
      keys: [key],
      evidence: { key, parameter },
      itemOf(number) {
        const item = items.next();
        return { ...item, key, value: `${number}:${item.value}` };
      },
    };
  },

  /** @param {{key: string, parameter: any}} evidence @param {Ask} ask @param {Map<number, number>} arrived */
  async count({ key, parameter }, ask, arrived) {
    const times = new Map(keepsMessages ? [] : arrived);
    for (const message of (await messagesLeft?.(ask, key, parameter)) ?? []) {
      const number = idOfMessage(message);
      times.set(number, (times.get(number) ?? 0) + 1);
    }
    // One that a receiver had twice was sent twice, or given to it twice.
    for (const [number, often] of arrived) times.set(number, Math.max(often, times.get(number) ?? 0));
    return times;
  },
});
