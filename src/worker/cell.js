import { loadPlugin } from '../registry.js';
import { loadClient } from './client-library.js';
import { createConnector } from './connector.js';
import { describeOptions } from './describe-options.js';
import { createItems } from './items.js';
import { measure } from './measure.js';
import { startProbes } from './probes.js';
import { createRecorder, noRecorder } from './recorder.js';

/**
 * One cell, ready to run: its client loaded, its data stored and read back.
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
  const library = await loadClient(client);
  const items = createItems(job);
  const connector = createConnector({
    connect: () => client.connect(job.target, client.variants[job.variant], library),
    wrap: pipelining.wrap,
    runId: job.runId,
  });
  const effectiveOptions = await storeData();

  /** @type {import('../types.js').Lease | undefined} */
  let lease;
  /** @type {{stopped: boolean}} */
  let control = { stopped: false };

  /** Stores what the workload reads, and checks that it can be read back. */
  async function storeData() {
    const connection = await connector.verified();
    try {
      if (workload.needsData) {
        for (const { key, value } of items.all()) {
          await connection.set(key, value);
          if ((await connection.get(key)) !== value) {
            throw new Error(`stored ${value.length} characters under '${key}' and read something else back`);
          }
        }
      }
      return describeOptions(connection.effectiveOptions);
    } finally {
      await connection.close();
    }
  }

  return {
    facts: { effectiveOptions },

    /** Opens the lease of the next run; with it the connections that are held during the run. */
    async open() {
      connector.startCounting();
      lease = await scenario.open({
        connect: scenario.opensDuringRun ? connector.fast : connector.verified,
        tasks: job.tasks,
        options: job.scenarioOptions,
      });
      return { connections: connector.opened() };
    },

    /** @param {import('../types.js').RunLength} length */
    async run(length) {
      if (!lease) throw new Error('the run was not opened');
      control = { stopped: false };
      connector.startCounting();
      const recorder = job.latency ? createRecorder() : noRecorder;
      const probes = startProbes();
      const measured = await measure({
        ...{ lease, items, steps: workload.steps, tasks: job.tasks, control, recorder },
        ...length,
      });
      return {
        ...measured,
        connectionsOpened: connector.opened(),
        client: probes.stop(),
        latencyHdr: recorder.encode(),
      };
    },

    /** Ends the run under way at the next iteration of each task. */
    stop() {
      control.stopped = true;
    },

    async close() {
      await lease?.close().catch(() => {});
      lease = undefined;
      connector.destroyAll();
    },

    /** Removes what this cell stored. */
    async finish() {
      const connection = await connector.verified();
      for (const { key } of items.all()) await connection.del(key);
      await connection.close();
    },
  };
}
