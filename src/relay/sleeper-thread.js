import { parentPort, workerData } from 'node:worker_threads';
import { ASKED, SLEEP_US } from './sleeper.js';

/** Sleeps as long as it is asked to, then says so; see sleeper.js. */
const state = new Int32Array(workerData);
let seen = 0;
for (;;) {
  Atomics.wait(state, ASKED, seen);
  seen = Atomics.load(state, ASKED);
  const sleepMs = Atomics.load(state, SLEEP_US) / 1000;
  const how = Atomics.wait(state, ASKED, seen, sleepMs);
  // Called, but not to another sleep: the call for this one came late, after it had begun. Too early a wake-up is only
  // followed by another sleep; without one, all that the relay holds would wait for ever.
  if (how === 'timed-out' || Atomics.load(state, ASKED) === seen) parentPort?.postMessage(null);
}
