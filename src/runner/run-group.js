import pLimit from 'p-limit';
import { areStable } from '../analysis/statistics/stability.js';
import { sizeIterations } from '../plan/iterations.js';
import { createRounds, mostRounds } from '../plan/rounds.js';
import { turnsOf } from '../plan/turns.js';
import { removeKeys } from './clean-up.js';
import { createCellRunner } from './run-cell.js';
import { searchRate } from './search-rate.js';
import { sizeAgain } from './size-again.js';

/**
 * @import { Cell } from '../plan/types.js'
 * @import { Run } from '../results/types.js'
 * @import { GroupOutcome, RunContext } from './types.js'
 */

/** Nothing is measured while workers start, so several may start at once. */
const STARTING_AT_ONCE = 4;

/**
 * A cell is warm when the best of its last windows is no longer clearly faster than the best before.
 * Measured: shared connections and pools take 0.5 to 1 s. With open-and-close it takes about 3000
 * operations until the JIT compiler has got through all of a client's set-up code.
 */
const WARM_UP = { windowsPerRun: 4, lookBack: 3, stillFaster: 1.05, fewestOperations: 3000, mostWindows: 40 };

/**
 * Runs one group: a worker for each cell, a warm-up, then round by round. A cell that fails drops
 * out with its reason and the others go on; a server that is lost ends the group. Where this
 * machine cannot hold all workers at once, they run in turns.
 *
 * @param {Cell[]} cells
 * @param {RunContext} context
 * @returns {Promise<GroupOutcome>}
 */
export async function runGroup(cells, context) {
  const turns = turnsOf(cells, context.capacity);
  /** @type {GroupOutcome} */
  const outcome = { lost: null, keysRemoved: true };
  /** @type {number | undefined} */
  let iterations;
  for (const turn of turns) {
    if (outcome.lost !== null || context.signal.aborted) break;
    const { lost, keysRemoved, ...rest } = await runTurn(turn, context, iterations);
    iterations ??= rest.iterations;
    outcome.lost = lost;
    outcome.keysRemoved &&= keysRemoved;
  }
  return outcome;
}

/**
 * @param {Cell[]} cells
 * @param {RunContext} context
 * @param {number} [iterations] that the turn before it was given
 * @returns {Promise<GroupOutcome & {iterations: number | undefined}>}
 */
async function runTurn(cells, context, iterations) {
  const { signal, settings } = context;
  const runners = cells.map((cell) => createCellRunner(cell, context));
  const interrupt = () => {
    for (const runner of runners) runner.interrupt();
  };
  signal.addEventListener('abort', interrupt);
  let lost = null;
  let keysRemoved = false;
  try {
    await prepare(runners, context, iterations);
    if (settings.rateSearch === undefined) await measure(runners, context);
    else for (const runner of runners) await searchRate(runner, context);
    keysRemoved = await removeKeys(runners, context);
  } catch (error) {
    lost = error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    await Promise.all(runners.map((runner) => runner.end()));
  }
  const most = Math.max(0, ...runners.map((runner) => runner.iterations() ?? 0));
  return { lost, keysRemoved, iterations: most || undefined };
}

/** @typedef {ReturnType<typeof createCellRunner>} CellRunner */

/**
 * Everything before the first timed run.
 *
 * @param {CellRunner[]} runners
 * @param {RunContext} context
 * @param {number} [iterations] of cells of this group that were measured before
 */
async function prepare(runners, context, iterations) {
  try {
    const limit = pLimit(STARTING_AT_ONCE);
    await limit.map(runners, (runner) => runner.prepare());
    await warmUp(runners, context, iterations);
  } finally {
    for (const runner of runners) runner.recordCell();
  }
}

/**
 * Runs each cell until it is warm, and sets the iterations of its timed runs.
 *
 * @param {CellRunner[]} runners
 * @param {RunContext} context
 * @param {number} [before] iterations of cells of this group that were measured before
 */
async function warmUp(runners, { settings, catalogue, signal }, before) {
  const { durationMs, runTimeMs, warmupRuns, iterations, seed, smoke } = settings;
  // The figures of a smoke run mean nothing, cold or warm.
  const mostWindows = smoke ? 1 : WARM_UP.mostWindows;
  const sizing = durationMs === undefined && iterations === 'auto';
  /** @type {Map<string, number | null>} iterations of one task in a millisecond */
  const speeds = new Map();
  if (durationMs === undefined && !sizing) setIterations();

  for (const order of createRounds(runners, sizing ? Math.max(1, warmupRuns) : warmupRuns, seed)) {
    for (const runner of order) {
      if (signal.aborted) return;
      const count = runner.iterations();
      if (count === null)
        speeds.set(
          runner.cell.id,
          await untilWarm(runner, { windowMs: runTimeMs / WARM_UP.windowsPerRun, mostWindows }, signal),
        );
      else await runner.warmUp({ iterations: count });
    }
  }
  if (sizing) {
    setIterations();
    await sizeAgain(runners, speeds, { runTimeMs, setIterations, signal });
  }

  function setIterations() {
    const known = runners.map(({ cell }) => ({
      ...cell,
      perMs: speeds.get(cell.id) ?? null,
      batchSize: batchSizeOf(cell, catalogue),
    }));
    const counts = sizeIterations(iterations, runTimeMs, known, before);
    for (const runner of runners) runner.setIterations(counts.get(runner.cell.id) ?? null);
  }
}

/** @param {Cell} cell @param {RunContext['catalogue']} catalogue @returns {number | undefined} */
const batchSizeOf = ({ chosen: { pipelining } }, catalogue) =>
  catalogue.pipelining.get(pipelining.id)?.batchSize?.(pipelining.parameter);

/**
 * Runs a cell for short times until it gets no faster: the JIT compiler is done with it. After a warm-up
 * of fixed length, the first timed runs of a slow cell would be its slowest.
 *
 * @param {CellRunner} runner
 * @param {{windowMs: number, mostWindows: number}} windows
 * @param {AbortSignal} signal
 * @returns {Promise<number | null>} iterations of one task in a millisecond, once warm; null when it failed
 */
async function untilWarm(runner, { windowMs, mostWindows }, signal) {
  /** @type {number[]} */
  const speeds = [];
  let operations = 0;
  while (speeds.length < mostWindows && !isWarm(speeds, operations) && !signal.aborted) {
    const window = await runner.warmUp({ durationMs: windowMs });
    if (window === undefined) return null;
    const done = window.taskIterations.reduce((sum, count) => sum + count, 0);
    operations += done;
    speeds.push(done / window.taskIterations.length / window.elapsedMs);
  }
  // A disturbance makes a window slower, never faster.
  return Math.max(...speeds);
}

/**
 * @param {number[]} speeds of the windows so far
 * @param {number} operations in all of them
 */
function isWarm(speeds, operations) {
  const before = speeds.slice(0, -WARM_UP.lookBack);
  if (before.length < WARM_UP.lookBack || operations < WARM_UP.fewestOperations) return false;
  return Math.max(...speeds.slice(-WARM_UP.lookBack)) < Math.max(...before) * WARM_UP.stillFaster;
}

/**
 * The timed rounds: as many as were asked for, or until every cell is as stable as was asked for.
 *
 * @param {CellRunner[]} runners
 * @param {RunContext} context
 */
async function measure(runners, { settings, signal, onEvent }) {
  const { runs: fewest, untilStable, durationMs, seed } = settings;
  /** @type {Map<CellRunner, Run[]>} of the cells that have not failed */
  const going = new Map(runners.map((runner) => [runner, []]));
  // The warm-up has used the first orders of this seed.
  for (const [index, order] of createRounds(runners, mostRounds(settings), seed + 1).entries()) {
    if (untilStable !== undefined && index >= fewest && areStable(going.values(), untilStable)) return;
    for (const runner of order) {
      if (signal.aborted) return;
      const iterations = runner.iterations();
      const run = await runner.run(index + 1, iterations === null ? { durationMs } : { iterations });
      if (run?.failed === null) going.get(runner)?.push(run);
      else going.delete(runner);
    }
    onEvent({ type: 'round-end', round: index + 1 });
  }
}
