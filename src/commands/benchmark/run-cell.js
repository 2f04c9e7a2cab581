import { sum } from '../../descriptive-statistics.js';
import { RunError } from '../../errors.js';
import { MEASURING } from '../../method.js';
import { createCellLog, recordFailure, runOf } from '../../run/cell-log.js';
import { createCellWorker, createHost } from '../../run/cell-worker.js';
import { addEmitted, mergeSlices } from '../../run/merge-runs.js';
import { workersOf } from '../../run/plan/loads.js';
import { ownCpuUs } from '../../store/figures.js';
import { NOTHING_DONE, operationsCpuUs, operationsSwitches, sliceFigures } from '../../store/run-record.js';

/** @import { Cell, SkipReason } from '../../run/plan/types.js' */
/** @import { Host } from '../../run/cell-worker.js' */
/** @import { FixedCost } from '../../store/run-record.js' */
/** @import { Run, Slice } from '../../store/types.js' */
/** @import { Emitted, RunLength } from '../../worker/types.js' */
/** @import { Observer, RunContext } from '../../run/types.js' */

/** @typedef {ReturnType<typeof createCellRunner>} CellRunner */
/** @typedef {{seen: Awaited<ReturnType<Observer>>, figures: Slice}} TakenSlice */

/**
 * The first failure ends it; later calls then do nothing.
 * @param {Cell} cell
 * @param {RunContext} context
 * @param {Host} [host] whose process serves other cells as well
 */
export function createCellRunner(cell, context, host = createHost()) {
  const { signal, onEvent, placer, settings } = context;
  const log = createCellLog(cell, context);
  const isEvicted = (/** @type {TakenSlice['seen']} */ { evictedKeys }) =>
    evictedKeys > 0 && !settings.allowEviction;
  const worker = createCellWorker(cell, context, log, host);
  /** Since the last run: warm-ups and slices that were repeated count too. @type {Emitted | null} */
  let emitted = null;
  /** @type {Observer} */
  async function observe(length) {
    const { ratePerSecond } = log.current().openLoop ?? {};
    const seen = await worker.observe({ ratePerSecond, ...length });
    emitted = addEmitted([emitted, seen.emitted]);
    return seen;
  }
  const { workerCpus } = placer.placementFor(cell.pin);
  // Otherwise worker and server, or several workers, wait for each other.
  const ownProcessor = cell.pin === 'apart' && workerCpus !== null && workersOf(cell) === 1;
  /** @type {FixedCost | null} */
  let fixedCost = null;
  /** @type {TakenSlice[]} of the current run */
  let taken = [];
  /** @type {Run[]} of all its starts; a failure, even before the first run, is one too */
  const runs = [];
  let start = 0;
  /** Slices that this start may still repeat. */
  let repeatsLeft = 0;
  let hasEnded = false;
  let isReported = false;

  /** @template T @param {number} round @param {() => Promise<T>} work @returns {Promise<T | undefined>} */
  async function attempt(round, work) {
    if (hasEnded) return undefined;
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return undefined;
      hasEnded = true;
      await worker.started()?.kill();
      const when = { round, start, ...(emitted && { emitted }) };
      runs.push(await recordFailure(error, when, log, context));
      return undefined;
    }
  }

  /** Is not reported, unless it fails. @param {RunLength} length */
  async function tryOut(length) {
    const seen = await observe(length);
    const { failed } = runOf(seen, { round: 0, start }, cell, context);
    if (failed === null || failed === NOTHING_DONE) return seen;
    // A wrong reply now will be wrong in every run.
    if (seen.evictedKeys === 0) throw new RunError(failed);
    runs.push(log.fail({ round: 0, start }, failed));
    context.halt(failed);
    return undefined;
  }

  /** @param {RunLength} length */
  function warmUp(length) {
    onEvent({ type: 'run', cell, round: 0 });
    return tryOut(length);
  }

  /** The cost of a slice without operations: one iteration per task is hardly anything else. */
  async function measureFixedCost() {
    /** @type {FixedCost[]} */
    const costs = [];
    while (costs.length < MEASURING.fixedCostRuns) {
      const seen = await tryOut({ iterations: 1 });
      if (seen === undefined) return;
      const { client, taskIterations } = seen.measured;
      costs.push({
        cpuUs: ownCpuUs(client),
        operations: sum(taskIterations),
        contextSwitches: client.contextSwitches,
      });
    }
    fixedCost = costs.reduce((least, cost) => (cost.cpuUs < least.cpuUs ? cost : least));
  }

  /** @param {RunLength} length @returns {Promise<TakenSlice>} */
  async function execute(length) {
    const seen = await observe(length);
    const cpuUs = operationsCpuUs(seen.measured, fixedCost);
    const contextSwitches = operationsSwitches(seen.measured, fixedCost);
    const client = { ...seen.measured.client, cpuUs, contextSwitches };
    const net = { ...seen, measured: { ...seen.measured, client } };
    return { seen: net, figures: sliceFigures(net, ownProcessor ? workerCpus.length : null) };
  }

  /** @param {RunLength} length @returns {Promise<boolean>} whether the server evicted keys meanwhile */
  async function takeSlice(length) {
    if (taken.some(({ seen }) => hasFailed(seen) || isEvicted(seen))) return false;
    let slice = await execute(length);
    let repeats = 0;
    // By waiting for CPU, never by its result. A failed or stalled slice is kept, to be reported.
    while (slice.figures.disturbed && repeatsLeft > 0 && !isToReport(slice.seen)) {
      if (signal.aborted) return false;
      repeatsLeft--;
      repeats++;
      slice = await execute(length);
    }
    if (signal.aborted) return false;
    taken.push({ ...slice, figures: { ...slice.figures, repeats } });
    return isEvicted(slice.seen);
  }

  /** Records the run that its slices form. @param {number} round @param {boolean} isAwake @returns {Promise<Run | undefined>} */
  async function endRun(round, isAwake) {
    const slices = taken;
    taken = [];
    if (signal.aborted || slices.length === 0) return undefined;
    const observed = { ...mergeSlices(slices.map(({ seen }) => seen)), emitted };
    emitted = null;
    const done = {
      ...runOf(observed, { round, start }, log.current(), context),
      ...(isAwake && { awake: /** @type {const} */ (true) }),
      slices: slices.map(({ figures }) => figures),
    };
    runs.push(done);
    log.keep(done);
    onEvent({ type: 'run-end', cell: log.current(), round, run: done });
    if (done.failed === null) return done;
    // Later runs are still tried, but only the first failure is announced.
    if (!isReported) onEvent({ type: 'failure', cell: log.current(), message: done.failed });
    isReported = true;
    if (slices.some((slice) => isEvicted(slice.seen))) context.halt(done.failed);
    return done;
  }

  return {
    cell,
    host,
    runs,
    learn: log.learn,
    recordCell: log.recordKnown,
    current: log.current,
    moveTo: log.moveTo,
    /** Needs no more starts: later calls do nothing. */
    drop() {
      hasEnded = true;
    },

    /** Will not be measured: later calls do nothing. @param {SkipReason} skipped */
    leaveOut(skipped) {
      hasEnded = true;
      log.learn({ skipped });
    },

    /** Starts a worker, which loads the client and stores the data. @param {number} number from 1 */
    prepare(number) {
      start = number;
      return attempt(0, worker.begin);
    },
    /** @param {number} slices of a start that begins */
    expect(slices) {
      repeatsLeft = ownProcessor && cell.openLoop === null ? Math.ceil(slices * MEASURING.repeats) : 0;
    },
    /** @param {RunLength} length */
    warmUp: (length) => attempt(0, () => warmUp(length)),
    measureFixedCost: () => attempt(0, measureFixedCost),
    /** @param {number} round @param {RunLength} length */
    slice: (round, length) =>
      attempt(round, async () => {
        onEvent({ type: 'run', cell: log.current(), round });
        return takeSlice(length);
      }),
    /** @param {number} round @param {boolean} [isAwake] whether processors were kept awake in it */
    endRun: (round, isAwake = false) => attempt(round, () => endRun(round, isAwake)),

    /** Only after its timed runs. */
    async profile() {
      const own = worker.started();
      if (hasEnded || own === null) return;
      const { profileCell } = await import('../why/profile-cell.js');
      const profiles = await profileCell({ cell: log.current(), worker: own, observe }, context);
      if (Object.keys(profiles).length === 0) return;
      log.learn({ profiles });
      log.recordKnown();
    },

    isStarted: () => worker.started() !== null,
    isWarm: () => host.isWarm(cell),
    warmed: host.warmed,
    interrupt: worker.interrupt,
    leave: worker.leave,
    removeKeys: worker.finish,
  };
}

/** @param {TakenSlice['seen']} seen */
const hasFailed = ({ measured, expiredKeys }) =>
  measured.wrongReplies + Object.keys(measured.errors).length + expiredKeys > 0;

/** @param {TakenSlice['seen']} seen */
const isToReport = (seen) => seen.stalledMs > 0 || seen.evictedKeys > 0 || hasFailed(seen);
