/** @import { WhenFull } from '../options/types.js' */
/** @import { Schedule } from './types.js' */

/**
 * The backlog is the distance between two counters, not a queue, so it takes no memory however long it gets.
 * @param {{schedule: Schedule, total: number, batchSize?: number, whenFull: WhenFull,
 *   hasRoom: (operations: number) => boolean, start: (first: number, operations: number) => void}} wanted `batchSize`:
 *   operations that start together, once all of them are due
 */
export function createPacer({ schedule, total, batchSize = 1, whenFull, hasRoom, start }) {
  let next = 0;
  let waited = 0;
  let waitedUpTo = 0;
  let dropped = 0;
  let end = total;

  /** @param {number} due */
  function onFull(due) {
    if (whenFull === 'drop') {
      dropped += due - next;
      next = due;
      return;
    }
    waited += Math.max(0, due - Math.max(next, waitedUpTo));
    waitedUpTo = Math.max(waitedUpTo, due);
  }

  return {
    /** Starts all that is due and finds room. @param {number} elapsedMs @returns {boolean} whether something found none */
    look(elapsedMs) {
      const due = Math.min(end, schedule.due(elapsedMs));
      while (next < due) {
        const operations = Math.min(batchSize, end - next);
        if (next + operations > due) return false;
        if (!hasRoom(operations)) {
          onFull(due);
          return true;
        }
        start(next, operations);
        next += operations;
      }
      return false;
    },

    /** In milliseconds since the start. */
    nextAt: () => schedule.at(Math.min(next + batchSize, end) - 1),

    end() {
      end = next;
    },

    isDone: () => next >= end,

    /** `unsent` were neither started nor dropped. */
    counts: () => ({ scheduled: total, sent: next - dropped, dropped, waited, unsent: total - next }),
  };
}
