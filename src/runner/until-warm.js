import { sum } from 'simple-statistics';
import { COLD } from '../analysis/findings/decide-point.js';
import { stillWarming, warmthOf } from '../analysis/findings/warm-runs.js';
import { ownCpuUs } from '../metrics/client-figures.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { CellRunner } from './run-cell.js' */
/** @import { RunContext } from './contexts.js' */
/** @import { Observed } from './types.js' */
/** @import { Measured } from '../worker/types.js' */

/**
 * @typedef {object} Warmed
 * @property {number} perMs iterations of one task in a millisecond
 * @property {number} iterations of one task after which it was warm
 */

/**
 * A cell is warm when the CPU time of an operation no longer falls and its hot code has run often enough to
 * be compiled. Time on the clock tells nothing of that: others make it longer and shorter. Measured: shared
 * connections and pools take 0.5 to 1 s; with open-and-close it takes about 3000 operations until the JIT
 * compiler has got through all of a client's set-up code.
 *
 * So progress is counted in operations: the later half of them is compared with the quarter before. Beside other
 * programs a window may hold a fifth of its operations, and a few such windows in a row look alike long before
 * the code is compiled.
 */
export const WARM = {
  windowMs: 75,
  fewestWindows: 6,
  stillFalling: 1.1,
  fewestOperations: 3000,
  fewestOfSlow: 1500,
  // Of a process that is busy, four of those windows; in less, the fall has hardly begun.
  fewestCpuMs: 300,
  mostWindows: 60,
  // Within so many windows other programs come and go.
  cold: 1.25,
};

/**
 * Runs a cell for short times until it is warm.
 * @param {CellRunner} runner @param {Pick<RunContext, 'settings' | 'signal'>} context
 * @param {{windowMs: number, isEnough: (windows: Observed['measured'][]) => boolean, isOver?: () => boolean}} windowing
 *   `isOver`: its time for that
 * @returns {Promise<Warmed & {isWarm: boolean} | null>} null when it failed
 */
export async function untilWarm(runner, { settings, signal }, { windowMs, isEnough, isOver = never }) {
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
  // The later half showed that nothing fell any more, and warmed nothing.
  const needed = isWarm
    ? Math.max(WARM.fewestOperations, countOperations(windows) / 2)
    : countOperations(windows);
  // A disturbance makes a window slower, never faster.
  return { perMs: fastestOf(windows), iterations: Math.ceil(needed / runner.cell.tasks), isWarm };
}

const never = () => false;

/**
 * A cell so far behind another is known to be slow once most of its code is compiled; whether its CPU still falls
 * changes no conclusion.
 * @param {Speed[]} windows @param {(number | undefined)[]} rivals iterations of a task in a millisecond
 * @param {number} [times]
 */
export const isFarBehind = (windows, rivals, times = COLD) =>
  fastestOf(windows) * times < Math.max(0, ...rivals.map((rival) => rival ?? 0));

/**
 * A cold cell looks five times slower than it is. With that alone, 2 to 3 of 12 cells were left cold in 3 of 4 default
 * benchmarks, though they are but 1.5 to 4 times slower than the best.
 */
const SLOW_WHEN_WARM = 4 * COLD;

/** @param {Measured[]} windows @param {(number | undefined)[]} rivals @returns {boolean} whether it is slow, however warm */
export const isKnownToBeSlow = (windows, rivals) =>
  countOperations(windows) >= WARM.fewestOfSlow && isFarBehind(windows, rivals, SLOW_WHEN_WARM);

/** @param {Measured[]} windows @returns {boolean} whether its code has run often enough to be compiled */
const isCompiled = (windows) => countOperations(windows) >= WARM.fewestOperations;

/**
 * Runs a cell for short times until that is enough.
 * @param {CellRunner} runner @param {number} windowMs @param {(windows: Observed['measured'][]) => boolean} isEnough
 * @returns {Promise<Observed['measured'][] | null>} null when it failed
 */
export async function takeWindows(runner, windowMs, isEnough) {
  const windows = [];
  while (!isEnough(windows)) {
    // Background load may hold every operation up for a second, which warms nothing.
    const window = await runner.warmUp({ durationMs: windowMs, alone: true });
    if (window === undefined) return null;
    windows.push(window);
  }
  return windows;
}

/** @param {Observed['measured'][]} windows */
const areWarm = (windows) =>
  isCompiled(windows) &&
  windows.length >= WARM.fewestWindows &&
  (cpuMs(windows) >= WARM.fewestCpuMs || windows.length >= WARM.mostWindows / 2) &&
  !isFalling(windows);

/** @param {Speed[]} windows @returns {number} iterations of one task in a millisecond */
const fastestOf = (windows) => Math.max(0, ...windows.map(perMsOf));

/** @param {Measured[]} windows */
export const countOperations = (windows) => sum(windows.map(operationsIn));

/** After so many windows it is decided whether a cell far away can become warm in time. */
const DECIDED_AFTER = 12;

/** @param {Pick<Cell, 'distance'>} cell @param {Measured[]} windows */
const isHopeless = ({ distance }, windows) =>
  distance !== undefined &&
  windows.length >= DECIDED_AFTER &&
  (countOperations(windows) / windows.length) * WARM.mostWindows < WARM.fewestOperations;

/**
 * @param {Observed['measured'][]} windows @param {number} [by]
 * @returns {boolean} whether the later half of the operations cost so much less CPU than those before
 */
function isFalling(windows, by = WARM.stillFalling) {
  const half = countOperations(windows) / 2;
  const later = laterPart(windows, half);
  const before = laterPart(windows.slice(0, windows.length - later.length), half / 2);
  return before.length > 0 && cpuPerOp(later) * by <= cpuPerOp(before);
}

/** @param {Observed['measured'][]} windows @param {number} operations @returns {Observed['measured'][]} the last ones that have so many */
function laterPart(windows, operations) {
  let first = windows.length;
  while (first > 0 && countOperations(windows.slice(first)) < operations) first--;
  return windows.slice(first);
}

/** @param {Observed['measured'][]} windows */
export const cpuPerOp = (windows) => cpuMs(windows) / countOperations(windows);

/** @param {Observed['measured'][]} windows */
const cpuMs = (windows) => sum(windows.map(({ client }) => ownCpuUs(client))) / 1000;

/** @typedef {Pick<Measured, 'taskIterations' | 'elapsedMs'>} Speed */

/** @param {Speed} run @returns {number} iterations of one task in a millisecond */
export const perMsOf = ({ taskIterations, elapsedMs }) =>
  operationsIn({ taskIterations }) / taskIterations.length / elapsedMs;

/** @param {Pick<Measured, 'taskIterations'>} run */
export const operationsIn = ({ taskIterations }) => sum(taskIterations);

/** A start that still falls after so many runs is left to the analysis. */
const MOST_TRIES = 3;

/**
 * Whether the slices that were just taken are warm-up, of all cells alike, because one still became faster. Decided
 * by the CPU of its operations, not by their time.
 * @param {Pick<CellRunner, 'slices' | 'forget'>[]} runners
 * @param {Pick<RunContext, 'settings' | 'signal'>} context @param {number} tries
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
