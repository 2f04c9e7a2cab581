import { messageOf, ServerError } from '../errors.js';
import { until } from '../process/wait.js';
import { startManagedServer } from './managed.js';
import { startReplicas, stopReplica, untilAnnounced } from './replica.js';
import { clusterState, SLOTS, slotRanges } from './slots.js';

/** @import { Certificates, ManagedCluster, ManagedProcess } from './types.js' */

/** A new node refuses commands for 2 s; the nodes find each other in about the same time. */
const READY_WITHIN_MS = 20_000;
const POLL_EVERY_MS = 20;

/**
 * Starts a managed cluster: masters, each with its share of the slots, and their replicas. Each node has its own
 * guard, so that none outlives the tool.
 *
 * @param {string} binary path of a redis-server or valkey-server
 * @param {{size: number, replicas?: number, certificates?: Certificates, settings?: string[]}} options `replicas`: of each master
 * @returns {Promise<ManagedCluster>} once every node sees all slots served
 * @throws {ServerError} when that takes too long; all nodes are stopped by then
 */
export async function startManagedCluster(binary, { size, replicas: each = 0, certificates, settings }) {
  const starting = Array.from({ length: size }, () =>
    startManagedServer(binary, { certificates, settings, cluster: true }),
  );
  const started = await Promise.allSettled(starting);
  const nodes = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  /** @type {ManagedProcess[][]} */
  let replicas = [];
  async function stop() {
    await Promise.all(replicas.flat().map(stopReplica));
    await Promise.all(
      nodes.map((node) => {
        node.control.close();
        return node.stop();
      }),
    );
  }
  try {
    for (const each of started) if (each.status === 'rejected') throw each.reason;
    await join(nodes);
    await Promise.all(nodes.map((node) => ready(node)));
    if (each > 0) {
      replicas = await startReplicas(nodes, each, 'cluster');
      const all = [...nodes, ...replicas.flat()];
      await untilAnnounced(
        all.map(({ control }) => control),
        each,
      );
    }
    return { nodes, replicas, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Gives each node its slots and makes all of them known to each other. @param {ManagedProcess[]} nodes */
async function join(nodes) {
  await Promise.all(
    slotRanges(nodes.length).map(async ({ first, last }, index) => {
      const { command } = nodes[index].control;
      // Distinct from the start, which saves the nodes from resolving a conflict.
      await command('CLUSTER', 'SET-CONFIG-EPOCH', `${index + 1}`);
      await command('CLUSTER', 'ADDSLOTSRANGE', `${first}`, `${last}`).catch((error) => {
        if (!/unknown subcommand/i.test(messageOf(error.cause ?? error))) throw error;
        // Before Redis 7 a node takes its slots one by one.
        const slots = Array.from({ length: last - first + 1 }, (_, offset) => `${first + offset}`);
        return command('CLUSTER', 'ADDSLOTS', ...slots);
      });
    }),
  );
  // Introducing every pair is faster than waiting for gossip.
  await Promise.all(
    nodes.flatMap(({ control }, index) =>
      nodes.slice(index + 1).map(({ targets }) => {
        const { host, port } = targets.tls ?? targets.tcp;
        return control.command('CLUSTER', 'MEET', `${host}`, `${port}`);
      }),
    ),
  );
}

/** @param {ManagedProcess} node @throws {ServerError} when it takes too long */
async function ready({ control, targets }) {
  let served = 0;
  await until(
    async () => {
      const state = await clusterState(control);
      served = state.served;
      return state.ok && served === SLOTS;
    },
    {
      everyMs: POLL_EVERY_MS,
      withinMs: READY_WITHIN_MS,
      late: () =>
        new ServerError(
          `the managed cluster did not become ready within ${READY_WITHIN_MS / 1000} s: its node on port ` +
            `${targets.tcp.port} knows of ${served} of ${SLOTS} slots`,
        ),
    },
  );
}
