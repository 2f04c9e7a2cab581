import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** The end of a skipped test's title; `npm test` counts them. */
export const BUSY = '(skipped: machine busy)';

/** Long enough for the kernel's counters, which tick in hundredths of a second. */
const LOOK_FOR_MS = 250;
const BUSY_SHARE = 0.15;

/**
 * Whether other programs keep the processors busy. Call it while the test itself is idle.
 *
 * @returns {Promise<boolean>}
 */
export async function machineIsBusy() {
  const before = processorTimes();
  await sleep(LOOK_FOR_MS);
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all) > BUSY_SHARE;
}

/** For all processors together, in milliseconds. */
function processorTimes() {
  const all = cpus().map(({ times }) => times);
  return {
    idle: all.reduce((sum, { idle }) => sum + idle, 0),
    all: all.reduce((sum, times) => sum + Object.values(times).reduce((a, b) => a + b, 0), 0),
  };
}
