/** @import { FaultOperation } from './types.js' */

/** So long a rate must be held, and this share of it in time, to count as held again. */
const WINDOW_MS = 1000;
const SHARE = 0.95;
/** Of what is left of a run after the fault: in a short one, the window is shorter. */
const PART_OF_REST = 1 / 3;

/**
 * @param {FaultOperation[]} acknowledged
 * @param {number} struckAtMs
 * @returns {number | null} from the fault to the first answer to an operation that began after it; null for never
 */
export function firstSuccessMs(acknowledged, struckAtMs) {
  let first = Number.POSITIVE_INFINITY;
  for (const { scheduledMs, atMs } of acknowledged)
    if (scheduledMs >= struckAtMs) first = Math.min(first, Number(atMs));
  return Number.isFinite(first) ? first - struckAtMs : null;
}

/**
 * @param {FaultOperation[]} operations
 * @param {object} run
 * @param {number} run.struckAtMs
 * @param {number} run.durationMs
 * @param {number} run.sloMs
 * @returns {number | null} from the fault until operations are answered in time again, for a while; null for never
 */
export function heldAgainMs(operations, { struckAtMs, durationMs, sloMs }) {
  const after = operations
    .filter(({ scheduledMs }) => scheduledMs >= struckAtMs)
    .sort((a, b) => a.scheduledMs - b.scheduledMs);
  const inTime = after.map(
    ({ scheduledMs, atMs, cause }) => atMs !== null && cause === null && atMs - scheduledMs <= sloMs,
  );
  const windowMs = Math.min(WINDOW_MS, (durationMs - struckAtMs) * PART_OF_REST);
  let end = 0;
  let good = 0;
  for (const [start, { scheduledMs }] of after.entries()) {
    if (scheduledMs + windowMs > durationMs) return null;
    while (end < after.length && after[end].scheduledMs < scheduledMs + windowMs)
      good += Number(inTime[end++]);
    if (inTime[start] && good >= SHARE * (end - start)) return scheduledMs - struckAtMs;
    good -= Number(inTime[start]);
  }
  return null;
}
