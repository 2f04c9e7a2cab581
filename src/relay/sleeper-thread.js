import { parentPort, workerData } from 'node:worker_threads';
import { ASKED, SLEEP_US } from './sleeper-state.js';

/** Sleeps as long as it is asked to, then says so; see sleeper.js. */
const state = new Int32Array(workerData);
let seen = 0;
for (;;) {
  Atomics.wait(state, ASKED, seen);
  seen = Atomics.load(state, ASKED);
  const sleepMs = Atomics.load(state, SLEEP_US) / 1000;
  if (Atomics.wait(state, ASKED, seen, sleepMs) === 'timed-out') parentPort?.postMessage(null);
}
