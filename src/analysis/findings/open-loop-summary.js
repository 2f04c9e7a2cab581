import { max, median, sum } from 'simple-statistics';
import { latencyOf } from '../statistics/latency.js';

/**
 * @import { OpenLoopRun } from '../../results/types.js'
 * @import { OpenLoopSummary } from '../types.js'
 */

/**
 * How the runs of one cell kept to their schedule: medians over the runs, and sums of what must not
 * happen at all.
 *
 * @param {OpenLoopRun[]} runs
 * @returns {OpenLoopSummary | null} null for a closed loop
 */
export function summarizeOpenLoop(runs) {
  if (runs.length === 0) return null;
  /** @param {(run: OpenLoopRun) => number | null} figure */
  const values = (figure) => runs.map(figure).filter((value) => value !== null);
  /** @param {'scheduled' | 'sent' | 'acknowledged' | 'dropped' | 'failed' | 'waited' | 'unsent'} name */
  const total = (name) => sum(values((run) => run[name]));
  const heldRuns = runs.filter(({ held }) => held).length;
  const lateness = values((run) => run.latenessP99Us);
  const share = (/** @type {'bound' | 'loop' | 'pacing'} */ name) =>
    median(values((run) => run.latenessShares[name]));
  return {
    held: heldRuns > runs.length / 2,
    heldRuns,
    intendedPerSecond: runs[0].intendedPerSecond,
    achievedPerSecond: median(values((run) => run.achievedPerSecond)),
    scheduled: total('scheduled'),
    sent: total('sent'),
    acknowledged: total('acknowledged'),
    dropped: total('dropped'),
    failed: total('failed'),
    waited: total('waited'),
    unsent: total('unsent'),
    inFlightMax: max(values((run) => run.inFlightMax)),
    latenessP99Us: lateness.length > 0 ? median(lateness) : null,
    latenessMaxUs: lateness.length > 0 ? max(values((run) => run.latenessMaxUs)) : null,
    latenessShares: { bound: share('bound'), loop: share('loop'), pacing: share('pacing') },
    waitingShare: median(values((run) => run.waitingShare)),
    latencyFromSend: latencyOf(runs.flatMap(({ latencyFromSend }) => latencyFromSend?.hdr ?? [])),
  };
}
