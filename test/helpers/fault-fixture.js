/** @import { FaultRun } from '../../src/commands/break/types.js' */

/** What became of the operations of a run in which something broke, and harmed nobody. @type {FaultRun} */
export const UNHARMED = {
  struckAtMs: 100,
  struckLateMs: 0,
  overAtMs: 100,
  met: 1,
  scheduled: 100,
  acknowledged: 100,
  failed: 0,
  late: 0,
  unanswered: 0,
  unsent: 0,
  firstSuccessMs: 1,
  recoveredMs: 1,
  longestWaitMs: 2,
  longestWaitAnswered: true,
  proves: 'repeats',
  wrong: 0,
  doneTwice: 0,
  lost: 0,
  lostWithServer: 0,
  doneThoughFailed: 0,
  doneThoughUnanswered: 0,
  loopDelayMaxMs: 1,
  memoryGrowthBytes: 0,
  crash: null,
  timeline: {
    bucketMs: 100,
    due: [10, 10],
    inTime: [10, 10],
    acknowledged: [10, 10],
    failed: [0, 0],
    waiting: [0, 0],
  },
};

/**
 * A run of 3 s at 1,000 a second whose fault struck after 0.9 s.
 *
 * @param {Partial<FaultRun> & {before?: number}} facts `before`: the share that was in time before the fault
 * @returns {FaultRun}
 */
export function struckRun({ before = 1, ...facts }) {
  const hundred = Array.from({ length: 30 }, () => 100);
  return {
    ...UNHARMED,
    struckAtMs: 900,
    overAtMs: 900,
    scheduled: 3000,
    acknowledged: 3000,
    longestWaitMs: 2000,
    timeline: {
      bucketMs: 100,
      due: hundred,
      inTime: hundred.map((each, place) => (place < 9 ? before * each : each)),
      acknowledged: hundred,
      failed: hundred.map(() => 0),
      waiting: hundred.map(() => 0),
    },
    ...facts,
  };
}
