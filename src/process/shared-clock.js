import { setImmediate, setTimeout } from 'node:timers/promises';

/** Node's timers may be a millisecond or two late; the rest of the wait polls. */
const WAKE_EARLIER_MS = 2;

/** @returns {number} ms of a monotonic clock that all processes of this machine share */
export const sharedClock = () => Number(process.hrtime.bigint()) / 1e6;

/** @param {number} atMs by the shared clock @param {AbortSignal} [signal] @returns {Promise<number>} the time then */
export async function untilShared(atMs, signal) {
  signal?.throwIfAborted();
  const left = atMs - sharedClock() - WAKE_EARLIER_MS;
  if (left > 0) await setTimeout(left, undefined, { signal });
  while (sharedClock() < atMs) await setImmediate();
  return sharedClock();
}
