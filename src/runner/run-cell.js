import { withAdvice } from '../causes.js';
import { messageOf, RunError, ServerError } from '../errors.js';
import { atRate } from '../plan/cells.js';
import { prepareTimeout } from '../plan/run-timeout.js';
import { createRun, failedRun } from '../results/record.js';
import { createObserver } from './observe.js';
import { lossOf, whileAnswering } from './server-watch.js';
import { startWorkers } from './workers.js';

/**
 * @import { Cell } from '../plan/types.js'
 * @import { Run } from '../results/types.js'
 * @import { Target } from '../server/types.js'
 * @import { Job, Measured, RunLength } from '../worker/types.js'
 * @import { Observed, RunContext } from './types.js'
 */

/**
 * A cell and its worker process: prepared once, run many times. The first failure ends the process;
 * its reason stands in the cell's runs, and every later call does nothing.
 *
 * @param {Cell} cell
 * @param {RunContext} context
 */
export function createCellRunner(cell, context) {
  const { server, placer, catalogue, onEvent, record } = context;
  const placement = placer.placementFor(cell.pin);
  const worker = startWorkers(cell, placement.workerCpus, (second) =>
    onEvent({ type: 'second', cell, second }),
  );
  const opensDuringRun = catalogue.scenarios.get(cell.scenario)?.opensDuringRun ?? false;

  const ownProcessor = cell.pin === 'apart' && placement.workerCpus !== null && cell.processes === 1;
  const workerCpus = placement.workerCpus?.length ?? null;

  /** @type {number | null} of each task; null in runs of a fixed time */
  let iterations = null;
  /** @type {Record<string, unknown>} */
  let effectiveOptions = {};
  /** The cell as it is measured now: in a search its rate changes. */
  let current = cell;
  let failed = false;
  let told = false;
  let connections = 0;
  const observeRun = createObserver(cell, worker, context);
  /** @param {RunLength} length @returns {Promise<Observed>} */
  const observe = async (length) => ({ ...(await observeRun(length)), connections });

  /**
   * @template T
   * @param {number} round 0 before the first timed run
   * @param {() => Promise<T>} work
   * @returns {Promise<T | undefined>}
   * @throws {ServerError} when the reason is that the server is gone, which is not this cell's affair
   */
  async function attempt(round, work) {
    if (failed) return undefined;
    try {
      return await work();
    } catch (error) {
      if (context.signal.aborted) return undefined;
      failed = true;
      await worker.kill();
      const lost = error instanceof ServerError ? error : await lossOf(server);
      const reason = withAdvice(messageOf(error));
      keep(failedRun(round, lost === null || lost === error ? reason : `${reason}; ${messageOf(lost)}`));
      if (lost) throw lost;
      onEvent({ type: 'failure', cell, message: reason });
      return undefined;
    }
  }

  /** @param {Run} run */
  const keep = (run) => record({ type: 'run', cell: current.id, at: new Date().toISOString(), run });

  /** Records what is known of the cell before its first timed run. */
  const recordCell = () => record({ type: 'cell', cell: current.id, iterations, effectiveOptions });

  return {
    cell,
    iterations: () => iterations,
    /** @param {number | null} count */
    setIterations(count) {
      iterations = count;
    },

    recordCell,

    /**
     * @param {number} ratePerSecond of the runs that follow
     * @returns {Cell} that they belong to
     */
    moveTo(ratePerSecond) {
      if (ratePerSecond === current.openLoop?.ratePerSecond) return current;
      current = atRate(cell, ratePerSecond);
      record({ type: 'planned', cell: current });
      recordCell();
      return current;
    },

    /** Loads the client in the worker, stores the data. */
    prepare: () =>
      attempt(0, async () => {
        const ready = worker.call('prepare', createJob(cell, context));
        const limitMs = prepareTimeout(context.settings.runTimeoutMs);
        const facts = await whileAnswering(server, ready, limitMs);
        effectiveOptions = facts.effectiveOptions;
        connections = facts.connections;
      }),

    /**
     * @param {RunLength} length
     * @returns {Promise<Measured | undefined>} undefined when it failed
     */
    warmUp: (length) =>
      attempt(0, async () => {
        onEvent({ type: 'run', cell, round: 0 });
        const observed = await observe(length);
        // A reply that is wrong now will be wrong in every run.
        const { openLoop } = cell;
        const { failed: reason } = createRun({ round: 0, observed, opensDuringRun, openLoop });
        if (reason !== null) throw new RunError(reason);
        return observed.measured;
      }),

    /**
     * One timed run, recorded unless it was interrupted.
     *
     * @param {number} round
     * @param {RunLength} length
     * @returns {Promise<Run | undefined>} undefined when there is none
     */
    run: (round, length) =>
      attempt(round, async () => {
        onEvent({ type: 'run', cell: current, round });
        const { openLoop } = current;
        const observed = await observe({ ...length, ratePerSecond: openLoop?.ratePerSecond });
        if (context.signal.aborted) return undefined;
        const run = createRun({ round, observed, opensDuringRun, ownProcessor, workerCpus, openLoop });
        keep(run);
        onEvent({ type: 'run-end', cell: current, round, run });
        // The next run may fail as well, or not; it is tried, but not told again.
        if (run.failed !== null && !told) onEvent({ type: 'failure', cell: current, message: run.failed });
        told ||= run.failed !== null;
        return run;
      }),

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
 * @param {Cell} cell
 * @param {RunContext} context
 * @returns {Job}
 */
function createJob(cell, { server, settings, clientOptions, keyPrefix }) {
  const { client, variant, scenario, scenarioOptions, tasks, keySize, valueSize, shortestValue, keys } = cell;
  return {
    ...{ client, variant, scenario, scenarioOptions, tasks, keySize, valueSize, shortestValue, keys },
    entry: cell.release?.entry ?? null,
    pipelining: cell.chosen.pipelining,
    workload: cell.chosen.workload,
    value: settings.value,
    keyDistribution: settings.keyDistribution,
    seed: settings.seed,
    latency: settings.latency === 'on',
    clientOptions: clientOptions[client] ?? {},
    load: cell.openLoop,
    part: { index: 0, count: 1 },
    keyPrefix,
    oneSlot: cell.topology === 'cluster' && settings.oneSlot,
    target: /** @type {Target} */ (server.targets[cell.transport]),
    runIds: server.runIds,
  };
}
