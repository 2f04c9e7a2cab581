import { parentPort, workerData } from 'node:worker_threads';
import { ASKED, SLEEP_US } from './agenda.js';

/** Sleeps as asked, then wakes the thread that asked; see agenda.js. */
const state = new Int32Array(workerData);
let seen = 0;
for (;;) {
  Atomics.wait(state, ASKED, seen);
  seen = Atomics.load(state, ASKED);
  const sleepMs = Atomics.load(state, SLEEP_US) / 1000;
  const how = Atomics.wait(state, ASKED, seen, sleepMs);
  // Woken without a new request: this sleep's notify came late. Waking too early only leads to another sleep; not
  // waking would hold the relay's data forever.
  if (how === 'timed-out' || Atomics.load(state, ASKED) === seen) parentPort?.postMessage(null);
}
