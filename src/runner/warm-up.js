import { sum } from 'simple-statistics';
import { sizeIterations } from '../plan/iterations.js';
import { workersOf } from '../plan/machines.js';
import { createRounds } from '../plan/rounds.js';
import { slicesPerRun } from '../plan/slices.js';
import { ownCpuUs } from '../results/cost-record.js';
import { sizeAgain } from './size-again.js';
import { isWarmEnough } from './warm-enough.js';

/**
 * @import { Cell } from '../plan/types.js'
 * @import { Measured } from '../worker/types.js'
 * @import { createCellRunner } from './run-cell.js'
 * @import { Observed, GroupContext } from './types.js'
 */

/** @typedef {ReturnType<typeof createCellRunner>} CellRunner */

/**
 * A cell is warm when the CPU time of an operation no longer falls and its hot code has run often enough to
 * be compiled. Time on the clock tells nothing of that: others make it longer and shorter. Measured: shared
 * connections and pools take 0.5 to 1 s; with open-and-close it takes about 3000 operations until the JIT
 * compiler has got through all of a client's set-up code.
 */
const WARM = { windowMs: 75, lookBack: 3, stillFalling: 1.05, fewestOperations: 3000, mostWindows: 40 };

/** A map has hundreds of cells to warm, and asks for less. */
const MAP_WINDOW_MS = 40;

/**
 * Brings the cells of a turn to where they can be timed, at each of their starts.
 *
 * @param {CellRunner[]} runners
 * @param {GroupContext} context
 */
export function createWarmUp(runners, context) {
  /** @type {Map<string, Warmed | null>} by cell id; null when it failed */
  const warmed = new Map();
  /** @type {number | null} */
  let slices = null;
  return {
    /**
     * At the first start runs each cell until it is warm, and finds out how long its runs are; later the same work
     * once more for new workers: what it takes is known.
     *
     * @param {number} [known] iterations of cells of this group that were measured before
     * @returns {Promise<number>} slices of a run
     */
    async run(known) {
      if (slices === null) slices = await warmAndSize(runners, warmed, context, known);
      else await warmAgain(runners, warmed, context);
      return slices;
    },
  };
}

/**
 * @param {CellRunner[]} runners
 * @param {Map<string, Warmed | null>} warmed by cell id
 * @param {GroupContext} context
 */
async function warmAgain(runners, warmed, { settings, signal }) {
  const { warmupRuns, seed } = settings;
  for (const order of createRounds(runners, Math.max(1, warmupRuns), seed)) {
    for (const runner of order) {
      const known = warmed.get(runner.cell.id);
      if (known && !signal.aborted) await runner.warmUp({ iterations: known.iterations, alone: true });
    }
  }
}

/**
 * @param {CellRunner[]} runners
 * @param {Map<string, Warmed | null>} warmed by cell id; filled here
 * @param {GroupContext} context
 * @param {number} [before] iterations of cells of this group that were measured before
 * @returns {Promise<number>} slices of a run
 */
async function warmAndSize(runners, warmed, context, before) {
  const { settings, signal } = context;
  const { durationMs, warmupRuns, iterations, seed } = settings;
  const sizing = durationMs === undefined && iterations === 'auto';
  if (durationMs === undefined && !sizing) setIterations(runners, new Map(), 1, context);
  for (const order of createRounds(runners, sizing ? Math.max(1, warmupRuns) : warmupRuns, seed)) {
    for (const runner of order) {
      if (signal.aborted) return 1;
      const count = runner.iterations();
      const speed = count === null ? await untilWarm(runner, warmed, context) : await oneRun(runner, count);
      warmed.set(runner.cell.id, speed);
    }
  }
  const slices = slicesPerRun({
    expectedMs: durationMs ?? fastestRunMs(runners, warmed, settings.runTimeMs),
    iterations: sizing || durationMs !== undefined ? null : runners[0].iterations(),
    divisible: runners.every(({ cell }) => isDivisible(cell, context)),
  });
  if (sizing) {
    const size = () => setIterations(runners, warmed, slices, context, before);
    size();
    await sizeAgain(runners, warmed, { sliceMs: settings.runTimeMs / slices, slices, size, signal });
  }
  // A map does not ask for CPU.
  if (slices > 1 && warmupRuns > 0 && settings.budgetMs === undefined)
    for (const runner of runners) await runner.measureFixedCost();
  return slices;
}

/**
 * @typedef {object} Warmed
 * @property {number} perMs iterations of one task in a millisecond
 * @property {number} iterations of one task that made it warm
 */

/**
 * Sizes the runs by what was measured last.
 *
 * @param {CellRunner[]} runners
 * @param {Map<string, Pick<Warmed, 'perMs'> | null>} speeds by cell id
 * @param {number} slices
 * @param {GroupContext} context
 * @param {number} [before] iterations of cells of this group that were measured before
 */
function setIterations(runners, speeds, slices, { settings, catalogue }, before) {
  const known = runners.map(({ cell }) => ({
    ...cell,
    perMs: speeds.get(cell.id)?.perMs ?? null,
    batchSize: batchSizeOf(cell, catalogue),
  }));
  const counts = sizeIterations(
    settings.iterations,
    { runTimeMs: settings.runTimeMs, slices },
    known,
    before,
  );
  for (const runner of runners) runner.setIterations(counts.get(runner.cell.id) ?? null);
}

/**
 * @param {Pick<Cell, 'chosen'>} cell
 * @param {GroupContext['catalogue']} catalogue
 * @returns {number | undefined}
 */
export const batchSizeOf = ({ chosen: { pipelining } }, catalogue) =>
  catalogue.pipelining.get(pipelining.id)?.batchSize?.(pipelining.parameter);

/**
 * @param {Cell} cell
 * @param {GroupContext} context
 * @returns {boolean} whether its runs may be interrupted: not where a backlog would be lost or data is removed
 *   before each, nor where several processes would have to find a common start each time, or company would begin anew
 */
const isDivisible = ({ openLoop, chosen, beside, ...cell }, { catalogue, settings }) =>
  openLoop === null &&
  beside.length === 0 &&
  workersOf(cell) === 1 &&
  !settings.smoke &&
  !(catalogue.workloads.get(chosen.workload.id)?.startsEmpty ?? false);

/**
 * @param {CellRunner[]} runners
 * @param {Map<string, Pick<Warmed, 'perMs'> | null>} speeds
 * @param {number} runTimeMs
 * @returns {number} how long a run of the fastest cell takes
 */
function fastestRunMs(runners, speeds, runTimeMs) {
  const times = runners.flatMap((runner) => {
    const perMs = speeds.get(runner.cell.id)?.perMs;
    return perMs ? [(runner.iterations() ?? perMs * runTimeMs) / perMs] : [];
  });
  return times.length === 0 ? runTimeMs : Math.min(...times);
}

/**
 * @param {CellRunner} runner
 * @param {number} iterations
 * @returns {Promise<Warmed | null>} null when it failed
 */
async function oneRun(runner, iterations) {
  const run = await runner.warmUp({ iterations, alone: true });
  return run ? { perMs: perMsOf(run), iterations } : null;
}

/** @param {Measured} run */
const perMsOf = ({ taskIterations, elapsedMs }) =>
  operationsIn({ taskIterations }) / taskIterations.length / elapsedMs;

/** @param {Pick<Measured, 'taskIterations'>} run */
const operationsIn = ({ taskIterations }) => sum(taskIterations);

/**
 * Runs a cell for short times until it is warm.
 *
 * @param {CellRunner} runner
 * @param {Map<string, Warmed | null>} warmed the cells before it
 * @param {GroupContext} context
 * @returns {Promise<Warmed | null>} once warm; null when it failed
 */
async function untilWarm(runner, warmed, { settings, signal }) {
  const rivals = [...warmed.values()].map((other) => other?.perMs);
  // The figures of a smoke run mean nothing, cold or warm.
  const mostWindows = settings.smoke ? 1 : WARM.mostWindows;
  const usualMs = settings.budgetMs === undefined ? WARM.windowMs : MAP_WINDOW_MS;
  const durationMs = settings.smoke ? settings.runTimeMs / 4 : usualMs;
  /** @type {Observed['measured'][]} */
  const windows = [];
  /** @type {number[]} */
  const cpuUsPerOp = [];
  while (
    windows.length < mostWindows &&
    !isWarm(cpuUsPerOp, countOperations(windows)) &&
    !isHopeless(runner.cell, windows) &&
    !(settings.budgetMs !== undefined && isWarmEnough(windows, fastestOf(windows), rivals)) &&
    !signal.aborted
  ) {
    // Company may hold every operation up for a second, which warms nothing.
    const window = await runner.warmUp({ durationMs, alone: true });
    if (window === undefined) return null;
    windows.push(window);
    cpuUsPerOp.push(ownCpuUs(window.client) / operationsIn(window));
  }
  // That it is cold is no reason not to compare it: its operations wait for much longer than they compute.
  if (isHopeless(runner.cell, windows)) runner.remark(STAYS_COLD);
  else if (windows.length === mostWindows && isFalling(cpuUsPerOp) && !settings.smoke) runner.markCold();
  // The windows that showed that it was warm were not needed to make it so.
  const needed = countOperations(windows.slice(0, Math.max(1, windows.length - WARM.lookBack)));
  const iterations = Math.ceil(needed / runner.cell.tasks);
  if (runner.cell.beside.length > 0 && settings.durationMs === undefined && !signal.aborted) {
    const window = await runner.warmUp({ durationMs: settings.runTimeMs });
    return window ? { perMs: perMsOf(window), iterations } : null;
  }
  // A disturbance makes a window slower, never faster.
  return { perMs: fastestOf(windows), iterations };
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
