import { messageOf, RunError, ServerError } from '../errors.js';
import { createRun, failedRun } from '../results/record.js';
import { difference } from '../server/info.js';
import { startWorkers } from './workers.js';

/**
 * A cell and its worker process: prepared once, run many times. The first failure ends the process;
 * its reason stands in the cell's runs, and every later call does nothing.
 *
 * @param {import('../types.js').Cell} cell
 * @param {import('../types.js').RunContext} context
 */
export function createCellRunner(cell, context) {
  const { server, placer, catalogue, onEvent, record } = context;
  const placement = placer.placementFor(cell.pin);
  const worker = startWorkers(placement.workerCpus, cell.processes, (second) =>
    onEvent({ type: 'second', cell, second }),
  );
  const opensDuringRun = catalogue.scenarios.get(cell.scenario)?.opensDuringRun ?? false;

  const ownProcessor = cell.pin === 'apart' && placement.workerCpus !== null && cell.processes === 1;

  /** @type {number | null} of each task; null in runs of a fixed time */
  let iterations = null;
  /** @type {Record<string, unknown>} */
  let effectiveOptions = {};
  const { openLoop } = cell;
  let failed = false;
  let connections = 0;

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
      const reason = messageOf(error);
      keep(failedRun(round, reason));
      await worker.kill();
      if (error instanceof ServerError) throw error;
      await server.control.ping();
      onEvent({ type: 'failure', cell, message: reason });
      return undefined;
    }
  }

  /** @param {import('../types.js').Run} run */
  const keep = (run) => record({ type: 'run', cell: cell.id, at: new Date().toISOString(), run });

  /**
   * The server moved to its place, its counters read, the clock started.
   *
   * @param {import('../types.js').RunLength} length
   * @returns {Promise<import('../types.js').Observed>}
   */
  async function observe(length) {
    await placer.pinServer(placement);
    await worker.call('before-run');
    const before = await server.snapshot();
    // An interrupt that came before the run would not be heard in it.
    if (context.signal.aborted) throw new RunError('interrupted');
    const figures = await runFor(length);
    const after = await server.snapshot();
    return { measured: figures, connections, seen: difference(before, after) };
  }

  /**
   * A run of a fixed time is ended from here: a timer in the worker would make the kernel set an alarm
   * whenever its event loop goes to sleep, which costs it 5 % more CPU.
   *
   * @param {import('../types.js').RunLength} length
   */
  function runFor({ iterations, durationMs }) {
    // An open loop ends with its schedule.
    const timer =
      durationMs === undefined || cell.openLoop !== null ? undefined : setTimeout(worker.stop, durationMs);
    return worker.call('run', { iterations, durationMs }).finally(() => clearTimeout(timer));
  }

  return {
    cell,
    iterations: () => iterations,
    /** @param {number | null} count */
    setIterations(count) {
      iterations = count;
    },

    /** Records what is known of the cell before its first timed run. */
    recordCell: () => record({ type: 'cell', cell: cell.id, iterations, effectiveOptions }),

    /** Loads the client in the worker, stores the data. */
    prepare: () =>
      attempt(0, async () => {
        const facts = await worker.call('prepare', createJob(cell, context));
        effectiveOptions = facts.effectiveOptions;
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
        const { failed: reason } = createRun({ round: 0, observed, opensDuringRun, openLoop });
        if (reason !== null) throw new RunError(reason);
        return observed.measured;
      }),

    /**
     * One timed run, recorded unless it was interrupted.
     *
     * @param {number} round
     * @param {import('../types.js').RunLength} length
     * @returns {Promise<import('../types.js').Run | undefined>} undefined when there is none
     */
    run: (round, length) =>
      attempt(round, async () => {
        onEvent({ type: 'run', cell, round });
        const observed = await observe(length);
        if (context.signal.aborted) return undefined;
        const run = createRun({ round, observed, opensDuringRun, ownProcessor, openLoop });
        keep(run);
        onEvent({ type: 'run-end', cell, round, run });
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
 * @param {import('../types.js').Cell} cell
 * @param {import('../types.js').RunContext} context
 * @returns {import('../types.js').Job}
 */
function createJob(cell, { server, settings, keyPrefix }) {
  const { client, variant, scenario, scenarioOptions, tasks, keySize, valueSize, shortestValue, keys } = cell;
  return {
    ...{ client, variant, scenario, scenarioOptions, tasks, keySize, valueSize, shortestValue, keys },
    pipelining: cell.chosen.pipelining,
    workload: cell.chosen.workload,
    value: settings.value,
    keyDistribution: settings.keyDistribution,
    seed: settings.seed,
    latency: settings.latency === 'on',
    load: cell.openLoop,
    part: { index: 0, count: 1 },
    keyPrefix,
    oneSlot: cell.topology === 'cluster' && settings.oneSlot,
    target: /** @type {import('../types.js').Target} */ (server.targets[cell.transport]),
    runIds: server.runIds,
  };
}
