import { setImmediate, setTimeout } from 'node:timers/promises';

/** Node's timers may be a millisecond or two late; the rest of the time is polled. */
const WAKE_EARLIER_MS = 2;

/** @returns {number} milliseconds of a clock that all processes of this machine share */
const sharedClock = () => Number(process.hrtime.bigint()) / 1e6;

/**
 * Waits for the moment at which all processes of a run start.
 *
 * @param {number} [startAtMs] by the shared clock; missing where there is no other process
 * @returns {Promise<number>} the time at which this one starts
 */
export async function startTogether(startAtMs) {
  if (startAtMs !== undefined) {
    const left = startAtMs - sharedClock() - WAKE_EARLIER_MS;
    if (left > 0) await setTimeout(left);
    while (sharedClock() < startAtMs) await setImmediate();
  }
  return sharedClock();
}
