import { latencyFixture } from './latency-fixture.js';
import { goodRun } from './report-fixture.js';

/** @import { Run } from '../../src/store/types.js' */

/**
 * A run of an open loop that was given 1,000 operations a second.
 *
 * @param {number} round
 * @param {{latenciesUs: number[], p99Us?: number, held?: boolean}} facts `p99Us`: if not that of the latencies
 * @returns {Run}
 */
export function openLoopRun(round, { latenciesUs, p99Us, held = true }) {
  // Fewer operations have no p99.
  const latency = latencyFixture(Array.from({ length: 100 }, () => latenciesUs).flat());
  return {
    ...goodRun(round, { tasks: 1, iterations: 1000, averageMs: 1000 }),
    latency: { ...latency, p99Us: p99Us ?? latency.p99Us },
    openLoop: {
      intendedPerSecond: 1000,
      held,
      achievedPerSecond: 1000,
      scheduled: 1000,
      acknowledged: 1000,
      dropped: 0,
      failed: 0,
      waited: 0,
      unsent: 0,
      inFlightMax: 1,
      latenessP99Us: 1,
      waitingShare: 0.5,
      latencyFromSend: null,
    },
  };
}
