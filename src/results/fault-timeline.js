/** @import { FaultOperation, FaultTimeline } from './types.js' */

const BUCKET_MS = 100;

/**
 * What happened in each tenth of a second.
 * @param {FaultOperation[]} operations @param {{endedMs: number, sloMs: number}} run @returns {FaultTimeline}
 */
export function timelineOf(operations, { endedMs, sloMs }) {
  const length = Math.max(1, Math.ceil(endedMs / BUCKET_MS));
  const zeros = () => Array.from({ length }, () => 0);
  const [due, inTime, acknowledged, failed, waiting] = [zeros(), zeros(), zeros(), zeros(), zeros()];
  const placeOf = (/** @type {number} */ ms) => Math.min(length - 1, Math.floor(ms / BUCKET_MS));
  for (const { scheduledMs, atMs, cause } of operations) {
    const from = placeOf(scheduledMs);
    due[from]++;
    waiting[from]++;
    if (atMs === null) continue;
    const at = placeOf(atMs);
    waiting[at]--;
    (cause === null ? acknowledged : failed)[at]++;
    if (cause === null && atMs - scheduledMs <= sloMs) inTime[from]++;
  }
  // Those that came and those that went, added up: how many wait at the end of each.
  for (let place = 1; place < length; place++) waiting[place] += waiting[place - 1];
  return { bucketMs: BUCKET_MS, due, inTime, acknowledged, failed, waiting };
}
