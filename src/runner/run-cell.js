import { withAdvice } from '../causes.js';
import { messageOf, RunError, ServerError } from '../errors.js';
import { prepareTimeout } from '../plan/run-timeout.js';
import { mergeSlices } from '../results/merge-slices.js';
import { createRun, failedRun } from '../results/record.js';
import { withRelay } from '../results/relay-record.js';
import { createCellLog } from './cell-log.js';
import { withEvictions } from './eviction-watch.js';
import { createJob } from './job.js';
import { createObserver } from './observe.js';
import { createSlices } from './run-slices.js';
import { lossOf, whileAnswering } from './server-watch.js';
import { startWorkers } from './workers.js';

/**
 * @import { Cell } from '../plan/types.js'
 * @import { Run } from '../results/types.js'
 * @import { Target } from '../server/types.js'
 * @import { RunLength } from '../worker/types.js'
 * @import { TakenSlice } from './run-slices.js'
 * @import { Observed, RunContext, WatchedRun, WorkerProcess } from './types.js'
 */

/**
 * A cell and its worker process: prepared once, run many times. The first failure ends the process and
 * is recorded among the cell's runs; later calls do nothing.
 *
 * @param {Cell} cell
 * @param {RunContext} context
 */
export function createCellRunner(cell, context) {
  const { workerCpus } = context.placer.placementFor(cell.pin);
  const worker = startWorkers(
    cell,
    workerCpus,
    (second) => context.onEvent({ type: 'second', cell, second }),
    context.catalogue.clients.get(cell.client)?.leaves,
  );
  const log = createCellLog(cell, context.record);
  /** @type {MeasuredCell} */
  const measured = {
    cell,
    context,
    worker,
    log,
    attempt: createAttempts(log, worker, context),
    observe: createObserver(cell, worker, context),
    connections: 0,
    remarks: [],
    told: false,
  };
  const slices = createSlices(measured);
  return {
    cell,
    iterations: () => log.facts.iterations,
    /** @param {number | null} count of each task; null in runs of a fixed time */
    setIterations(count) {
      log.facts.iterations = count;
    },
    recordCell: log.recordFacts,
    /** @param {string} text about all of its runs */
    remark: (text) => void measured.remarks.push(text),
    moveTo: log.moveTo,
    prepare: () => measured.attempt(0, () => prepare(measured)),
    /** @param {RunLength} length */
    warmUp: (length) => measured.attempt(0, () => warmUp(measured, length)),
    measureFixedCost: () => measured.attempt(0, () => slices.measureFixedCost()),
    /** @param {number} round @param {RunLength} length */
    slice: (round, length) => measured.attempt(round, () => slices.run(round, length)),
    /** @param {number} round */
    endRun: (round) => measured.attempt(round, async () => endRun(measured, slices.take(), round)),
    /** A run in one piece. @param {number} round @param {RunLength} length */
    async run(round, length) {
      await this.slice(round, length);
      return this.endRun(round);
    },
    interrupt: worker.interrupt,

    /** @returns {Promise<boolean>} whether the cell could remove the keys it stored */
    removeKeys: () =>
      worker.call('finish').then(
        () => true,
        () => false,
      ),

    end: worker.kill,
  };
}

/**
 * @typedef {object} MeasuredCell
 * @property {Cell} cell
 * @property {RunContext} context
 * @property {WorkerProcess} worker
 * @property {ReturnType<typeof createCellLog>} log
 * @property {ReturnType<typeof createAttempts>} attempt
 * @property {ReturnType<typeof createObserver>} observe
 * @property {number} connections held open between runs
 * @property {string[]} remarks what of its replies cannot be checked
 * @property {boolean} told whether the user has heard of a failed run
 */

/**
 * Wraps all work with a worker, to record the first failure and end the worker.
 *
 * @param {MeasuredCell['log']} log
 * @param {WorkerProcess} worker
 * @param {RunContext} context
 */
function createAttempts(log, worker, { server, signal, onEvent }) {
  let failed = false;
  /**
   * @template T
   * @param {number} round 0 before the first timed run
   * @param {() => Promise<T>} work
   * @returns {Promise<T | undefined>} undefined when it failed, or was interrupted
   * @throws {ServerError} when the server is gone, which concerns all cells
   */
  return async function attempt(round, work) {
    if (failed) return undefined;
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return undefined;
      failed = true;
      await worker.kill();
      const lost = error instanceof ServerError ? error : await lossOf(server);
      const reason = withAdvice(messageOf(error));
      const why = lost === null || lost === error ? reason : `${reason}; ${messageOf(lost)}`;
      log.keep(failedRun(round, why));
      if (lost) throw lost;
      onEvent({ type: 'failure', cell: log.current(), message: reason });
      return undefined;
    }
  };
}

/**
 * Loads the client in the worker and stores the data.
 *
 * @param {MeasuredCell} measured
 */
async function prepare(measured) {
  const { cell, context, worker, log } = measured;
  const { server, distant } = context;
  const target = distant ? await distant.targetOf(cell.transport) : server.targets[cell.transport];
  const ready = worker.call('prepare', createJob(cell, /** @type {Target} */ (target), context));
  const limitMs = prepareTimeout(context.settings.runTimeoutMs);
  const facts = await whileAnswering(server, ready, limitMs);
  log.facts.effectiveOptions = facts.effectiveOptions;
  measured.connections = facts.connections;
  measured.remarks = facts.remarks;
}

/**
 * @param {MeasuredCell} measured
 * @param {RunLength} length
 * @returns {Promise<Observed['measured'] | undefined>} undefined when the benchmark ends here
 * @throws {RunError} when it failed: a reply that is wrong now will be wrong in every run
 */
async function warmUp({ cell, context, ...measured }, length) {
  context.onEvent({ type: 'run', cell, round: 0 });
  const { connections, remarks } = measured;
  const observed = { ...(await measured.observe(length)), connections, remarks };
  const { failed } = runOf(observed, 0, cell, context);
  if (failed === null) return observed.measured;
  if (observed.evictedKeys === 0) throw new RunError(failed);
  measured.log.keep(failedRun(0, failed));
  context.onEvent({ type: 'failure', cell, message: failed });
  context.halt(failed);
  return undefined;
}

/**
 * Records the run that its slices make.
 *
 * @param {MeasuredCell} measured
 * @param {TakenSlice[]} slices
 * @param {number} round
 * @returns {Run | undefined} undefined when it was interrupted
 */
function endRun(measured, slices, round) {
  const { context, log, connections, remarks } = measured;
  if (context.signal.aborted || slices.length === 0) return undefined;
  const cell = log.current();
  const seen = mergeSlices(slices.map((slice) => ({ ...slice.seen, connections, remarks })));
  const done = { ...runOf(seen, round, cell, context), slices: slices.map(({ figures }) => figures) };
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

/**
 * @param {WatchedRun} observed
 * @param {number} round
 * @param {Cell} cell
 * @param {RunContext} context
 * @returns {Run}
 */
function runOf(observed, round, cell, { placer, catalogue, settings }) {
  const { workerCpus } = placer.placementFor(cell.pin);
  const run = createRun({
    round,
    observed,
    opensDuringRun: catalogue.scenarios.get(cell.scenario)?.opensDuringRun ?? false,
    openLoop: cell.openLoop,
    appWorkUs: cell.appWorkUs,
    ownProcessor: cell.pin === 'apart' && workerCpus !== null && cell.processes === 1,
    workerCpus: workerCpus?.length ?? null,
  });
  const relayed = withRelay(run, observed.relay, cell.distance);
  const checked = withEvictions(relayed, observed.evictedKeys, settings.allowEviction);
  if (observed.expiredKeys === 0) return checked;
  const expired = `${observed.expiredKeys} of the keys that were stored for it have expired`;
  return { ...checked, failed: checked.failed === null ? expired : `${expired}; ${checked.failed}` };
}
