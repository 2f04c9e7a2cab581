import { allOrNone } from '../process/wait.js';
import { startManagedServer, stopServer } from './managed.js';
import { removeAbandonedFolders } from './private-folder.js';
import { locateServer } from './sources.js';
import { clusterTarget, labelOf, sentinelTarget, withReplicas } from './target.js';

/** @import { Topology } from '../../options/types.js' */
/** @import { OpenOptions, Opened, ServerNode } from './open.js' */
/** @import { ManagedOptions } from './managed.js' */
/** @import { ManagedProcess, Server, Watched } from './types.js' */

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
  const isWatched = topology === 'sentinel';
  const { nodes, replicas, watched, stop } = await startServers(binary, {
    ...{ certificates, settings, cluster, replicatesByTls: cluster || isWatched },
    size: cluster ? clusterNodes : 1,
    args: cluster ? undefined : serverArgs,
    replicas: options.replicas || (isWatched ? REPLICAS_WATCHED : 0),
    downAfterMs: isWatched ? (options.downAfterMs ?? DOWN_AFTER_MS) : undefined,
  });
  const targets = cluster ? targetsOf(nodes) : watched ? watchedTargets(nodes[0], watched) : nodes[0].targets;
  return {
    processes: nodes,
    ...(watched && { watched }),
    targets: replicasIn(targets, replicas.flat()),
    nodes: nodes.map(nodeOf),
    replicas: replicas.map((own) => own.map(nodeOf)),
    isLocal: true,
    close: stop,
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
  /** @type {Watched | undefined} */
  let watched;
  async function stop() {
    await Promise.all((watched?.sentinels ?? []).map(stopServer));
    await Promise.all(replicas.flat().map(stopServer));
    await Promise.all(nodes.map(stopServer));
  }
  if (topology === 'standalone' && each === 0) return { nodes, replicas, watched, stop };
  try {
    const { joinCluster, startReplicas, startSentinels, untilAnnounced } = await import('./topologies.js');
    if (cluster) await joinCluster(nodes);
    if (each > 0) replicas = await startReplicas(nodes, each, topology);
    const all = [...nodes, ...replicas.flat()];
    if (downAfterMs !== undefined) watched = await startSentinels(binary, all, { downAfterMs, certificates });
    if (cluster && each > 0) await untilAnnounced(all, replicas.flat());
    return { nodes, replicas, watched, stop };
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

/** Sentinels name either plain or TLS ports. @param {ManagedProcess} primary @param {Watched} watched */
function watchedTargets({ targets }, { name, sentinels }) {
  const transport = targets.tls ? 'tls' : 'tcp';
  const places = sentinels.flatMap((sentinel) => sentinel.targets[transport] ?? []);
  return { [transport]: sentinelTarget(targets.tls ?? targets.tcp, places, name) };
}
