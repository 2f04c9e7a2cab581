import { allOrNone } from '../process/wait.js';
import { startManagedServer, stopServer } from './managed.js';
import { removeAbandonedFolders } from './private-folder.js';
import { locateServer } from './sources.js';
import { clusterTarget, labelOf, sentinelTarget, withReplicas } from './target.js';

/** @import { Topology } from '../../options/types.js' */
/** @import { OpenOptions, Opened, ServerNode } from './open.js' */
/** @import { ManagedOptions } from './managed.js' */
/** @import { ManagedProcess, Server } from './types.js' */

/** After a failover one replica is left to follow the new primary. */
const REPLICAS_WATCHED = 2;
/** Sentinel's default: without a fault no primary should count as down. */
const DOWN_AFTER_MS = 30_000;

/** @param {Topology} topology @param {OpenOptions} options @returns {Promise<Opened>} */
export async function start(
  topology,
  { serverBin, withTls = false, clusterNodes = 3, settings = [], serverArgs, ...options },
) {
  const binary = await locateServer({ serverBin });
  await removeAbandonedFolders();
  // Loaded only here: few benchmarks use TLS.
  const certificates = withTls ? (await import('./certificates.js')).makeCertificates() : undefined;
  const cluster = topology === 'cluster';
  const size = cluster ? clusterNodes : 1;
  const args = cluster ? undefined : serverArgs;
  const watched = topology === 'sentinel';
  const replicas = options.replicas || (watched ? REPLICAS_WATCHED : 0);
  const downAfterMs = watched ? (options.downAfterMs ?? DOWN_AFTER_MS) : undefined;
  const started = await startServers(binary, {
    ...{ size, replicas, certificates, settings, cluster, args, downAfterMs },
    replicatesByTls: cluster || watched,
  });
  const { nodes, sentinels } = started;
  const name = watched ? (await import('./sentinel.js')).MASTER_NAME : '';
  const all = [...nodes, ...started.replicas.flat()];
  const targets = cluster
    ? targetsOf(nodes)
    : watched
      ? watchedTargets(nodes[0], sentinels, name)
      : nodes[0].targets;
  return {
    processes: nodes,
    ...(watched && { watched: { name, sentinels, servers: all } }),
    targets: replicasIn(targets, started.replicas.flat()),
    nodes: nodes.map(nodeOf),
    replicas: started.replicas.map((own) => own.map(nodeOf)),
    isLocal: true,
    close: started.stop,
  };
}

/**
 * With `downAfterMs`, Sentinels watch the first server. Each process has a guard, so none outlives the tool.
 * @param {string} binary
 * @param {ManagedOptions & Pick<OpenOptions, 'downAfterMs' | 'replicas'> & {size: number}} options
 */
export async function startServers(binary, { size, replicas: each = 0, downAfterMs, ...options }) {
  const { cluster = false, certificates } = options;
  const topology = cluster ? 'cluster' : downAfterMs === undefined ? 'standalone' : 'sentinel';
  const starting = Array.from({ length: size }, () => startManagedServer(binary, options));
  const nodes = await allOrNone(starting, stopServer);
  /** @type {ManagedProcess[][]} */
  let replicas = [];
  /** @type {ManagedProcess[]} */
  let sentinels = [];
  async function stop() {
    await Promise.all(sentinels.map(stopServer));
    await Promise.all(replicas.flat().map(stopServer));
    await Promise.all(nodes.map(stopServer));
  }
  try {
    if (cluster) await (await import('./cluster.js')).joinCluster(nodes);
    if (each > 0) replicas = await (await import('./replica.js')).startReplicas(nodes, each, topology);
    if (downAfterMs !== undefined) {
      const { startSentinels } = await import('./sentinel.js');
      sentinels = await startSentinels(binary, nodes[0], { replicas: each, downAfterMs, certificates });
    }
    if (cluster && each > 0) {
      const controls = [...nodes, ...replicas.flat()].map(({ control }) => control);
      await (await import('./replica.js')).untilAnnounced(controls, each);
    }
    return { nodes, replicas, sentinels, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param {ManagedProcess} process @returns {ServerNode} */
const nodeOf = ({ targets, control }) => ({ node: labelOf(targets.tcp), control });

/** @param {Server['targets']} targets @param {ManagedProcess[]} replicas @returns {Server['targets']} with replicas */
function replicasIn(targets, replicas) {
  if (replicas.length === 0) return targets;
  const withAll = (/** @type {'tcp' | 'tls'} */ transport, target = targets[transport]) => {
    const own = replicas.flatMap((replica) => replica.targets[transport] ?? []);
    return target && { [transport]: withReplicas(target, own) };
  };
  return { ...targets, ...withAll('tcp'), ...withAll('tls') };
}

/** No unix sockets: nodes redirect clients to ports. @param {ManagedProcess[]} nodes @returns {Server['targets']} */
function targetsOf(nodes) {
  const tcp = clusterTarget(nodes.map(({ targets }) => targets.tcp));
  const tls = nodes.flatMap(({ targets }) => targets.tls ?? []);
  return tls.length > 0 ? { tcp, tls: clusterTarget(tls) } : { tcp };
}

/** Sentinels name either plain or TLS ports. @param {ManagedProcess} primary @param {ManagedProcess[]} sentinels @param {string} name */
function watchedTargets({ targets }, sentinels, name) {
  const transport = targets.tls ? 'tls' : 'tcp';
  const places = sentinels.flatMap((sentinel) => sentinel.targets[transport] ?? []);
  return { [transport]: sentinelTarget(targets.tls ?? targets.tcp, places, name) };
}
