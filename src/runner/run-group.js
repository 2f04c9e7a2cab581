import pLimit from 'p-limit';
import { areStable } from '../analysis/statistics/stability.js';
import { messageOf } from '../errors.js';
import { createRounds, mostRounds } from '../plan/rounds.js';
import { sliceIterations } from '../plan/slices.js';
import { turnsOf } from '../plan/turns.js';
import { removeKeys } from './clean-up.js';
import { startDistantServer } from './distant-server.js';
import { measureDistance } from './measure-distance.js';
import { createCellRunner } from './run-cell.js';
import { searchRate } from './search-rate.js';
import { batchSizeOf, warmUp } from './warm-up.js';

/**
 * @import { Cell } from '../plan/types.js'
 * @import { Run } from '../results/types.js'
 * @import { DistantServer, GroupContext, GroupOutcome, RunContext } from './types.js'
 */

/** Nothing is measured while workers start, so several may start at once. */
const STARTING_AT_ONCE = 4;

/**
 * Runs one group: a worker for each cell, a warm-up, then round by round. A cell that fails drops
 * out with its reason and the others go on; a server that is lost ends the group. Where this
 * machine cannot hold all workers at once, they run in turns.
 *
 * @param {Cell[]} cells
 * @param {GroupContext} context
 * @returns {Promise<GroupOutcome>}
 */
export async function runGroup(cells, context) {
  const distant = await distantServer(cells, context);
  try {
    return await runTurns(cells, { ...context, distant });
  } finally {
    await distant?.end();
  }
}

/**
 * @param {Cell[]} cells
 * @param {GroupContext} context
 * @returns {Promise<DistantServer | null>} null where the group's server is not to be kept at a distance
 */
async function distantServer(cells, context) {
  const [{ distance }] = cells;
  if (distance === undefined) return null;
  const distant = startDistantServer(distance, cells, context);
  try {
    context.record({ type: 'distance', ...(await measureDistance(cells, distant, context)) });
  } catch (error) {
    // Whatever it is, the cells meet it as well, and fail by it.
    context.onEvent({
      type: 'note',
      cell: null,
      message: `the distance could not be measured: ${messageOf(error)}`,
    });
  }
  return distant;
}

/**
 * @param {Cell[]} cells
 * @param {RunContext} context
 * @returns {Promise<GroupOutcome>}
 */
async function runTurns(cells, context) {
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
    const slices = await prepare(runners, context, iterations);
    if (settings.rateSearch === undefined) await measure(runners, slices, context);
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
 * @returns {Promise<number>} slices of a run
 */
async function prepare(runners, context, iterations) {
  try {
    const limit = pLimit(STARTING_AT_ONCE);
    await limit.map(runners, (runner) => runner.prepare());
    return await warmUp(runners, context, iterations);
  } finally {
    for (const runner of runners) runner.recordCell();
  }
}

/**
 * The timed rounds: as many runs as were asked for, or until every cell is as stable as was asked for.
 *
 * @param {CellRunner[]} runners
 * @param {number} slices of each run
 * @param {RunContext} context
 */
async function measure(runners, slices, context) {
  const { runs: fewest, untilStable, seed } = context.settings;
  /** @type {Map<CellRunner, Run[]>} of the cells that have not failed */
  const going = new Map(runners.map((runner) => [runner, []]));
  const most = mostRounds(context.settings);
  // The warm-up has used the first orders of this seed.
  const orders = createRounds(runners, most * slices, seed + 1);
  for (let run = 1; run <= most; run++) {
    if (untilStable !== undefined && run > fewest && areStable(going.values(), untilStable)) return;
    for (let index = 0; index < slices; index++) {
      await takeTurns(orders[(run - 1) * slices + index], { run, index, of: slices }, context);
    }
    for (const runner of runners) {
      const done = await runner.endRun(run);
      if (done?.failed === null) going.get(runner)?.push(done);
      else going.delete(runner);
    }
    if (context.signal.aborted) return;
    context.onEvent({ type: 'round-end', round: run });
  }
}

/**
 * @param {CellRunner[]} order
 * @param {{run: number, index: number, of: number}} slice
 * @param {RunContext} context
 */
async function takeTurns(order, { run, index, of }, { settings, catalogue, signal }) {
  for (const runner of order) {
    if (signal.aborted) return;
    const iterations = runner.iterations();
    if (iterations === null) {
      await runner.slice(run, { durationMs: Number(settings.durationMs) / of });
      continue;
    }
    const counts = sliceIterations(iterations, of, batchSizeOf(runner.cell, catalogue) ?? 1);
    await runner.slice(run, { iterations: counts[index], ofRun: index === 0 ? iterations : undefined });
  }
}
