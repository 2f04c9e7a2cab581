import { loadPlugin } from '../plugins/registry.js';
import { createAnswers } from './answers.js';
import { createBatchMeter } from './batch-meter.js';
import { loadClient } from './client-library.js';
import { createConnector } from './connector.js';
import { createCycle } from './cycle.js';
import { describeOptions } from './describe-options.js';
import { createItems } from './items.js';
import { measure, measureOpenLoop } from './measure.js';
import { startProbes } from './probes.js';
import { createNoRecorder, createRecorder } from './recorder.js';
import { roleOf } from './role.js';
import { startTogether } from './start-together.js';
import { expireKeys, missingKeys, removeKeys, storeData } from './store-data.js';
import { createTurnClock } from './turn-clock.js';

/**
 * @import { ClientPlugin, Connection, PipeliningPlugin } from '../plugins/types.js'
 * @import { Job, RunLength, Second } from './types.js'
 */

/**
 * One cell, ready to run: its client loaded, its connections open, its data stored and read back.
 *
 * The connections are opened once and serve all runs, and no other client is ever made in this
 * process: code that has seen one client only is compiled for that one. Measured, node-redis takes
 * 6 to 10 % more CPU on a shared connection once the process has made a second client.
 *
 * @param {Job} job
 */
export async function createCell(job) {
  const [client, scenario, pipelining, workload] = await Promise.all([
    loadPlugin('clients', job.client, job.pluginFolders),
    loadPlugin('scenarios', job.scenario, job.pluginFolders),
    loadPlugin('pipelining', job.pipelining.id, job.pluginFolders),
    loadPlugin('workloads', job.workload.id, job.pluginFolders),
  ]);
  const library = await loadClient(client, job.entry);
  const { role, part } = roleOf(job.part, workload.processes?.(job.workload.parameter) ?? 1);
  const items = createItems({ ...job, part });
  const iterations = workload.cycle(job.workload.parameter, role);
  const cycle = createCycle(iterations);
  const takeAnswers = createAnswers(iterations);
  const meter = createBatchMeter();
  const batchSize = pipelining.batchSize?.(job.pipelining.parameter);
  // Only in a batch are all commands of an operation under way at once.
  const commandsAtOnce = batchSize === undefined ? 1 : Math.max(...iterations.map((steps) => steps.length));
  const options = {
    ...client.variants[job.variant],
    ...job.clientOptions,
    ...switchedOn(client, pipelining),
  };
  const connector = createConnector({
    connect: () => client.connect(job.target, options, library),
    wrap: (connection) =>
      pipelining.wrap ? pipelining.wrap(connection, job.pipelining.parameter, meter) : connection,
    connectPool: (pool) =>
      /** @type {NonNullable<typeof client.connectPool>} */ (client.connectPool)(
        ...[job.target, options, library, pool],
      ),
  });
  const lease = await scenario.open({ ...connector, tasks: job.tasks, options: job.scenarioOptions });
  const connections = connector.opened();
  for (const connection of connector.open()) await connector.checkServer(connection, job.runIds);
  const effectiveOptions = await withConnection(async (connection) => {
    await connector.checkServer(connection, job.runIds);
    const stored = workload.prepare?.(job.workload.parameter) ?? [];
    await storeData(connection, items, stored);
    // SET would take the time to live away again, and that is work for the server.
    const onlyReads = iterations.flat().every(({ command }) => command === 'get' || command === 'exists');
    if (job.expireAfterMs !== null && stored.length > 0 && onlyReads)
      await expireKeys(connection, items, job.expireAfterMs);
    return describeOptions(connection.effectiveOptions);
  });

  /** @type {{stopped: boolean}} */
  let control = { stopped: false };

  /**
   * @template T
   * @param {(connection: Connection) => Promise<T>} use
   * @returns {PromiseLike<T>}
   */
  function withConnection(use) {
    return lease.forTask
      ? use(lease.forTask(0))
      : /** @type {NonNullable<typeof lease.borrow>} */ (lease.borrow)(use);
  }

  return {
    /** How many connections are held open, and the client's options as it uses them. */
    facts: { connections, effectiveOptions },

    /**
     * What a run needs besides its time: nothing, except where its data must not be there yet. Then the
     * first process removes it, and all begin with their first key again, so that those of different
     * roles meet at the same keys. Elsewhere the order goes on where the last run ended: were it to begin
     * again, short runs over many keys would never get beyond the first of them.
     */
    async beforeRun() {
      items.restart();
      if (job.part.index === 0)
        await withConnection((connection) => removeKeys(connection, items, job.removal));
    },

    /** @returns {PromiseLike<number>} how many of its keys are gone */
    missingKeys: () => withConnection((connection) => missingKeys(connection, items)),

    /**
     * @param {RunLength & {startAtMs?: number}} length without `iterations` a closed
     *   loop goes on until it is stopped; `startAtMs` is by the clock that all processes share
     * @param {(second: Second) => void} onSecond
     */
    async run({ iterations: count, durationMs = 0, ratePerSecond, startAtMs }, onSecond) {
      control = { stopped: false };
      meter.take();
      takeAnswers();
      const startedAtMs = await startTogether(startAtMs);
      const openedBefore = connector.opened();
      const cycleBefore = cycle.position();
      const probes = startProbes();
      const clock = createTurnClock(probes.atTurn);
      const recorder = job.latency ? createRecorder(clock) : createNoRecorder(clock);
      const work = { lease, items, cycle, tasks: job.tasks, batchSize, control, recorder, meter };
      const measured = await (job.load === null
        ? measure({ ...work, iterations: count })
        : measureOpenLoop({
            ...{ ...work, seed: job.seed, part: job.part, durationMs },
            load: { ...job.load, ratePerSecond: ratePerSecond ?? job.load.ratePerSecond },
            mostOperations: Math.floor(job.load.maxInFlight / commandsAtOnce),
            ...{ clock, latency: job.latency, onSecond },
          }));
      const operations = measured.taskIterations.reduce((sum, done) => sum + done, 0);
      return {
        openLoop: null,
        ...measured,
        startedAtMs,
        calls: cycle.commandsIn(cycleBefore, operations),
        answers: takeAnswers(),
        client: await probes.stop(),
        connectionsOpened: connector.opened() - openedBefore,
        latencyHdr: recorder.encode(),
        batches: meter.take(),
      };
    },

    /** Ends the run under way at the next iteration of each task. */
    stop() {
      control.stopped = true;
    },

    /**
     * Removes what this cell stored, and closes its connections.
     *
     * @param {() => void} [onProgress]
     */
    async finish(onProgress) {
      await withConnection((connection) => removeKeys(connection, items, job.removal, onProgress));
      await lease.close();
      connector.destroyAll();
    },
  };
}

/**
 * @param {ClientPlugin} client
 * @param {PipeliningPlugin} pipelining
 * @returns {Record<string, any>} the client's options that switch on what the mode requires
 */
const switchedOn = (client, { requires = [] }) =>
  Object.assign({}, ...requires.map((capability) => client.switches?.[capability]));
