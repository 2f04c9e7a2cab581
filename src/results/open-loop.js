import { sum } from 'simple-statistics';
import { latencyOf } from '../stats/latency.js';

/**
 * How an open loop kept to its schedule.
 *
 * @param {import('../types.js').Observed['measured']} measured
 * @param {import('../types.js').OpenLoopPlan | null} plan
 * @returns {import('../types.js').OpenLoopRun | null} null for a closed loop
 */
export function openLoopOf({ openLoop: counts, elapsedMs, taskIterations, processes }, plan) {
  if (!counts || plan === null) return null;
  const { waitedMs, sentUntilMs, lateMs, latenessHdr, fromSendHdr, ...counted } = counts;
  const lateness = latenessHdr === null ? null : latencyOf([latenessHdr]);
  const acknowledged = sum(taskIterations);
  return {
    intendedPerSecond: plan.ratePerSecond,
    achievedPerSecond: (acknowledged / sentUntilMs) * 1000,
    ...{ ...counted, acknowledged },
    latenessP99Us: lateness?.p99Us ?? null,
    latenessMaxUs: lateness?.maxUs ?? null,
    latenessShares: sharesOf(lateMs),
    waitingShare: waitedMs / elapsedMs / (processes?.length ?? 1),
    latencyFromSend: fromSendHdr === null ? null : latencyOf([fromSendHdr]),
  };
}

/** @param {import('../types.js').OpenLoopCounts['lateMs']} lateMs */
function sharesOf({ bound, loop, pacing }) {
  const all = bound + loop + pacing || 1;
  return { bound: bound / all, loop: loop / all, pacing: pacing / all };
}
