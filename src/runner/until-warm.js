import { sum } from 'simple-statistics';
import { COLD } from '../analysis/findings/decide-point.js';
import { stillWarming, warmthOf } from '../analysis/findings/warm-runs.js';
import { ownCpuUs } from '../metrics/client-figures.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { CellRunner } from './run-cell.js' */
/** @import { RunContext } from './contexts.js' */
/** @import { Observed } from './types.js' */
/** @import { Measured } from '../worker/types.js' */

/** @typedef {Observed['measured'][]} Windows short warm-up runs */
/** @typedef {Pick<Measured, 'taskIterations' | 'elapsedMs'>} Speed */
/** @typedef {{perMs: number, iterations: number}} Warmed per task: its speed, and what made it warm */

/**
 * A cell is warm once CPU time per operation stops falling and its hot code has run often enough to be compiled.
 * Elapsed time proves neither, because background load changes it. Measured: shared connections and pools take 0.5 to
 * 1 s; for open-and-close, the JIT needs about 3000 operations to compile a client's set-up code.
 *
 * So operations measure progress: the later half is compared with the quarter before it. On a busy machine a window may
 * hold a fifth of its operations, and a few such windows look alike long before the code is compiled.
 */
export const WARM = {
  windowMs: 75,
  fewestWindows: 6,
  stillFalling: 1.1,
  fewestOperations: 3000,
  fewestOfSlow: 1500,
  // Four windows of a busy process; in less, the fall has hardly begun.
  fewestCpuMs: 300,
  // Background load comes and goes within this many windows.
  mostWindows: 60,
  cold: 1.25,
};

/**
 * @param {CellRunner} runner @param {Pick<RunContext, 'settings' | 'signal'>} context
 * @param {{windowMs: number, isEnough: (windows: Windows) => boolean, isOver?: () => boolean}} windowing
 * @returns {Promise<Warmed & {isWarm: boolean} | null>} null if it failed
 */
export async function untilWarm(runner, { settings, signal }, { windowMs, isEnough, isOver = () => false }) {
  const windows = await takeWindows(
    runner,
    windowMs,
    (soFar) =>
      soFar.length >= WARM.mostWindows ||
      areWarm(soFar) ||
      isHopeless(runner.cell, soFar) ||
      isEnough(soFar) ||
      isOver() ||
      signal.aborted,
  );
  if (windows === null) return null;
  const isWarm = areWarm(windows);
  const seen = {
    isFalling: (windows.length === WARM.mostWindows || isOver()) && isFalling(windows, WARM.cold),
    cpuMs: cpuMs(windows),
    elapsedMs: sum(windows.map(({ elapsedMs }) => elapsedMs)),
  };
  const warmth = warmthOf(runner.cell, seen, settings);
  if (warmth === 'waits' || isHopeless(runner.cell, windows)) runner.remark({ kind: 'stays-cold' });
  else if (warmth === 'cold') runner.learn({ warm: false });
  const operations = countOperations(windows);
  // The later half only confirmed that nothing fell any more.
  const needed = isWarm ? Math.max(WARM.fewestOperations, operations / 2) : operations;
  // A disturbance makes a window slower, never faster.
  return { perMs: fastestOf(windows), iterations: Math.ceil(needed / runner.cell.tasks), isWarm };
}

/**
 * A cell this far behind another is slow once most of its code is compiled, even if its CPU time still falls.
 * @param {Speed[]} windows @param {(number | undefined)[]} rivals iterations per ms of one task @param {number} [times]
 */
export const isFarBehind = (windows, rivals, times = COLD) =>
  fastestOf(windows) * times < Math.max(0, ...rivals.map((rival) => rival ?? 0));

/**
 * A cold cell looks five times slower than it is. With COLD alone, 3 of 4 default benchmarks left 2 to 3 of 12 cells
 * cold that are only 1.5 to 4 times slower than the best.
 */
const SLOW_WHEN_WARM = 4 * COLD;

/** @param {Measured[]} windows @param {(number | undefined)[]} rivals @returns {boolean} */
export const isKnownToBeSlow = (windows, rivals) =>
  countOperations(windows) >= WARM.fewestOfSlow && isFarBehind(windows, rivals, SLOW_WHEN_WARM);

/**
 * @param {CellRunner} runner @param {number} windowMs @param {(windows: Windows) => boolean} isEnough
 * @returns {Promise<Windows | null>} null if it failed
 */
export async function takeWindows(runner, windowMs, isEnough) {
  const windows = [];
  while (!isEnough(windows)) {
    const window = await runner.warmUp({ durationMs: windowMs });
    if (window === undefined) return null;
    windows.push(window);
  }
  return windows;
}

/** @param {Windows} windows */
const areWarm = (windows) =>
  countOperations(windows) >= WARM.fewestOperations &&
  windows.length >= WARM.fewestWindows &&
  (cpuMs(windows) >= WARM.fewestCpuMs || windows.length >= WARM.mostWindows / 2) &&
  !isFalling(windows);

/** @param {Speed[]} windows */
const fastestOf = (windows) => Math.max(0, ...windows.map(perMsOf));

/** @param {Pick<Measured, 'taskIterations'>[]} windows */
export const countOperations = (windows) => sum(windows.map(({ taskIterations }) => sum(taskIterations)));

/** By then it is clear whether a distant cell can become warm in time. */
const DECIDED_AFTER = 12;

/** @param {Pick<Cell, 'distance'>} cell @param {Measured[]} windows */
const isHopeless = ({ distance }, windows) =>
  distance !== undefined &&
  windows.length >= DECIDED_AFTER &&
  (countOperations(windows) / windows.length) * WARM.mostWindows < WARM.fewestOperations;

/** Whether the later half took that much less CPU. @param {Windows} windows @param {number} [by] */
function isFalling(windows, by = WARM.stillFalling) {
  const half = countOperations(windows) / 2;
  const later = laterPart(windows, half);
  const before = laterPart(windows.slice(0, windows.length - later.length), half / 2);
  return before.length > 0 && cpuPerOp(later) * by <= cpuPerOp(before);
}

/** @param {Windows} windows @param {number} operations @returns {Windows} the last ones with that many */
function laterPart(windows, operations) {
  let first = windows.length;
  while (first > 0 && countOperations(windows.slice(first)) < operations) first--;
  return windows.slice(first);
}

/** @param {Windows} windows */
export const cpuPerOp = (windows) => cpuMs(windows) / countOperations(windows);

/** @param {Windows} windows */
const cpuMs = (windows) => sum(windows.map(({ client }) => ownCpuUs(client))) / 1000;

/** @param {Speed} run @returns {number} iterations per ms of one task */
export const perMsOf = ({ taskIterations, elapsedMs }) =>
  sum(taskIterations) / taskIterations.length / elapsedMs;

/** A start that still falls after this many tries is left to the analysis. */
const MOST_TRIES = 3;

/**
 * Whether all last slices count as warm-up because one cell still got faster, in CPU rather than elapsed time.
 * @param {Pick<CellRunner, 'slices' | 'forget'>[]} runners @param {Pick<RunContext, 'settings' | 'signal'>} context
 * @param {number} tries
 */
export function isWarmUp(runners, { settings, signal }, tries) {
  const isToRepeat =
    tries <= MOST_TRIES &&
    settings.warmupRuns > 0 &&
    !signal.aborted &&
    runners.some((runner) => stillWarming(runner.slices()));
  if (isToRepeat) for (const runner of runners) runner.forget();
  return isToRepeat;
}
