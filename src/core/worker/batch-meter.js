/** @import { Batches } from '../plugins/types.js' */

/** Counts the batches of one run: their commands, and how long they were held back. */
export function createBatchMeter() {
  let seen = empty();
  return {
    /** @param {number} commands @param {number} [heldMs] @param {number} [waitedMs] of that, spent only looking at the clock */
    sent(commands, heldMs = 0, waitedMs = 0) {
      seen.batches++;
      seen.commands += commands;
      seen.heldMs += heldMs;
      seen.waitedMs += waitedMs;
    },

    /** @returns {Batches | null} since the last call; null where there was no batch */
    take() {
      const { batches } = seen;
      const taken = seen;
      seen = empty();
      return batches === 0 ? null : taken;
    },
  };
}

export const NO_METER = { sent() {} };

const empty = () => ({ batches: 0, commands: 0, heldMs: 0, waitedMs: 0 });
