import { sum } from 'simple-statistics';
import { latencyOf } from '../analysis/statistics/latency.js';

/** @import { OpenLoopPlan } from '../plan/types.js' */
/** @import { Observed } from '../runner/types.js' */
/** @import { Latency, OpenLoopRun, RunWarning } from './types.js' */

/** A rate is sustained if at least this share of it was acknowledged. */
const SUSTAINED_SHARE = 0.995;

/**
 * @param {Observed['measured']} measured @param {OpenLoopPlan | null} plan null for a closed loop
 * @param {Latency | null} latency from the scheduled start @returns {OpenLoopRun | null}
 */
export function openLoopOf({ openLoop: counts, elapsedMs, taskIterations, processes }, plan, latency) {
  if (!counts || plan === null) return null;
  const { waitedMs, sentUntilMs, latenessHdr, fromSendHdr, sent: _, ...counted } = counts;
  const acknowledged = sum(taskIterations);
  const achievedPerSecond = (acknowledged / sentUntilMs) * 1000;
  const { intendedPerSecond = plan.ratePerSecond } = counted;
  return {
    held:
      achievedPerSecond >= SUSTAINED_SHARE * intendedPerSecond &&
      counted.dropped + counted.unsent + counted.failed === 0 &&
      (plan.sloMs === null || (latency !== null && latency.p99Us <= plan.sloMs * 1000)),
    achievedPerSecond,
    ...counted,
    intendedPerSecond,
    acknowledged,
    latenessP99Us: latencyOf([latenessHdr])?.p99Us ?? null,
    waitingShare: waitedMs / elapsedMs / (processes?.length ?? 1),
    latencyFromSend: latencyOf([fromSendHdr]),
  };
}

/** With a smaller deviation, it hardly matters which part of a recording a run covers. */
const OTHER_RATE = 0.25;

/**
 * Warns if a run is too short to have the rate of its whole recording.
 * @param {Pick<OpenLoopRun, 'intendedPerSecond'> | null} rated
 * @param {Pick<OpenLoopPlan, 'arrivals' | 'ratePerSecond'> | null} plan @returns {RunWarning[]}
 */
export const partOfRecording = (rated, plan) =>
  rated === null ||
  plan?.arrivals !== 'recorded' ||
  Math.abs(rated.intendedPerSecond / plan.ratePerSecond - 1) <= OTHER_RATE
    ? []
    : [{ kind: 'part-of-recording' }];
