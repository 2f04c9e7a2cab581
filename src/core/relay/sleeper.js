import { Worker } from 'node:worker_threads';

/** Fields of the memory shared with the thread: number of requests, and duration. */
export const ASKED = 0;
export const SLEEP_US = 1;
/** Longer sleeps are split: the time has 31 bits of µs. */
const LONGEST_MS = 1e6;

/** About 60 µs late (median, Node 20, one CPU); Node's timers are 1 to 2 ms late. @param {() => void} onWake */
export function createSleeper(onWake) {
  const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  const state = new Int32Array(shared);
  const thread = new Worker(new URL('./sleeper-thread.js', import.meta.url), { workerData: shared });
  thread.on('message', onWake);
  return {
    /** @param {number} ms from now; replaces a running sleep */
    sleep(ms) {
      Atomics.store(state, SLEEP_US, Math.min(ms, LONGEST_MS) * 1000);
      Atomics.add(state, ASKED, 1);
      Atomics.notify(state, ASKED);
    },

    stop: () => thread.terminate(),
  };
}
