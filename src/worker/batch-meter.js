/** @import { Batches } from '../plugins/types.js' */

/** Measures the batches of one run: how many commands went out together, and how long they were held back. */
export function createBatchMeter() {
  let seen = empty();
  return {
    /**
     * A batch goes out.
     * @param {number} commands in it @param {number} [heldMs] since its first command came
     * @param {number} [waitedMs] of that, the event loop did nothing but look at the clock
     */
    sent(commands, heldMs = 0, waitedMs = 0) {
      seen.batches++;
      seen.commands += commands;
      seen.largest = Math.max(seen.largest, commands);
      seen.heldMs += heldMs;
      seen.longestHeldMs = Math.max(seen.longestHeldMs, heldMs);
      seen.waitedMs += waitedMs;
    },

    /** @returns {Batches | null} since the last time; null where there was no batch */
    take() {
      const { batches } = seen;
      const taken = seen;
      seen = empty();
      return batches === 0 ? null : taken;
    },
  };
}

/** Where the tool batches nothing. */
export const NO_METER = { sent() {} };

const empty = () => ({ batches: 0, commands: 0, largest: 0, heldMs: 0, longestHeldMs: 0, waitedMs: 0 });
