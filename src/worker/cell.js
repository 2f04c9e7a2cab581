import { loadPlugin } from '../registry.js';
import { loadClient } from './client-library.js';
import { createConnector } from './connector.js';
import { describeOptions } from './describe-options.js';
import { createItems } from './items.js';
import { measure } from './measure.js';
import { startProbes } from './probes.js';
import { createRecorder, noRecorder } from './recorder.js';

/**
 * One cell, ready to run: its client loaded, its connections open, its data stored and read back.
 *
 * The connections are opened once and serve all runs, and no other client is ever made in this
 * process: code that has seen one client only is compiled for that one. Measured, node-redis takes
 * 6 to 10 % more CPU on a shared connection once the process has made a second client.
 *
 * @param {import('../types.js').Job} job
 */
export async function createCell(job) {
  const [client, scenario, pipelining, workload] = await Promise.all([
    loadPlugin('clients', job.client),
    loadPlugin('scenarios', job.scenario),
    loadPlugin('pipelining', job.pipelining),
    loadPlugin('workloads', job.workload),
  ]);
  const library = await loadClient(client, job.entry);
  const items = createItems(job);
  const connector = createConnector({
    connect: () => client.connect(job.target, client.variants[job.variant], library),
    wrap: pipelining.wrap,
  });
  const lease = await scenario.open({
    connect: () => connector.connect(),
    tasks: job.tasks,
    options: job.scenarioOptions,
  });
  const connections = connector.opened();
  for (const connection of connector.open()) await connector.checkServer(connection, job.runIds);
  const effectiveOptions = await withConnection(async (connection) => {
    await connector.checkServer(connection, job.runIds);
    if (workload.needsData) await storeData(connection, items);
    return describeOptions(connection.effectiveOptions);
  });

  /** @type {{stopped: boolean}} */
  let control = { stopped: false };

  /**
   * @template T
   * @param {(connection: import('../types.js').Connection) => Promise<T>} use
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

    /** @param {import('../types.js').RunLength} length */
    async run(length) {
      control = { stopped: false };
      const openedBefore = connector.opened();
      const recorder = job.latency ? createRecorder() : noRecorder;
      const probes = startProbes();
      const measured = await measure({
        ...{ lease, items, steps: workload.steps, tasks: job.tasks, control, recorder },
        ...length,
      });
      return {
        ...measured,
        client: await probes.stop(),
        connectionsOpened: connector.opened() - openedBefore,
        latencyHdr: recorder.encode(),
      };
    },

    /** Ends the run under way at the next iteration of each task. */
    stop() {
      control.stopped = true;
    },

    /** Removes what this cell stored, and closes its connections. */
    async finish() {
      await withConnection(async (connection) => {
        for (const { key } of items.all()) await connection.del(key);
      });
      await lease.close();
      connector.destroyAll();
    },
  };
}

/**
 * Stores what the workload reads, and checks that it can be read back.
 *
 * @param {import('../types.js').Connection} connection
 * @param {import('../types.js').Items} items
 */
async function storeData(connection, items) {
  for (const { key, value } of items.all()) {
    await connection.set(key, value);
    if ((await connection.get(key)) !== value) {
      throw new Error(
        `stored ${value.length} characters under a key of ${key.length} and read something else back`,
      );
    }
  }
}
