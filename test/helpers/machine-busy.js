import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** How the title of a test ends that was skipped because of it; the end of `npm test` counts them. */
export const BUSY = '(skipped: machine busy)';

/** Long enough for the kernel's counters, which go by hundredths of a second. */
const LOOK_FOR_MS = 250;
const BUSY_SHARE = 0.15;

/**
 * Whether others keep the processors busy. To be asked while the test itself does nothing.
 *
 * @returns {Promise<boolean>}
 */
export async function machineIsBusy() {
  const before = processorTimes();
  await sleep(LOOK_FOR_MS);
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all) > BUSY_SHARE;
}

/** All processors together, in milliseconds. */
function processorTimes() {
  const all = cpus().map(({ times }) => times);
  return {
    idle: all.reduce((sum, { idle }) => sum + idle, 0),
    all: all.reduce((sum, times) => sum + Object.values(times).reduce((a, b) => a + b, 0), 0),
  };
}
