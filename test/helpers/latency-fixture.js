import { latencyOf } from '../../src/statistics/latency.js';
import { createRecorder } from '../../src/worker/recorder.js';

/** @import { Latency } from '../../src/store/types.js' */

/**
 * Latencies as a worker records them.
 *
 * @param {number[]} latenciesUs one for each operation
 * @returns {Latency}
 */
export function latencyFixture(latenciesUs) {
  let now = 0;
  const recorder = createRecorder(() => now);
  for (const us of latenciesUs) {
    const startedAt = recorder.start();
    // The recorder counts in units of 100 ns.
    now += Math.round(us * 10);
    recorder.done(startedAt);
  }
  const latency = latencyOf([/** @type {string} */ (recorder.encode())]);
  if (latency === null) throw new Error('expected at least one latency');
  return latency;
}
