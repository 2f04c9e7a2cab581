import { startManagedCluster } from './cluster.js';
import { locateServer } from './locate.js';
import { startManagedServer } from './managed.js';
import { removeAbandonedFolders } from './private-folder.js';
import { startReplicas, stopReplica } from './replica.js';
import { clusterTarget, labelOf, withReplicas } from './target.js';
import { createCertificates } from './tls-files.js';

/** @import { ServerError } from '../errors.js' */
/** @import { Topology } from '../options/types.js' */
/** @import { OpenOptions, Opened } from './open.js' */
/** @import { ManagedOptions } from './managed.js' */
/** @import { ServerNode } from './nodes.js' */
/** @import { ManagedCluster, ManagedProcess, Server } from './types.js' */

/**
 * Starts a managed server, standalone or a cluster.
 *
 * @param {Topology} topology @param {OpenOptions} options @returns {Promise<Opened>} @throws {ServerError}
 */
export async function start(
  topology,
  { serverBin, withTls = false, clusterNodes = 3, replicas: each = 0, settings = [], serverArgs },
) {
  const binary = await locateServer({ serverBin });
  await removeAbandonedFolders();
  const certificates = withTls ? await createCertificates() : undefined;
  const { nodes, replicas, stop } =
    topology === 'cluster'
      ? await startManagedCluster(binary, { size: clusterNodes, replicas: each, certificates, settings })
      : await startOne(binary, { certificates, settings, args: serverArgs }, each);
  return {
    processes: nodes,
    targets: replicasIn(topology === 'cluster' ? targetsOf(nodes) : nodes[0].targets, replicas.flat()),
    nodes: nodes.map(nodeOf),
    replicas: replicas.map((own) => own.map(nodeOf)),
    isLocal: true,
    close: stop,
  };
}

/**
 * @param {string} binary @param {ManagedOptions} options @param {number} each how many replicas it gets
 * @returns {Promise<ManagedCluster>} with one node
 */
async function startOne(binary, options, each) {
  const server = await startManagedServer(binary, options);
  /** @type {ManagedProcess[][]} */
  let replicas = [];
  async function stop() {
    await Promise.all(replicas.flat().map(stopReplica));
    server.control.close();
    await server.stop();
  }
  try {
    if (each > 0) replicas = await startReplicas([server], each, 'standalone');
    return { nodes: [server], replicas, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param {ManagedProcess} process @returns {ServerNode} */
const nodeOf = ({ targets, control }) => ({ node: labelOf(targets.tcp), control });

/**
 * @param {Server['targets']} targets
 * @param {ManagedProcess[]} replicas
 * @returns {Server['targets']} the same, which also say where the replicas are
 */
function replicasIn(targets, replicas) {
  if (replicas.length === 0) return targets;
  const { tcp, tls, ...others } = targets;
  return {
    ...others,
    ...(tcp && {
      tcp: withReplicas(
        tcp,
        replicas.flatMap(({ targets }) => targets.tcp),
      ),
    }),
    ...(tls && {
      tls: withReplicas(
        tls,
        replicas.flatMap(({ targets }) => targets.tls ?? []),
      ),
    }),
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
