import { RunError } from '../errors.js';
import { mergeSlices } from '../results/merge-runs.js';
import { createCellLog, recordFailure, runOf } from './cell-log.js';
import { createCellWorker } from './cell-worker.js';
import { profileCell } from './profile-cell.js';
import { createSlices } from './run-slices.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { Run, RunWarning } from '../results/types.js' */
/** @import { RunLength } from '../worker/types.js' */
/** @import { RunContext } from './contexts.js' */
/** @import { Observer } from './types.js' */

/** @typedef {ReturnType<typeof createCellRunner>} CellRunner */

/** The first failure ends it; later calls then do nothing. @param {Cell} cell @param {RunContext} context */
export function createCellRunner(cell, context) {
  const { signal, onEvent } = context;
  const log = createCellLog(cell, context);
  const worker = createCellWorker(cell, context, log);
  /** @type {Observer} */
  const observe = (length) =>
    worker.current().observe({ ratePerSecond: log.current().openLoop?.ratePerSecond, ...length });
  const slices = createSlices(cell, context, observe);
  /** @type {RunWarning[]} about all of its runs */
  const remarks = [];
  let start = 0;
  let hasEnded = false;
  let isReported = false;

  function factsOfRuns() {
    const { connections, remarks: own } = worker.current().facts;
    return { connections, remarks: [...own, ...remarks] };
  }

  /** @template T @param {number} round @param {() => Promise<T>} work @returns {Promise<T | undefined>} */
  async function attempt(round, work) {
    if (hasEnded) return undefined;
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return undefined;
      hasEnded = true;
      await worker.started()?.worker.kill();
      await recordFailure(error, { round, start }, log, context);
      return undefined;
    }
  }

  /** Records the run that its slices form. @param {number} round @returns {Promise<Run | undefined>} */
  async function endRun(round) {
    const taken = slices.take();
    if (signal.aborted || taken.length === 0) return undefined;
    const facts = factsOfRuns();
    const seen = mergeSlices(taken.map((slice) => ({ ...slice.seen, ...facts })));
    const done = {
      ...runOf(seen, { round, start }, log.current(), context),
      slices: taken.map(({ figures }) => figures),
    };
    log.keep(done);
    onEvent({ type: 'run-end', cell: log.current(), round, run: done });
    if (done.failed === null) return done;
    // Later runs are still tried, but only the first failure is announced.
    if (!isReported) onEvent({ type: 'failure', cell: log.current(), message: done.failed });
    isReported = true;
    if (taken.some((slice) => slice.seen.evictedKeys > 0)) context.halt(done.failed);
    return done;
  }

  /** @param {RunLength} length */
  async function warmUp(length) {
    onEvent({ type: 'run', cell, round: 0 });
    const observed = { ...(await observe(length)), ...factsOfRuns() };
    const { failed } = runOf(observed, { round: 0, start }, cell, context);
    if (failed === null) return observed.measured;
    // A wrong reply now will be wrong in every run.
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
    /** Needs no more starts: later calls do nothing. */
    drop() {
      hasEnded = true;
    },
    /** @param {RunWarning} fact about all of its runs */
    remark: (fact) => void remarks.push(fact),
    /** The number of tasks that its worker was warmed with; null if cold. */
    warmWith: () => worker.started()?.warmWith ?? null,
    markWarm() {
      worker.current().warmWith = cell.tasks;
    },

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
        if (slices.hasFailed()) return;
        onEvent({ type: 'run', cell: log.current(), round });
        await slices.run(length, mayRepeat);
      }),
    /** Of the current run. */
    slices: slices.figures,
    forget: slices.forget,
    /** @param {number} round */
    endRun: (round) => attempt(round, () => endRun(round)),

    /** Only after its timed runs. */
    async profile() {
      const own = worker.started();
      if (hasEnded || own === null) return;
      const profiles = await profileCell({ cell: log.current(), worker: own.worker, observe }, context);
      if (Object.keys(profiles).length === 0) return;
      log.learn({ profiles });
      log.recordKnown();
    },

    interrupt: worker.interrupt,
    removeKeys: worker.finish,
    leave: () => (hasEnded ? undefined : worker.leave()),
    end: worker.end,
  };
}
