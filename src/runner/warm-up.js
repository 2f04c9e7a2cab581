import { batchSizeOf, workersOf } from '../plan/loads.js';
import { createRounds } from '../plan/rounds.js';
import { sizeIterations, slicesPerRun } from '../plan/run-length.js';
import { RUN_LENGTHS } from '../plan/visits.js';
import { sizeAgain } from './size-again.js';
import { countOperations, isKnownToBeSlow, perMsOf, takeWindows, untilWarm, WARM } from './until-warm.js';
import { warmInMap } from './warm-in-map.js';

/** @import { Cell, Start } from '../plan/types.js' */
/** @import { CellRunner } from './run-cell.js' */
/** @import { GroupContext } from './contexts.js' */
/** @import { Warmed, Windows } from './until-warm.js' */

/**
 * @typedef {{runners: CellRunner[], warmed: Map<string, Warmed | null>, known?: number, slices: number | null}} Warming
 *   `warmed`: by cell id; `known`: iterations of the turn before; `slices` per run: null before the first start
 */

/**
 * The first start warms each cell and sizes its runs; later workers repeat what warmed the first.
 * @param {Warming} warming @param {GroupContext} context @param {Start['leftMs']} [leftMs]
 */
export async function warmUp(warming, context, leftMs) {
  if (warming.slices !== null) await warmAgain(warming, context);
  else warming.slices = await warmAndSize(warming, context, leftMs);
  if (leftMs === undefined && context.settings.warmupRuns > 0) await settle(warming, context);
}

/**
 * A cell's heap shrank and its code left the caches while others warmed up. Measured with 12 cells: the first run of a
 * later start was 5 to 80 % slower than the next and looked cold; with this, mostly less than 15 %.
 * @param {Warming} warming @param {GroupContext} context
 */
async function settle({ runners, slices }, { signal }) {
  // Undivided runs are long enough.
  if (slices === null || slices === 1) return;
  for (const runner of runners) {
    const count = runner.iterations();
    if (count !== null && !signal.aborted) await runner.warmUp({ iterations: Math.ceil(count / slices) });
  }
}

/** @param {Warming} warming @param {GroupContext} context */
async function warmAgain({ runners, warmed }, context) {
  const { warmupRuns, seed } = context.settings;
  for (const order of createRounds(runners, Math.max(1, warmupRuns), seed)) {
    for (const runner of order) {
      const known = warmed.get(runner.cell.id);
      if (!known || context.signal.aborted) continue;
      if (runner.cell.openLoop !== null) await warmToTheEnd(runner, speedsIn(warmed), context);
      else await warmAsMuch(runner, known, context);
    }
  }
}

/** @param {Map<string, Warmed | null>} warmed */
const speedsIn = (warmed) => [...warmed.values()].map((each) => each?.perMs);

/** Cold code is several times slower. @param {CellRunner} runner @param {Warmed} known @param {GroupContext} context */
async function warmAsMuch(runner, { iterations }, { settings, signal }) {
  if (settings.runTimeoutMs === undefined) return void (await runner.warmUp({ iterations }));
  const needed = iterations * runner.cell.tasks;
  const isEnough = (/** @type {Windows} */ windows) =>
    countOperations(windows) >= needed || windows.length >= WARM.mostWindows || signal.aborted;
  await takeWindows(runner, WARM.windowMs, isEnough);
}

/** @param {Warming} warming @param {GroupContext} context @param {Start['leftMs']} [leftMs] @returns slices per run */
async function warmAndSize(warming, context, leftMs) {
  const { runners, warmed } = warming;
  const { settings, signal } = context;
  const { durationMs, warmupRuns, iterations, seed } = settings;
  const sizing = durationMs === undefined && iterations === 'auto';
  if (durationMs === undefined && !sizing) setIterations(warming, 1, context);
  for (const order of createRounds(runners, sizing ? Math.max(1, warmupRuns) : warmupRuns, seed)) {
    for (const [index, runner] of slowLast(order, context).entries()) {
      if (signal.aborted) return 1;
      const count = runner.iterations();
      const rivals = speedsIn(warmed);
      /** @type {Warmed | null} */
      let found;
      if (count !== null) found = await oneRun(runner, count);
      else if (leftMs === undefined) found = await warmToTheEnd(runner, rivals, context);
      else found = await warmInMap(runner, rivals, context, isOver(leftMs, order.length, index, settings));
      warmed.set(runner.cell.id, found);
    }
  }
  const slices = slicesPerRun({
    expectedMs: durationMs ?? fastestRunMs(runners, warmed, settings.runTimeMs),
    iterations: sizing || durationMs !== undefined ? null : runners[0].iterations(),
    divisible: runners.every(({ cell }) => isDivisible(cell, context)),
  });
  if (sizing) {
    const size = () => setIterations(warming, slices, context);
    size();
    await sizeAgain(runners, warmed, { sliceMs: settings.runTimeMs / slices, slices, size, signal });
  }
  // With a time limit, CPU is not compared.
  if (slices > 1 && warmupRuns > 0 && leftMs === undefined)
    for (const runner of runners) await runner.measureFixedCost();
  return slices;
}

/**
 * @param {() => number} leftMs @param {number} all @param {number} warm @param {GroupContext['settings']} settings
 * @returns {() => boolean} whether the next warm-up has used its equal share of the spare time
 */
function isOver(leftMs, all, warm, { durationMs }) {
  const forRunsMs = all * RUN_LENGTHS * Number(durationMs);
  const untilLeftMs = leftMs() - Math.max(0, leftMs() - forRunsMs) / (all - warm);
  return () => leftMs() <= untilLeftMs;
}

/** Cells far behind are not fully warmed. @param {CellRunner[]} order @param {GroupContext} context */
function slowLast(order, { catalogue }) {
  const opens = (/** @type {CellRunner} */ { cell }) =>
    Number(catalogue.scenarios.get(cell.scenario)?.opensDuringRun ?? false);
  return order.toSorted((a, b) => opens(a) - opens(b));
}

/** @param {Warming} warming @param {number} slices @param {GroupContext} context */
function setIterations({ runners, warmed, known }, slices, { settings, catalogue }) {
  const cells = runners.map(({ cell }) => ({
    ...cell,
    perMs: warmed.get(cell.id)?.perMs ?? null,
    batchSize: batchSizeOf(cell.chosen.pipelining, catalogue),
  }));
  const counts = sizeIterations(settings.iterations, { runTimeMs: settings.runTimeMs, slices }, cells, known);
  for (const runner of runners) runner.learn({ iterations: counts.get(runner.cell.id) ?? null });
}

/**
 * Not if slices would lose a backlog, remove data, or need a common start each time.
 * @param {Cell} cell @param {GroupContext} context
 */
const isDivisible = ({ openLoop, chosen, ...cell }, { catalogue, settings }) =>
  openLoop === null &&
  workersOf(cell) === 1 &&
  !settings.smoke &&
  !(catalogue.workloads.get(chosen.workload.id)?.startsEmpty ?? false);

/**
 * @param {CellRunner[]} runners @param {Map<string, Pick<Warmed, 'perMs'> | null>} speeds @param {number} runTimeMs
 * @returns {number} for a run of the fastest cell
 */
function fastestRunMs(runners, speeds, runTimeMs) {
  const times = runners.flatMap((runner) => {
    const perMs = speeds.get(runner.cell.id)?.perMs;
    return perMs ? [(runner.iterations() ?? perMs * runTimeMs) / perMs] : [];
  });
  return times.length === 0 ? runTimeMs : Math.min(...times);
}

/** @param {CellRunner} runner @param {number} iterations @returns {Promise<Warmed | null>} null if it failed */
async function oneRun(runner, iterations) {
  const run = await runner.warmUp({ iterations });
  return run ? { perMs: perMsOf(run), iterations } : null;
}

/**
 * @param {CellRunner} runner @param {(number | undefined)[]} rivals speeds of earlier cells
 * @param {GroupContext} context @returns {Promise<Warmed | null>} null if it failed
 */
async function warmToTheEnd(runner, rivals, context) {
  const { smoke, runTimeMs } = context.settings;
  return untilWarm(runner, context, {
    windowMs: smoke ? runTimeMs / 4 : WARM.windowMs,
    // A smoke run's figures mean nothing, cold or warm.
    isEnough: (windows) => (smoke ? windows.length > 0 : isKnownToBeSlow(windows, rivals)),
  });
}
