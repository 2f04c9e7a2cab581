import { messageOf, ServerError } from '../errors.js';
import { until } from '../process/wait.js';
import { clusterState, SLOTS, slotRanges } from './cluster.js';

/** @import { ManagedProcess } from './types.js' */

/** A new node refuses commands for 2 s; the nodes find each other in about the same time. */
const READY_WITHIN_MS = 20_000;
const POLL_EVERY_MS = 20;

/**
 * Gives each node its slots and makes all of them known to each other.
 *
 * @param {ManagedProcess[]} nodes
 * @throws {ServerError} when one of them does not see all slots served in time
 */
export async function joinCluster(nodes) {
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
  await Promise.all(nodes.map((node) => ready(node)));
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
