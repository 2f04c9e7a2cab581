/** How long a cell is warmed up. Pure: windows that were measured go in, the length of the next one comes out. */
import { sum } from '../../../descriptive-statistics.js';
import { MEASURING } from '../../../method.js';
import { ownCpuUs } from '../../../store/figures.js';
import { sliceFigures } from '../../../store/run-record.js';
import { statesOf } from './starts.js';

/** @import { Settings } from '../../../options/types.js' */
/** @import { SeenSlice } from '../../../run/types.js' */
/** @import { State } from './starts.js' */

/**
 * @typedef {Pick<SeenSlice, 'measured' | 'seen' | 'runQueue' | 'relay'>} Window a short run
 *
 * @typedef {object} WarmUpTime
 * @property {number} part of the usual time
 * @property {number} patience times as long beside other programs
 *
 * @typedef {WarmUpTime & {settings: Pick<Settings, 'smoke' | 'warmupRuns' | 'runTimeMs'>}} WarmUpPlan
 */

/** @type {WarmUpTime} */
export const FULL_WARM_UP = { part: 1, patience: MEASURING.patience };

/**
 * A warm-up is shorter where the user's time is short, for cells must be measured, too.
 * @param {Pick<State, 'planned' | 'isStrict' | 'starts' | 'leftMs'>} state
 * @param {number} cells of this start
 * @param {object} context
 * @param {Pick<Settings, 'warmupRuns'>} context.settings
 * @param {boolean[]} context.states of the processors
 * @param {boolean} [context.isFar] whether the distance takes most of the time of an operation
 * @returns {WarmUpTime}
 */
export function warmUpTime(
  { planned, isStrict, leftMs, starts },
  cells,
  { settings, states, isFar = false },
) {
  const { runTimeMs, runs, patience, fewTakeLonger, warmUpShare, laterWarmUp } = MEASURING;
  if (!isStrict && planned !== 'race') return FULL_WARM_UP;
  const warmUpMs = MEASURING.warmUpMs * settings.warmupRuns;
  const eachMs = leftMs / cells;
  const inTime = eachMs / (warmUpMs + statesOf(runs, states).length * runTimeMs);
  const isBrief = starts > 1 || isFar;
  const usual = isBrief && planned === 'race' ? laterWarmUp : 1;
  const part = isStrict && starts === 1 ? Math.min(usual, Math.max(1 / 4, inTime)) : usual;
  const inShare = (eachMs * warmUpShare) / (warmUpMs * part);
  return { part, patience: Math.min(patience, Math.max(fewTakeLonger, inShare)) };
}

/**
 * Until the CPU time of an operation is level, or the time is over. Elapsed time would prove nothing, because other programs
 * change it; time that the worker waited for CPU does not count.
 * @param {Window[]} windows so far
 * @param {WarmUpPlan} plan
 * @param {number} tookMs all of them, with what lay between
 * @param {number} bestPerMs iterations of one task in a millisecond of the best cell so far
 * @returns {number | null} ms of the next one; null once the cell is warm, or so far behind that its row says enough
 */
export function nextWindowMs(windows, { part, patience, settings }, tookMs, bestPerMs = 0) {
  const { smoke, warmupRuns, runTimeMs } = settings;
  const mostMs = smoke ? 0 : MEASURING.warmUpMs * warmupRuns * part;
  const windowMs = smoke ? runTimeMs / 4 : MEASURING.windowMs;
  if (windows.length === 0) return windowMs;
  if (isHopeless(windows, bestPerMs)) return null;
  const isEarly = operationsIn(windows) < MEASURING.fewOperations;
  if (!isEarly && isLevel(windows)) return null;
  const usualMs = isEarly && part === 1 ? mostMs * MEASURING.fewTakeLonger : mostMs;
  const ownMostMs = isBehind(windows, bestPerMs) ? mostMs * MEASURING.behindWarmUp : usualMs;
  // Where memory has room for few operations, windows are short, and most of the time goes into emptying keys.
  const wholeMs = Math.max(tookMs, elapsedMs(windows));
  return ownMs(windows) >= ownMostMs || wholeMs >= mostMs * patience ? null : windowMs * stretch(windows);
}

/** @param {Window[]} windows @param {number} bestPerMs */
const isHopeless = (windows, bestPerMs) =>
  windows.length >= MEASURING.hopelessWindows && fastestIn(windows) * MEASURING.hopeless < bestPerMs;

/** @param {Window[]} windows @param {number} bestPerMs */
const isBehind = (windows, bestPerMs) => fastestIn(windows) * MEASURING.farBehind < bestPerMs;

/** As one window may have been disturbed, and a cell gets faster while it warms up. @param {Window[]} windows */
const fastestIn = (windows) =>
  Math.max(...windows.map((window) => perMsIn([window]))) * MEASURING.fasterOnceWarm;

/** @param {Window[]} windows */
const operationsIn = (windows) => sum(windows.flatMap(({ measured: { taskIterations } }) => taskIterations));

/** Where others took the processor the next window is longer, so that all do about as much. @param {Window[]} windows */
function stretch(windows) {
  const last = windows.slice(-MEASURING.windows.last);
  return Math.min(MEASURING.patience, elapsedMs(last) / ownMs(last)) || 1;
}

/** @param {Window[]} windows */
function isLevel(windows) {
  const { compared, last, level } = MEASURING.windows;
  if (windows.length < compared + last) return false;
  const costs = windows.slice(-compared - last).map(cpuPerOp);
  return Math.min(...costs.slice(compared)) >= level * Math.min(...costs.slice(0, compared));
}

/** @param {Window} window */
const cpuPerOp = ({ measured: { client, taskIterations } }) => ownCpuUs(client) / sum(taskIterations);

/** @param {Window[]} windows */
const elapsedMs = (windows) => sum(windows.map(({ measured }) => measured.elapsedMs));

/** @param {Window[]} windows */
const ownMs = (windows) =>
  sum(
    windows.map((window) => {
      const { elapsedMs, waitedMs, serverWaitedMs, stolenMs } = sliceFigures(window, 1);
      return Math.max(0, elapsedMs - (waitedMs ?? 0) - (serverWaitedMs ?? 0) - (stolenMs ?? 0));
    }),
  );

/** Of the last windows, or those before them, as a stall would make runs too short. @param {Window[]} windows @returns {number} iterations of one task in a millisecond */
export function perMsIn(windows) {
  const { last } = MEASURING.windows;
  const before = windows.slice(-2 * last, -last);
  return Math.max(rateIn(windows.slice(-last)), before.length === last ? rateIn(before) : 0);
}

/** @param {Window[]} windows */
const rateIn = (windows) =>
  sum(windows.map(({ measured: { taskIterations } }) => sum(taskIterations) / taskIterations.length)) /
  elapsedMs(windows);
