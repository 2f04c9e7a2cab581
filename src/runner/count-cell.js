import { messageOf, RunError } from '../errors.js';
import { batchSizeOf } from '../plan/loads.js';
import { areSteady, countedStart, stillFalls } from '../results/count-record.js';
import { createCellWorker } from './cell-worker.js';
import { lossOf } from './server-watch.js';
import { startWorkers } from './workers.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { Slice } from '../results/count-record.js' */
/** @import { CountedStart, Notice, Run } from '../results/types.js' */
/** @import { RunLength } from '../worker/types.js' */
/** @import { CellLog } from './cell-log.js' */
/** @import { CellWorker } from './cell-worker.js' */
/** @import { RunContext } from './contexts.js' */
/** @import { Counter, CounterSource, Observed, WatchedRun } from './types.js' */

/**
 * Slices before the counted ones: after 16 of them redis:tuned still had 1.5 times its later instructions, and starts
 * differed by when it was compiled.
 */
const WARM_UP_SLICES = 64;
const SLICES = 5;
/** So often slices are counted while V8 compiles in them; a cell whose garbage makes its slices differ is taken as it is then. */
const MOST_ATTEMPTS = 4;
/** On a busy machine a slice of redis under valgrind took more than the 30 s that other runs have. */
const RUNS_WITHIN_MS = 300_000;
/** What a slice costs besides its operations is measured so often. */
const FIXED_COST_RUNS = 3;
/** Iterations of each task in a slice, at least: with one there is hardly anything but the fixed cost. */
const FEWEST_ITERATIONS = 5;
/** A slice is at most this part of a timed run, or slow cells would take minutes. */
const PART_OF_RUN = 1 / 4;

/**
 * Counts what the operations of a cell execute, each time in a worker of its own, after the timed runs.
 * @param {Cell} cell @param {Pick<CellLog, 'learn' | 'recordKnown'>} log @param {RunContext} context
 * @param {(source: CounterSource, start: number, operations: number) => Promise<Counted>} countOnce
 */
export function createCounting(cell, log, context, countOnce) {
  const { signal, counter: source = null, server, warn } = context;
  /** @type {CountedStart[]} */
  const starts = [];
  let hasEnded = false;
  /** @param {Extract<Notice, {kind: 'not-counted'}>['reason']} reason @param {string | null} [why] */
  function end(reason, why = null) {
    hasEnded = true;
    warn({ kind: 'not-counted', reason, cell: why === null ? null : cell.id, why });
  }
  /**
   * @param {number} start from 1 @param {number} operations of a timed run
   * @returns {Promise<boolean>} whether its worker could remove its keys @throws {ServerError} where the server is gone
   */
  return async function count(start, operations) {
    const reason = whyNever(cell);
    if (source === null || hasEnded || signal.aborted) return true;
    if (reason !== null) {
      end(reason);
      return true;
    }
    try {
      const { counted, isClean } = await countOnce(source, start, operations);
      starts.push(counted);
      log.learn({ counted: [...starts] });
      log.recordKnown();
      return isClean;
    } catch (error) {
      if (signal.aborted) return false;
      const lost = await lossOf(server);
      if (lost !== null) throw lost;
      if (error instanceof Waits) end('waiting');
      else end('failed', messageOf(error));
      return false;
    }
  };
}

/** @param {Cell} cell @returns {'processes' | 'beside' | 'app-work' | null} why its counts would not be those of its operations */
function whyNever({ processes, beside, appWorkUs }) {
  if (processes > 1) return 'processes';
  if (beside.length > 0) return 'beside';
  return appWorkUs > 0 ? 'app-work' : null;
}

/** It looks at the clock until its time has come. */
class Waits extends Error {}

/** @typedef {{counted: CountedStart, isClean: boolean}} Counted whether its worker could remove its keys */

/**
 * @param {{cell: Cell, start: number, operations: number}} what @param {CounterSource} source @param {RunContext} context
 * @param {(observed: WatchedRun, round: number) => Run} runOf @returns {Promise<Counted>}
 */
export async function countStart({ cell, start, operations }, source, context, runOf) {
  const counter = await source.open();
  const { under, folder } = counter;
  const { runTimeoutMs = RUNS_WITHIN_MS } = context.settings;
  const own = {
    ...context,
    idleWorkers: null,
    isCounted: true,
    settings: { ...context.settings, runTimeoutMs },
    /** @type {typeof startWorkers} */
    startWorkers: (each, ...rest) => startWorkers({ ...each, under, folder }, ...rest),
  };
  const worker = createCellWorker(cell, own, { learn() {} });
  const interrupt = () => void worker.interrupt();
  context.signal.addEventListener('abort', interrupt);
  try {
    await worker.begin();
    const run = (/** @type {RunLength} */ length) => checkedRun(worker, length, start, runOf);
    const { fixed, slices } = await countSlices(
      worker,
      counter,
      run,
      iterationsOf(cell, operations, source, context),
    );
    const counted = countedStart({ start, source: source.name }, fixed, slices);
    return { counted, isClean: await worker.finish() };
  } finally {
    context.signal.removeEventListener('abort', interrupt);
    await worker.end();
    await counter.close();
  }
}

/**
 * @param {Cell} cell @param {number} operations of a timed run @param {CounterSource} source
 * @param {Pick<RunContext, 'catalogue'>} context @returns {number} iterations of each task in a slice
 */
function iterationsOf({ tasks, chosen }, operations, { sliceOperations }, { catalogue }) {
  const wanted = Math.min(sliceOperations, operations * PART_OF_RUN) / tasks;
  const batch = batchSizeOf(chosen.pipelining, catalogue) ?? 1;
  return Math.ceil(Math.max(wanted, FEWEST_ITERATIONS) / batch) * batch;
}

/**
 * @param {CellWorker} worker @param {Counter} counter @param {(length: RunLength) => Promise<Run>} run
 * @param {number} iterations
 */
async function countSlices(worker, counter, run, iterations) {
  const pid = Number(worker.worker().pid);
  /** @param {RunLength} length @param {number} times */
  async function count(length, times) {
    /** @type {Slice[]} */
    const all = [];
    while (all.length < times) {
      const { done, user, kernel } = await counter.count(pid, () => run(length));
      all.push({ run: done, user, kernel });
    }
    return all;
  }
  for (let slice = 0; slice < WARM_UP_SLICES; slice++) await run({ iterations });
  let slices = await count({ iterations }, SLICES);
  for (let attempt = 1; attempt < MOST_ATTEMPTS && !areSteady(slices); attempt++)
    slices = await count({ iterations }, SLICES);
  if (stillFalls(slices))
    throw new RunError('it was not warm: each slice had fewer instructions than the one before');
  return { fixed: await count({ iterations: 1 }, FIXED_COST_RUNS), slices };
}

/**
 * @param {CellWorker} worker @param {RunLength} length @param {number} start
 * @param {(observed: WatchedRun, round: number) => Run} runOf @returns {Promise<Run>}
 * @throws {RunError} where it is not what the cell claims to do
 */
async function checkedRun(worker, length, start, runOf) {
  const { connections, remarks } = worker.facts();
  /** @type {WatchedRun & {measured: Observed['measured']}} */
  const seen = { ...(await worker.observe(length)), connections, remarks };
  const run = runOf(seen, start);
  if (run.failed !== null) throw new RunError(run.failed);
  if (Number(seen.measured.batches?.waitedMs) > 0) throw new Waits();
  return run;
}
