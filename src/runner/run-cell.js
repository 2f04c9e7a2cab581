import { RunError } from '../errors.js';
import { workersOf } from '../plan/loads.js';
import { mergeSlices } from '../results/merge-runs.js';
import { createRun, withRelay } from '../results/run-record.js';
import { createCellLog, recordFailure } from './cell-log.js';
import { createCellWorker } from './cell-worker.js';
import { countStart, createCounting } from './count-cell.js';
import { profileCell } from './profile-cell.js';
import { createSlices } from './run-slices.js';
import { withEvictions } from './server-watch.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { Run, RunWarning } from '../results/types.js' */
/** @import { RunLength } from '../worker/types.js' */
/** @import { When } from './cell-log.js' */
/** @import { CellWorker } from './cell-worker.js' */
/** @import { TakenSlice } from './run-slices.js' */
/** @import { RunContext } from './contexts.js' */
/** @import { Observer, WatchedRun } from './types.js' */

/** @typedef {ReturnType<typeof createCellRunner>} CellRunner */

/**
 * A cell: its worker, what is recorded of it, and the slices of the run in progress. It is prepared once or several times,
 * and run many times. The first failure ends its worker and is recorded among its runs; later calls do nothing.
 * @param {Cell} cell @param {RunContext} context
 */
export function createCellRunner(cell, context) {
  const { signal, onEvent } = context;
  const log = createCellLog(cell, context);
  const worker = createCellWorker(cell, context, log);
  /** @type {Observer} */
  const observe = (length) =>
    worker.observe({ ratePerSecond: log.current().openLoop?.ratePerSecond, ...length });
  const slices = createSlices(cell, context, observe);
  /** @type {RunWarning[]} about all of its runs */
  const remarks = [];
  let start = 0;
  let hasEnded = false;
  const count = createCounting(cell, log, context, (source, number, ofRun) =>
    countStart({ cell, start: number, operations: ofRun }, source, context, (observed, round) =>
      runOf(observed, { round, start: round }, cell, context),
    ),
  );
  /** Of its last timed run that succeeded. */
  let operations = 0;
  /** Whether the user has heard of a failed run. */
  let isReported = false;

  /**
   * @template T @param {number} round @param {() => Promise<T>} work
   * @returns {Promise<T | undefined>} undefined when it failed, or was interrupted
   * @throws {ServerError} when the server is gone, which concerns all cells
   */
  async function attempt(round, work) {
    if (hasEnded) return undefined;
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return undefined;
      hasEnded = true;
      await worker.kill();
      await recordFailure(error, { round, start }, log, context);
      return undefined;
    }
  }

  /** Records the run that its slices make. @param {number} round */
  async function endRun(round) {
    const taken = slices.take();
    if (signal.aborted || taken.length === 0) return undefined;
    const done = wholeRun(taken, factsOf(worker, remarks), { round, start }, log.current(), context);
    log.keep(done);
    if (done.failed === null) operations = done.operations;
    onEvent({ type: 'run-end', cell: log.current(), round, run: done });
    // Later runs are still tried, but their failures are not announced again.
    if (done.failed !== null && !isReported)
      onEvent({ type: 'failure', cell: log.current(), message: done.failed });
    isReported ||= done.failed !== null;
    if (done.failed !== null && taken.some(({ seen }) => seen.evictedKeys > 0)) context.halt(done.failed);
    return done;
  }

  /** @param {RunLength} length */
  async function warmUp(length) {
    onEvent({ type: 'run', cell, round: 0 });
    const observed = { ...(await observe(length)), ...factsOf(worker, remarks) };
    const { failed } = runOf(observed, { round: 0, start }, cell, context);
    if (failed === null) return observed.measured;
    // A reply that is wrong now will be wrong in every run.
    if (observed.evictedKeys === 0) throw new RunError(failed);
    log.fail({ round: 0, start }, failed);
    context.halt(failed);
    return undefined;
  }

  return {
    cell,
    iterations: log.iterations,
    learn: log.learn,
    recordCell: log.recordKnown,
    moveTo: log.moveTo,
    /** It has shown what it can; all later calls do nothing. */
    drop() {
      hasEnded = true;
    },
    /** @param {RunWarning} fact about all of its runs */
    remark: (fact) => void remarks.push(fact),
    warmWith: worker.warmWith,
    markWarm: worker.markWarm,

    /** Starts a worker, which loads the client and stores the data. @param {number} number from 1 */
    prepare(number) {
      start = number;
      return attempt(0, worker.begin);
    },
    /** @param {RunLength} length */
    warmUp: (length) => attempt(0, () => warmUp(length)),
    measureFixedCost: () => attempt(0, slices.measureFixedCost),
    /** @param {number} round @param {RunLength} length @param {boolean} [mayRepeat] */
    slice: (round, length, mayRepeat) =>
      attempt(round, async () => {
        // A run that has failed is over.
        if (slices.hasFailed()) return;
        onEvent({ type: 'run', cell: log.current(), round });
        await slices.run(length, mayRepeat);
      }),
    /** Of the run in progress. */
    slices: slices.figures,
    forget: slices.forget,
    /** @param {number} round */
    endRun: (round) => attempt(round, () => endRun(round)),

    /** Runs it once more, profiled; only after its timed runs. */
    async profile() {
      if (hasEnded || !worker.isStarted()) return;
      const profiles = await profileCell({ cell: log.current(), worker: worker.worker(), observe }, context);
      if (Object.keys(profiles).length === 0) return;
      log.learn({ profiles });
      log.recordKnown();
    },

    /**
     * A start of its own, counted; only after all timed ones.
     * @param {number} number from 1 @returns whether its worker could remove its keys
     */
    count: async (number) => hasEnded || operations === 0 || count(number, operations),

    interrupt: worker.interrupt,
    removeKeys: worker.finish,
    /** Leaves the worker to the next cell that can have it. */
    leave: () => (hasEnded ? undefined : worker.leave()),
    end: worker.end,
  };
}

/** @param {CellWorker} worker @param {RunWarning[]} remarks @returns what holds for all runs of a worker */
function factsOf(worker, remarks) {
  const facts = worker.facts();
  return { connections: facts.connections, remarks: [...facts.remarks, ...remarks] };
}

/**
 * @param {TakenSlice[]} slices @param {ReturnType<typeof factsOf>} facts @param {When} when @param {Cell} cell
 * @param {RunContext} context @returns {Run}
 */
const wholeRun = (slices, facts, when, cell, context) => ({
  ...runOf(mergeSlices(slices.map(({ seen }) => ({ ...seen, ...facts }))), when, cell, context),
  slices: slices.map(({ figures }) => figures),
});

/** @param {WatchedRun} observed @param {When} when @param {Cell} cell @param {RunContext} context */
function runOf(observed, when, cell, { placer, catalogue, settings }) {
  const { workerCpus } = placer.placementFor(cell.pin);
  const run = createRun({
    ...when,
    observed,
    opensDuringRun: catalogue.scenarios.get(cell.scenario)?.opensDuringRun ?? false,
    isWatched: cell.topology === 'sentinel',
    openLoop: cell.openLoop,
    appWorkUs: cell.appWorkUs,
    ownProcessor: cell.pin === 'apart' && workerCpus !== null && workersOf(cell) === 1,
    workerCpus: workerCpus?.length ?? null,
  });
  const relayed = withRelay(run, observed.relay, cell.distance);
  const checked = withEvictions(relayed, observed.evictedKeys, settings.allowEviction);
  if (observed.expiredKeys === 0) return checked;
  const expired = `${observed.expiredKeys} of the keys that were stored for it have expired`;
  return { ...checked, failed: checked.failed === null ? expired : `${expired}; ${checked.failed}` };
}
