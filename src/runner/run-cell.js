import { setTimeout as sleep } from 'node:timers/promises';
import { withAdvice } from '../causes.js';
import { messageOf, RunError, ServerError } from '../errors.js';
import { createRun, failedRun } from '../results/record.js';
import { createObserver } from './observe.js';
import { startWorker } from './worker-process.js';

/** While nothing is measured, the server may be asked whether it still answers. */
const ASK_EVERY_MS = 1000;

/**
 * A cell and its worker process: prepared once, run many times. The first failure ends the process;
 * its reason stands in the cell's runs, and every later call does nothing.
 *
 * @param {import('../types.js').Cell} cell
 * @param {import('../types.js').RunContext} context
 */
export function createCellRunner(cell, context) {
  const { server, placer, keyPrefix, settings, catalogue, onEvent } = context;
  const placement = placer.placementFor(cell.pin);
  const worker = startWorker(placement.workerCpus);
  const steps = catalogue.workloads.get(cell.workload)?.steps ?? [];
  const opensDuringRun = catalogue.scenarios.get(cell.scenario)?.opensDuringRun ?? false;

  const ownProcessor = cell.pin === 'apart' && placement.workerCpus !== null;

  /** @type {import('../types.js').MeasuredCell} */
  const measured = { cell, iterations: null, effectiveOptions: {}, runs: [] };
  let failed = false;
  let connections = 0;
  const observeRun = createObserver(cell, worker, context);
  /** @param {import('../types.js').RunLength} length @returns {Promise<import('../types.js').Observed>} */
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
      measured.runs.push(
        failedRun(round, lost === null || lost === error ? reason : `${reason}; ${messageOf(lost)}`),
      );
      if (lost) throw lost;
      onEvent({ type: 'failure', cell, message: reason });
      return undefined;
    }
  }

  return {
    measured,

    /** Loads the client in the worker, stores the data. */
    prepare: () =>
      attempt(0, async () => {
        const {
          client,
          variant,
          scenario,
          scenarioOptions,
          pipelining,
          workload,
          tasks,
          keySize,
          valueSize,
        } = cell;
        const ready = worker.call('prepare', {
          ...{ client, variant, scenario, scenarioOptions, pipelining, workload, tasks, keySize, valueSize },
          value: settings.value,
          latency: settings.latency === 'on',
          keyPrefix,
          oneSlot: settings.oneSlot,
          target: server.targets[cell.transport],
          runIds: server.runIds,
        });
        const facts = await whileAnswering(server, ready);
        measured.effectiveOptions = facts.effectiveOptions;
        connections = facts.connections;
      }),

    /**
     * @param {import('../types.js').RunLength} length
     * @returns {Promise<import('../types.js').Measured | undefined>} undefined when it failed
     */
    warmUp: (length) =>
      attempt(0, async () => {
        onEvent({ type: 'run', cell, round: 0 });
        const observed = await observe(length);
        // A reply that is wrong now will be wrong in every run.
        const { failed: reason } = createRun({ round: 0, observed, steps, opensDuringRun });
        if (reason !== null) throw new RunError(reason);
        return observed.measured;
      }),

    /**
     * One timed run, recorded unless it was interrupted.
     *
     * @param {number} round
     * @param {import('../types.js').RunLength} length
     */
    run: (round, length) =>
      attempt(round, async () => {
        onEvent({ type: 'run', cell, round });
        const observed = await observe(length);
        if (context.signal.aborted) return;
        const run = createRun({ round, observed, steps, opensDuringRun, ownProcessor });
        measured.runs.push(run);
        onEvent({ type: 'run-end', cell, round, run });
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
 * @param {import('../types.js').Server} server
 * @returns {Promise<ServerError | null>} why it is of no use any more, if so
 */
const lossOf = (server) =>
  server.confirm().then(
    () => null,
    (error) => error,
  );

/**
 * Waits for work that is not measured as long as the server answers.
 *
 * @template T
 * @param {import('../types.js').Server} server
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 * @throws {ServerError} when it does not
 */
async function whileAnswering(server, work) {
  let over = false;
  const watch = async () => {
    while (!over) {
      await sleep(ASK_EVERY_MS, undefined, { ref: false });
      if (!over) await server.control.ping();
    }
    return work;
  };
  return Promise.race([work, watch()]).finally(() => {
    over = true;
  });
}
