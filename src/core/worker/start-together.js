import { setTimeout } from 'node:timers/promises';
import { sharedClock } from '../shared-clock.js';

/** Node's timers may be a millisecond or two late; the rest of the time is slept exactly. */
const WAKE_EARLIER_MS = 2;

const SLEEPER = new Int32Array(new SharedArrayBuffer(4));

/** Looking at the clock would keep other processes from a shared processor. @param {number} [startAtMs] by the shared clock */
export async function startTogether(startAtMs) {
  if (startAtMs !== undefined) {
    const left = startAtMs - sharedClock() - WAKE_EARLIER_MS;
    if (left > 0) await setTimeout(left);
    for (let rest = startAtMs - sharedClock(); rest > 0; rest = startAtMs - sharedClock()) sleepExactly(rest);
  }
  return sharedClock();
}

/** Blocks this process. @param {number} ms */
export const sleepExactly = (ms) => void Atomics.wait(SLEEPER, 0, 0, ms);
