import { messageOf, RunError } from '../errors.js';
import { batchSizeOf } from '../plan/loads.js';
import { areSteady, countedStart, stillFalls } from '../results/count-record.js';
import { runOf } from './cell-log.js';
import { createCellWorker } from './cell-worker.js';
import { lossOf } from './server-watch.js';
import { startWorkers } from './workers.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { Slice } from '../results/count-record.js' */
/** @import { CountedStart, Notice, Run } from '../results/types.js' */
/** @import { RunLength } from '../worker/types.js' */
/** @import { CellLog } from './cell-log.js' */
/** @import { RunContext } from './contexts.js' */
/** @import { Counter, CounterSource } from './types.js' */

/** After 16 slices redis:tuned still took 1.5x its later instructions, and starts differed by when V8 compiled it. */
const WARM_UP_SLICES = 64;
const SLICES = 5;
/** If garbage still makes slices differ after this many tries, they count anyway. */
const MOST_ATTEMPTS = 4;
/** On a busy machine, a slice of redis under valgrind exceeded the 30 s of other runs. */
const RUNS_WITHIN_MS = 300_000;
const FIXED_COST_RUNS = 3;
/** Per task: one iteration measures little but the fixed cost. */
const FEWEST_ITERATIONS = 5;
/** A slice is at most this share of a timed run, or slow cells would take minutes. */
const PART_OF_RUN = 1 / 4;

/**
 * Counts instructions per operation after the timed runs, in a new worker each time.
 * @param {Cell} cell @param {Pick<CellLog, 'learn' | 'recordKnown'>} log @param {RunContext} context
 * @param {(source: CounterSource, start: number, operations: number) => Promise<Counted>} countOnce
 */
export function createCounting(cell, log, context, countOnce) {
  const { signal, server, warn } = context;
  const source = /** @type {CounterSource} */ (context.counter);
  /** @type {CountedStart[]} */
  const starts = [];
  let hasEnded = false;
  /** @param {Extract<Notice, {kind: 'not-counted'}>['reason']} reason @param {string | null} [why] */
  function end(reason, why = null) {
    hasEnded = true;
    warn({ kind: 'not-counted', reason, cell: why === null ? null : cell.id, why });
  }
  /** @param {number} start @param {number} operations @returns {Promise<boolean>} whether its keys were removed */
  return async function count(start, operations) {
    const reason = whyNever(cell);
    if (hasEnded) return true;
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

/** What else counts would include. @param {Cell} cell @returns {'processes' | 'beside' | 'app-work' | null} */
function whyNever({ processes, beside, appWorkUs }) {
  if (processes > 1) return 'processes';
  if (beside.length > 0) return 'beside';
  return appWorkUs > 0 ? 'app-work' : null;
}

/** It polls the clock until its time has come. */
class Waits extends Error {}

/** @typedef {{counted: CountedStart, isClean: boolean}} Counted `isClean`: its worker removed its keys */

/**
 * @param {{cell: Cell, start: number, operations: number}} what @param {CounterSource} source
 * @param {RunContext} context @returns {Promise<Counted>}
 */
export async function countStart({ cell, start, operations }, source, context) {
  const { signal, settings } = context;
  const counter = await source.open();
  const { under, folder } = counter;
  const worker = createCellWorker(cell, {
    ...context,
    idleWorkers: null,
    isCounted: true,
    settings: { ...settings, runTimeoutMs: settings.runTimeoutMs ?? RUNS_WITHIN_MS },
    startWorkers: (each, ...rest) => startWorkers({ ...each, under, folder }, ...rest),
  });
  /** @param {RunLength} length @throws {RunError} if the run did not do what the cell claims */
  async function run(length) {
    const { observe, facts } = worker.current();
    const { connections, remarks } = facts;
    const seen = { ...(await observe(length)), connections, remarks };
    const done = runOf(seen, { round: start, start }, cell, context);
    if (done.failed !== null) throw new RunError(done.failed);
    if (Number(seen.measured.batches?.waitedMs) > 0) throw new Waits();
    return done;
  }
  signal.addEventListener('abort', worker.interrupt);
  try {
    await worker.begin();
    const { pid } = worker.current().worker;
    const iterations = iterationsOf(cell, operations, source, context);
    const { fixed, slices } = await countSlices(Number(pid), counter, run, iterations);
    const counted = countedStart({ start, source: source.name }, fixed, slices);
    return { counted, isClean: await worker.finish() };
  } finally {
    signal.removeEventListener('abort', worker.interrupt);
    await worker.end();
    await counter.close();
  }
}

/** @param {Cell} cell @param {number} operations @param {CounterSource} source @param {RunContext} context */
function iterationsOf({ tasks, chosen }, operations, { sliceOperations }, { catalogue }) {
  const wanted = Math.min(sliceOperations, operations * PART_OF_RUN) / tasks;
  const batch = batchSizeOf(chosen.pipelining, catalogue) ?? 1;
  return Math.ceil(Math.max(wanted, FEWEST_ITERATIONS) / batch) * batch;
}

/**
 * @param {number} pid @param {Counter} counter @param {(length: RunLength) => Promise<Run>} run
 * @param {number} iterations
 */
async function countSlices(pid, counter, run, iterations) {
  /** @param {number} times @param {number} [each] iterations per task */
  async function count(times, each = iterations) {
    /** @type {Slice[]} */
    const all = [];
    while (all.length < times) {
      const { done, ...counts } = await counter.count(pid, () => run({ iterations: each }));
      all.push({ run: done, ...counts });
    }
    return all;
  }
  for (let slice = 0; slice < WARM_UP_SLICES; slice++) await run({ iterations });
  let slices = await count(SLICES);
  for (let attempt = 1; attempt < MOST_ATTEMPTS && !areSteady(slices); attempt++)
    slices = await count(SLICES);
  if (stillFalls(slices))
    throw new RunError('it was not warm: each slice had fewer instructions than the one before');
  return { fixed: await count(FIXED_COST_RUNS, 1), slices };
}
