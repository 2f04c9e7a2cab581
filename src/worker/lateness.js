import { createRecorder } from './recorder.js';
import { UNITS_PER_MS } from './turn-clock.js';

/** @import { OpenLoopCounts, Turn } from './types.js' */

/**
 * How late the operations of an open loop are sent, and what held them up.
 * @param {() => number} clock of this turn of the event loop
 */
export function createLateness(clock) {
  const recorder = createRecorder(clock);
  /** @type {OpenLoopCounts['lateMs']} added up over all operations */
  const lateMs = { bound: 0, loop: 0, pacing: 0 };
  let lastMs = 0;
  return {
    /**
     * Operations are sent now.
     * @param {number} scheduledMs when they were meant to be @param {Turn} turn @param {number} operations
     */
    add(scheduledMs, turn, operations) {
      lastMs = turn.nowMs - scheduledMs;
      recorder.count(lastMs * UNITS_PER_MS, operations);
      // What was due at the last look already was held up by the bound; the rest by this turn.
      const here = Math.min(lastMs, turn.nowMs - turn.beforeMs);
      lateMs.bound += (lastMs - here) * operations;
      lateMs[turn.idle ? 'pacing' : 'loop'] += here * operations;
    },

    lateMs,
    /** @returns {number} of the operation that was sent last */
    lastMs: () => lastMs,
    encode: recorder.encode,
  };
}
