import { IN_TIME } from '../analysis/statistics/latency.js';

/** @import { FaultOperation } from './types.js' */

/** Of what is left of a run after the fault: in a short one, the window is shorter. */
const PART_OF_REST = 1 / 3;
/** At the end of a run a shorter time counts as well, if everything in it was in time. */
const LEAST_MS = 200;

/**
 * @param {FaultOperation[]} acknowledged @param {number} struckAtMs
 * @returns {number | null} from the fault to the first answer to an operation that began after it; null for never
 */
export function firstSuccessMs(acknowledged, struckAtMs) {
  let first = Number.POSITIVE_INFINITY;
  for (const { scheduledMs, atMs } of acknowledged)
    if (scheduledMs >= struckAtMs) first = Math.min(first, Number(atMs));
  return Number.isFinite(first) ? first - struckAtMs : null;
}

/**
 * @param {FaultOperation[]} operations @param {object} run @param {number} run.struckAtMs
 * @param {number} run.durationMs @param {number} run.sloMs
 * @returns {number | null} from the fault until operations are answered in time again, for a while or until the end
 *   of the run; 0 where the first was in time, however long after the fault it began; null for never
 */
export function heldAgainMs(operations, { struckAtMs, durationMs, sloMs }) {
  const after = operations
    .filter(({ scheduledMs }) => scheduledMs >= struckAtMs)
    .sort((a, b) => a.scheduledMs - b.scheduledMs);
  const inTime = after.map(
    ({ scheduledMs, atMs, cause }) => atMs !== null && cause === null && atMs - scheduledMs <= sloMs,
  );
  const windowMs = Math.min(IN_TIME.windowMs, (durationMs - struckAtMs) * PART_OF_REST);
  const lastBad = inTime.lastIndexOf(false);
  let end = 0;
  let good = 0;
  for (const [start, { scheduledMs }] of after.entries()) {
    while (end < after.length && after[end].scheduledMs < scheduledMs + windowMs)
      good += Number(inTime[end++]);
    const leftMs = durationMs - scheduledMs;
    const held =
      leftMs >= windowMs
        ? inTime[start] && good >= IN_TIME.share * (end - start)
        : start > lastBad && leftMs >= LEAST_MS;
    if (held) return start === 0 ? 0 : scheduledMs - struckAtMs;
    good -= Number(inTime[start]);
  }
  return null;
}
