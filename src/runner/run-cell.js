import { RunError } from '../errors.js';
import { workersOf } from '../plan/loads.js';
import { mergeSlices } from '../results/merge-runs.js';
import { withRelay } from '../results/relay-record.js';
import { createRun, failedRun } from '../results/run-record.js';
import { attempt, createCellLog } from './cell-log.js';
import { hasFinished } from './lives.js';
import { createObserver } from './observe.js';
import { prepareCell } from './prepare-cell.js';
import { profileCell } from './profile-cell.js';
import { createSlices } from './run-slices.js';
import { withEvictions } from './server-watch.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { Run } from '../results/types.js' */
/** @import { RunLength } from '../worker/types.js' */
/** @import { TakenSlice } from './run-slices.js' */
/** @import { Life, Observed, RunContext, WatchedRun } from './types.js' */

/**
 * A cell and the worker process that it has: started and prepared once or several times, and run many times.
 * The first failure ends the process and is recorded among the cell's runs; later calls do nothing.
 * @param {Cell} cell @param {RunContext} context
 */
export function createCellRunner(cell, context) {
  const log = createCellLog(cell, context.record);
  /** @type {MeasuredCell} */
  const measured = {
    cell,
    context,
    log,
    life: null,
    observe: (length) => lifeOf(measured).observe(length),
    start: 0,
    lasting: [],
    told: false,
    hasEnded: false,
  };
  const slices = createSlices(measured);
  return {
    cell,
    iterations: () => log.facts.iterations,
    /** @param {number | null} count of each task; null in runs of a fixed time */
    setIterations(count) {
      log.facts.iterations = count;
    },
    /** The warm-up gave up on it. */
    markCold() {
      log.facts.warm = false;
    },
    recordCell: log.recordFacts,
    /** It has shown what it can; all later calls do nothing. */
    drop() {
      measured.hasEnded = true;
    },
    /** @param {string} text about all of its runs */
    remark(text) {
      measured.lasting.push(text);
    },
    moveTo: log.moveTo,
    /** With how many tasks its worker was warmed; null where it is cold. */
    warmWith: () => measured.life?.warmWith ?? null,
    markWarm() {
      if (measured.life !== null) measured.life.warmWith = cell.tasks;
    },
    /** Starts a worker, which loads the client and stores the data. @param {number} start from 1 */
    prepare: (start) => attempt(measured, 0, () => prepareCell(measured, start)),
    /** @param {RunLength} length */
    warmUp: (length) => attempt(measured, 0, () => warmUp(measured, length)),
    measureFixedCost: () => attempt(measured, 0, () => slices.measureFixedCost()),
    /** @param {number} round @param {RunLength} length @param {boolean} [mayRepeat] */
    slice: (round, length, mayRepeat) => attempt(measured, round, () => slices.run(round, length, mayRepeat)),
    /** Of the run under way. */
    slices: slices.figures,
    forget: slices.forget,
    /** @param {number} round */
    endRun: (round) => attempt(measured, round, async () => endRun(measured, slices.take(), round)),
    /** Runs it once more, profiled; only after its timed runs. */
    profile: async () => (measured.hasEnded ? undefined : profileCell(measured)),
    interrupt: () => measured.life?.worker.interrupt(),

    /** @returns {Promise<boolean>} whether the cell could remove the keys it stored */
    async removeKeys() {
      return measured.life === null || hasFinished(measured.life);
    },

    /** Leaves the worker to the next cell that can have it. */
    leave() {
      if (measured.life !== null && !measured.hasEnded) context.lives?.keep(cell, measured.life);
      measured.life = null;
    },

    /** Ends the worker; another one may be prepared. */
    async end() {
      await measured.life?.worker.kill();
      measured.life = null;
    },
  };
}

/** @typedef {ReturnType<typeof createCellRunner>} CellRunner */

/** @typedef {Life & {observe: ReturnType<typeof createObserver>}} ObservedLife */

/**
 * @typedef {object} MeasuredCell
 * @property {Cell} cell
 * @property {RunContext} context
 * @property {ReturnType<typeof createCellLog>} log
 * @property {ObservedLife | null} life
 * @property {ObservedLife['observe']} observe
 * @property {number} start which life it is
 * @property {string[]} lasting remarks that hold for all starts
 * @property {boolean} told whether the user has heard of a failed run
 * @property {boolean} hasEnded it failed, or has shown what it can
 */

/** @param {Pick<MeasuredCell, 'life'>} measured */
function lifeOf({ life }) {
  if (life === null) throw new Error('a cell was run before its worker was started');
  return life;
}

/** @param {MeasuredCell} measured what holds for all runs of a life */
function factsOf({ life, lasting }) {
  const { connections, remarks } = lifeOf({ life }).facts;
  return { connections, remarks: [...remarks, ...lasting] };
}

/**
 * @param {MeasuredCell} measured @param {RunLength} length
 * @returns {Promise<Observed['measured'] | undefined>} undefined when the benchmark ends here
 * @throws {RunError} when it failed: a reply that is wrong now will be wrong in every run
 */
async function warmUp(measured, length) {
  const { cell, context } = measured;
  context.onEvent({ type: 'run', cell, round: 0 });
  const observed = { ...(await measured.observe(length)), ...factsOf(measured) };
  const { failed } = runOf(observed, { round: 0, start: measured.start }, cell, context);
  if (failed === null) return observed.measured;
  if (observed.evictedKeys === 0) throw new RunError(failed);
  measured.log.keep(failedRun({ round: 0, start: measured.start }, failed));
  context.onEvent({ type: 'failure', cell, message: failed });
  context.halt(failed);
  return undefined;
}

/**
 * Records the run that its slices make.
 * @param {MeasuredCell} measured @param {TakenSlice[]} slices @param {number} round
 * @returns {Run | undefined} undefined when it was interrupted
 */
function endRun(measured, slices, round) {
  const { context, log, start } = measured;
  if (context.signal.aborted || slices.length === 0) return undefined;
  const cell = log.current();
  const facts = factsOf(measured);
  const seen = mergeSlices(slices.map((slice) => ({ ...slice.seen, ...facts })));
  const done = {
    ...runOf(seen, { round, start }, cell, context),
    slices: slices.map(({ figures }) => figures),
  };
  log.keep(done);
  context.onEvent({ type: 'run-end', cell, round, run: done });
  // Later runs are still tried, but their failures are not announced again.
  if (done.failed !== null && !measured.told) {
    context.onEvent({ type: 'failure', cell, message: done.failed });
    measured.told = true;
  }
  if (seen.evictedKeys > 0 && done.failed !== null) context.halt(done.failed);
  return done;
}

/** @param {WatchedRun} observed @param {{round: number, start: number}} when @param {Cell} cell @param {RunContext} context */
function runOf(observed, when, cell, { placer, catalogue, settings }) {
  const { workerCpus } = placer.placementFor(cell.pin);
  const run = createRun({
    ...when,
    observed,
    opensDuringRun: catalogue.scenarios.get(cell.scenario)?.opensDuringRun ?? false,
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
