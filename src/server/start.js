import { startManagedCluster } from './cluster.js';
import { locateServer } from './locate.js';
import { startManagedServer } from './managed.js';
import { removeAbandonedFolders } from './private-folder.js';
import { clusterTarget, labelOf } from './target.js';
import { createCertificates } from './tls-files.js';

/**
 * @import { ServerError } from '../errors.js'
 * @import { Topology } from '../options/types.js'
 * @import { OpenOptions, Opened } from './open.js'
 * @import { ManagedOptions } from './managed.js'
 * @import { ManagedCluster, ManagedProcess, Server } from './types.js'
 */

/**
 * Starts a managed server, standalone or a cluster.
 *
 * @param {Topology} topology
 * @param {OpenOptions} options
 * @returns {Promise<Opened>}
 * @throws {ServerError}
 */
export async function start(
  topology,
  { serverBin, withTls = false, clusterNodes = 3, settings = [], serverArgs },
) {
  const binary = await locateServer({ serverBin });
  await removeAbandonedFolders();
  const certificates = withTls ? await createCertificates() : undefined;
  const { nodes, stop } =
    topology === 'cluster'
      ? await startManagedCluster(binary, { size: clusterNodes, certificates, settings })
      : await startOne(binary, { certificates, settings, args: serverArgs });
  return {
    processes: nodes,
    targets: topology === 'cluster' ? targetsOf(nodes) : nodes[0].targets,
    nodes: nodes.map(({ targets, control }) => ({ node: labelOf(targets.tcp), control })),
    isLocal: true,
    close: stop,
  };
}

/**
 * @param {string} binary
 * @param {ManagedOptions} options
 * @returns {Promise<ManagedCluster>} with one node
 */
async function startOne(binary, options) {
  const server = await startManagedServer(binary, options);
  return {
    nodes: [server],
    async stop() {
      server.control.close();
      await server.stop();
    },
  };
}

/**
 * @param {ManagedProcess[]} nodes of a cluster
 * @returns {Server['targets']} without unix sockets, because nodes redirect clients to ports
 */
function targetsOf(nodes) {
  const tcp = clusterTarget(nodes.map(({ targets }) => targets.tcp));
  const tls = nodes.flatMap(({ targets }) => targets.tls ?? []);
  return tls.length > 0 ? { tcp, tls: clusterTarget(tls) } : { tcp };
}
