import { sum } from '../../descriptive-statistics.js';
import { IN_TIME } from '../../statistics/latency.js';

/** @import { CellResult } from '../../store/types.js' */
/** @import { FaultRun } from './types.js' */
/** @typedef {NonNullable<ReturnType<typeof outcomeOf>>} FaultOutcome over all runs; see FaultRun */
/** @typedef {ReturnType<typeof rangeOf>} FaultRange over the runs of a cell; null if it never happened */

/** @param {Pick<CellResult, 'runs'>} cell @returns {FaultRun[]} of the successful runs */
export const faultRunsOf = ({ runs }) =>
  runs.flatMap(({ failed, fault }) => (failed === null && fault !== undefined ? [fault] : []));

/** @param {CellResult} cell null if the fault never happened */
export function outcomeOf(cell) {
  const runs = faultRunsOf(cell);
  if (runs.length === 0) return null;
  const range = (/** @type {(run: FaultRun) => number | null} */ of, some = runs) => rangeOf(some.map(of));
  const before = runs.map((run) => inTimeBefore(run, Number(cell.openLoop?.sloMs)));
  const fit = runs.filter((_, index) => (before[index] ?? 1) >= IN_TIME.share);
  const seen = fit.filter(isSettled);
  const crashes = runs.flatMap(({ crash }) => crash ?? []);
  const outlasted = runs.some(isOutlasted);
  /** What must not happen to anyone. */
  const harms = {
    wrong: range(({ wrong }) => wrong),
    lost: range(({ lost }) => lost),
    doneTwice: range(({ doneTwice }) => doneTwice),
    doneInPart: range(({ doneInPart = null }) => doneInPart),
  };
  const unanswered = range((run) => run.unanswered);
  return {
    runs: runs.length,
    struck: runs.some(({ struckAtMs }) => struckAtMs !== null),
    harmed:
      crashes.length > 0 ||
      Number(unanswered.high) > (outlasted ? Number.POSITIVE_INFINITY : 0) ||
      Object.values(harms).some(({ high }) => Number(high) > 0),
    proves: runs[0].proves,
    outlasted,
    inTimeBefore: rangeOf(before).high,
    ...harms,
    unanswered,
    scheduled: range(({ scheduled }) => scheduled),
    longestWaitMs: range(({ longestWaitMs }) => longestWaitMs),
    failed: range(({ failed }) => failed),
    doneThoughFailed: range(({ doneThoughFailed }) => doneThoughFailed),
    recoveredMs: range((run) => run.recoveredMs, seen),
    /** Those that ended before a recovery, which a longer one may show. */
    unseenRuns: fit.length - seen.length,
    neededMs: Math.max(...runs.map(neededMs)),
    crashes,
  };
}

/** @param {FaultOutcome} outcome */
export const isLateBefore = ({ inTimeBefore: share }) => share !== null && share < IN_TIME.share;

/** @param {(number | null)[]} values of the runs; null for never */
export function rangeOf(values) {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  return { low: known[0] ?? null, high: known.at(-1) ?? null, never: known.length < values.length };
}

/**
 * Whether more time would show nothing else: it recovered, nothing broke, or its process is gone.
 * @param {FaultRun} run
 */
const isSettled = ({ recoveredMs, overAtMs, crash }) =>
  recoveredMs !== null || overAtMs === null || crash !== null;

/** Whether it ended during the fault. @param {Pick<FaultRun, 'timeline' | 'overAtMs' | 'crash'>} run */
const isOutlasted = ({ timeline: { due, bucketMs }, overAtMs, crash }) =>
  overAtMs !== null && crash === null && overAtMs >= due.length * bucketMs;

/** A fault usually strikes after three tenths of a run. */
const LEFT_BY_DEFAULT = 0.7;

/** How long it should last to show the recovery. @param {FaultRun} run */
function neededMs(run) {
  const struckMs = Number(run.struckAtMs);
  const afterMs = Math.max(Number(run.overAtMs) - struckMs, outageMs(run)) + IN_TIME.windowMs;
  return Math.max(struckMs + afterMs, afterMs / LEFT_BY_DEFAULT);
}

/**
 * From the fault until the last caller got a result. Where that was no success, the end of the outage is unknown, and
 * twice as long is tried next.
 * @param {FaultRun} run
 */
function outageMs({ struckAtMs, unanswered, timeline: { acknowledged, failed, bucketMs } }) {
  const last = acknowledged.findLastIndex((count, at) => count + failed[at] > 0);
  const isOver = unanswered === 0 && acknowledged[last] > failed[last];
  const endMs = (unanswered > 0 ? acknowledged.length : last + 1) * bucketMs;
  return (endMs - Number(struckAtMs)) * (isOver ? 1 : 2);
}

/** Fewer operations say nothing of a rate. */
const FEW = 20;

/**
 * The share in time before the fault could delay anything, or of all where nothing breaks; null if too few were due.
 * @param {FaultRun} run @param {number} sloMs
 */
function inTimeBefore({ struckAtMs, timeline: { due, inTime, bucketMs } }, sloMs) {
  const end = struckAtMs === null ? due.length : Math.max(0, Math.floor((struckAtMs - sloMs) / bucketMs));
  const from = struckAtMs === null ? 0 : Math.max(0, end - IN_TIME.windowMs / bucketMs);
  const planned = sum(due.slice(from, end));
  return planned < FEW ? null : sum(inTime.slice(from, end)) / planned;
}

const MARKS = { done: '█', some: '▄', late: '▒', failed: '×', waiting: '∙', nothing: ' ' };
/** Shares of what was due in a column's time. */
const [NEARLY_ALL, SOME] = [0.9, 0.1];

/** @param {FaultRun['timeline']} timeline of a run @param {number} columns @returns {string} what became of its operations over time */
export function stripOf({ due, inTime, acknowledged, failed, waiting }, columns) {
  const inColumn = Math.ceil(due.length / columns);
  const usual = (sum(due) / due.filter((count) => count > 0).length) * inColumn;
  let strip = '';
  for (let from = 0; from < due.length; from += inColumn) {
    const counts = [due, inTime, acknowledged, failed].map((all) => sum(all.slice(from, from + inColumn)));
    const waits = waiting[Math.min(due.length, from + inColumn) - 1] > 0;
    strip += markOf(counts, usual, waits);
  }
  return strip;
}

/** @param {number[]} counts @param {number} usual @param {boolean} waits whether any caller does */
function markOf([due, inTime, acknowledged, failed], usual, waits) {
  if (failed > Math.max(acknowledged, due * SOME)) return MARKS.failed;
  if (due > 0 && inTime >= NEARLY_ALL * due) return MARKS.done;
  if (due > 0 && inTime >= SOME * due) return MARKS.some;
  if (acknowledged > SOME * usual) return MARKS.late;
  return waits ? MARKS.waiting : MARKS.nothing;
}

export const STRIPS_LEGEND = `Over time: ${MARKS.done} done in time, ${MARKS.some} partly, ${MARKS.late} late, ${MARKS.failed} failed, ${MARKS.waiting} no reply.`;
