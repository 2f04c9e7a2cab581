import { createClient } from 'redis';
import { makeCertificates } from '../../src/server/certificates.js';
import { parseInfo } from '../../src/server/counters.js';
import { startServers } from '../../src/server/open.js';
import { locateServer } from '../../src/server/sources.js';
import { clusterTarget } from '../../src/server/target.js';
import { keepPorts } from './free-port.js';

/** One key for each node of three, and how many there are in all. */
export const KEYS = ['a', 'b', 'c'];

/**
 * A real cluster of three masters, and connections of its own to each node.
 *
 * @param {{tls?: boolean}} [options]
 */
export async function startCluster({ tls = false } = {}) {
  const certificates = tls ? makeCertificates() : undefined;
  const cluster = await startServers(await locateServer(), { size: 3, cluster: true, certificates });
  const clients = await Promise.all(
    cluster.nodes.map(async ({ targets: { tcp } }) => {
      const socket = { host: tcp.host, port: tcp.port, reconnectStrategy: /** @type {false} */ (false) };
      const client = createClient({ RESP: 2, disableClientInfo: true, socket });
      client.on('error', () => {});
      return client.connect();
    }),
  );
  /** @param {number} node @param {...string} command @returns {Promise<any>} as redis-cli would get it */
  const query = (node, ...command) => clients[node].sendCommand(command);
  const { tcp } = cluster.nodes[0].targets;

  return {
    nodes: cluster.nodes,
    certificates,
    query,
    /** @param {...string} command */
    queryAll: (...command) => Promise.all(clients.map((_, node) => query(node, ...command))),
    target: clusterTarget(cluster.nodes.map(({ targets }) => targets.tcp)),
    tlsTarget: tls ? clusterTarget(cluster.nodes.flatMap(({ targets }) => targets.tls ?? [])) : undefined,
    url: `redis://${tcp.host}:${tcp.port}`,

    /** @param {number} node */
    info: async (node) => parseInfo(String(await query(node, 'INFO', 'all'))),

    /** @returns {Promise<number[]>} connections to each node, without those of this helper and of the tool's control */
    connections: () =>
      Promise.all(
        clients.map(async (_, node) => {
          const info = parseInfo(String(await query(node, 'INFO', 'clients')));
          return Number(info.connected_clients) - 2;
        }),
      ),

    async stop() {
      for (const client of clients) if (client.isOpen) client.destroy();
      await cluster.stop();
      const targets = cluster.nodes.flatMap((node) => Object.values(node.targets));
      keepPorts(...targets.flatMap(({ port }) => port ?? []));
    },
  };
}
