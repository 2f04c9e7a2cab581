import { median } from 'simple-statistics';
import { latencyOf } from '../statistics/latency.js';

/**
 * @import { OpenLoopRun } from '../../results/types.js'
 * @import { OpenLoopSummary } from '../types.js'
 */

/**
 * How the runs of one cell kept to their schedule.
 *
 * @param {OpenLoopRun[]} runs
 * @param {Record<string, number | null>} figures of the metrics of an open loop
 * @returns {OpenLoopSummary | null} null for a closed loop
 */
export function summarizeOpenLoop(runs, figures) {
  if (runs.length === 0) return null;
  const heldRuns = runs.filter(({ held }) => held).length;
  const share = (/** @type {'bound' | 'loop' | 'pacing'} */ name) =>
    median(runs.map(({ latenessShares }) => latenessShares[name]));
  return /** @type {OpenLoopSummary} */ ({
    held: heldRuns > runs.length / 2,
    heldRuns,
    ...figures,
    latenessShares: { bound: share('bound'), loop: share('loop'), pacing: share('pacing') },
    latencyFromSend: latencyOf(runs.flatMap(({ latencyFromSend }) => latencyFromSend?.hdr ?? [])),
  });
}
