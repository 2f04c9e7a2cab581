import { sum } from 'simple-statistics';
import { ownCpuUs } from '../results/cost-record.js';

/**
 * @import { Cell } from '../plan/types.js'
 * @import { Measured } from '../worker/types.js'
 * @import { CellRunner } from './run-cell.js'
 * @import { Observed, RunContext } from './types.js'
 */

/**
 * @typedef {object} Warmed
 * @property {number} perMs iterations of one task in a millisecond
 * @property {number} iterations of one task that made it warm
 */

/**
 * A cell is warm when the CPU time of an operation no longer falls and its hot code has run often enough to
 * be compiled. Time on the clock tells nothing of that: others make it longer and shorter. Measured: shared
 * connections and pools take 0.5 to 1 s; with open-and-close it takes about 3000 operations until the JIT
 * compiler has got through all of a client's set-up code.
 */
export const WARM = {
  windowMs: 75,
  lookBack: 3,
  stillFalling: 1.05,
  fewestOperations: 3000,
  mostWindows: 40,
};

/**
 * Runs a cell for short times until it is warm.
 *
 * @param {CellRunner} runner
 * @param {Pick<RunContext, 'settings' | 'signal'>} context
 * @param {{windowMs: number, isEnough: (windows: Observed['measured'][]) => boolean}} windowing
 * @returns {Promise<Warmed & {isWarm: boolean} | null>} null when it failed
 */
export async function untilWarm(runner, { settings, signal }, { windowMs, isEnough }) {
  /** @type {Observed['measured'][]} */
  const windows = [];
  /** @type {number[]} */
  const cpuUsPerOp = [];
  const hasBecomeWarm = () => isWarm(cpuUsPerOp, countOperations(windows));
  while (
    windows.length < WARM.mostWindows &&
    !hasBecomeWarm() &&
    !isHopeless(runner.cell, windows) &&
    !isEnough(windows) &&
    !signal.aborted
  ) {
    // Company may hold every operation up for a second, which warms nothing.
    const window = await runner.warmUp({ durationMs: windowMs, alone: true });
    if (window === undefined) return null;
    windows.push(window);
    cpuUsPerOp.push(ownCpuUs(window.client) / operationsIn(window));
  }
  // That it is cold is no reason not to compare it: its operations wait for much longer than they compute.
  if (isHopeless(runner.cell, windows)) runner.remark(STAYS_COLD);
  else if (windows.length === WARM.mostWindows && isFalling(cpuUsPerOp) && !settings.smoke) runner.markCold();
  // The windows that showed that it was warm were not needed to make it so.
  const needed = countOperations(windows.slice(0, Math.max(1, windows.length - WARM.lookBack)));
  const iterations = Math.ceil(needed / runner.cell.tasks);
  // A disturbance makes a window slower, never faster.
  return { perMs: fastestOf(windows), iterations, isWarm: hasBecomeWarm() };
}

/** @param {Measured[]} windows @returns {number} iterations of one task in a millisecond */
const fastestOf = (windows) => Math.max(0, ...windows.map(perMsOf));

/** @param {Measured[]} windows */
const countOperations = (windows) => sum(windows.map(operationsIn));

/** After so many windows it is decided whether a cell far away can become warm in time. */
const DECIDED_AFTER = 12;
const STAYS_COLD =
  'so far away, warming up would take too long: its code is not all compiled, and its CPU an operation is too high';

/** @param {Pick<Cell, 'distance'>} cell @param {Measured[]} windows */
const isHopeless = ({ distance }, windows) =>
  distance !== undefined &&
  windows.length >= DECIDED_AFTER &&
  (countOperations(windows) / windows.length) * WARM.mostWindows < WARM.fewestOperations;

/**
 * @param {number[]} cpuUsPerOp of the windows so far
 * @param {number} operations in all of them
 */
const isWarm = (cpuUsPerOp, operations) =>
  operations >= WARM.fewestOperations && cpuUsPerOp.length >= 2 * WARM.lookBack && !isFalling(cpuUsPerOp);

/** @param {number[]} cpuUsPerOp */
const isFalling = (cpuUsPerOp) =>
  Math.min(...cpuUsPerOp.slice(-WARM.lookBack)) * WARM.stillFalling <=
  Math.min(...cpuUsPerOp.slice(0, -WARM.lookBack));

/** @param {Pick<Measured, 'taskIterations' | 'elapsedMs'>} run @returns {number} iterations of one task in a millisecond */
export const perMsOf = ({ taskIterations, elapsedMs }) =>
  operationsIn({ taskIterations }) / taskIterations.length / elapsedMs;

/** @param {Pick<Measured, 'taskIterations'>} run */
export const operationsIn = ({ taskIterations }) => sum(taskIterations);
