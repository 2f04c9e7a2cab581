import { ServerError } from '../errors.js';
import { allOrNone, cleanUpAndRethrow, succeeds, until } from '../process/wait.js';
import { difference, runIdIn, snapshotOf, sumOf } from './counters.js';
import { ANSWER_WITHIN_MS } from './explain.js';
import { startManagedServer, stopAll, stopServer } from './managed.js';
import { memoryOf } from './memory.js';
import { countPrefixes, findRemoval, reasonOf, removeKeys } from './own-keys.js';
import { removeAbandonedFolders } from './private-folder.js';
import { numberIn } from './replies.js';
import { hangTimeout } from './server-watch.js';
import { locateServer } from './sources.js';
import { clusterTarget, labelOf, sentinelTarget, transportsTo, withReplicas } from './target.js';

/** @import { Settings, Topology, Transport } from '../options/types.js' */
/** @import { ManagedOptions } from './managed.js' */
/** @import { ServerSource } from './sources.js' */
/** @import { Control, ManagedProcess, OpenOptions, Server, ServerFacts, ServerNode, Snapshot } from './types.js' */
/** @import { Target, Watched } from './types.js' */
/** @import { Notice } from '../store/types.js' */

/**
 * @typedef {Pick<Server, 'targets' | 'nodes' | 'isLocal' | 'processes' | 'watched' | 'close'> & {replicas?: ServerNode[][]}} Opened
 *   `replicas`: those of each node
 */

/** @param {Target | null} external @param {OpenOptions} [options] @returns {Promise<Server>} */
export async function openServer(external, options = {}) {
  const { topology = 'standalone' } = options;
  const opened = await (external
    ? (await import('./reach.js')).reach(external, topology, options)
    : start(topology, options));
  return describe(opened, topology, external, options).catch(cleanUpAndRethrow(opened.close));
}

/**
 * Closes the servers already open if one fails.
 * @param {{source: ServerSource, topology: Topology, key: string, withTls: boolean}[]} needed
 * @param {Pick<Settings, 'clusterNodes' | 'replicas' | 'readFrom'> & Pick<OpenOptions, 'addressMap'>} settings
 */
export async function openServers(needed, { clusterNodes, replicas, readFrom, addressMap }) {
  /** @type {Server[]} */
  const servers = [];
  try {
    for (const { source, ...each } of needed) {
      const server = await openServer(source.external, {
        ...each,
        name: nameOf(source),
        settings: source.settings,
        serverBin: source.binary ?? undefined,
        clusterNodes,
        replicas,
        addressMap,
        withReplicas: readFrom?.includes('replica'),
      });
      const same = servers.find(({ runIds }) => runIds !== null && `${runIds}` === `${server.runIds}`);
      if (same?.facts.name !== undefined) server.facts.sameAs = same.facts.name;
      servers.push(server);
    }
    return servers;
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()));
    throw error;
  }
}

/** @param {ServerSource} source */
const nameOf = ({ server, serverConfig }) => [server, serverConfig].filter(Boolean).join(', ') || undefined;

/** After a failover one replica is left to follow the new primary. */
const REPLICAS_WATCHED = 2;
/** Sentinel's default: a primary that nobody disturbs should not count as down. */
const DOWN_AFTER_MS = 30_000;

/** @param {Topology} topology @param {OpenOptions} options @returns {Promise<Opened>} */
async function start(
  topology,
  { serverBin, withTls, clusterNodes = 3, settings = [], serverArgs, replicas: each, downAfterMs },
) {
  const binary = await locateServer({ serverBin });
  await removeAbandonedFolders();
  // Loaded only here: few benchmarks use TLS.
  const certificates = withTls ? (await import('./certificates.js')).makeCertificates() : undefined;
  const cluster = topology === 'cluster';
  const isWatched = topology === 'sentinel';
  const { nodes, replicas, watched, stop } = await startServers(binary, {
    certificates,
    settings,
    cluster,
    replicatesByTls: cluster || isWatched,
    size: cluster ? clusterNodes : 1,
    args: cluster ? undefined : serverArgs,
    replicas: each || (isWatched ? REPLICAS_WATCHED : 0),
    downAfterMs: isWatched ? (downAfterMs ?? DOWN_AFTER_MS) : undefined,
  });
  const offered = transportsTo(nodes[0].targets);
  const ports = offered.filter((transport) => transport !== 'unix');
  // Nodes redirect clients to ports, Sentinels to either plain or TLS ones.
  const transports = cluster ? ports : isWatched ? ports.slice(-1) : offered;
  /** @param {Transport} transport */
  function targetFor(transport) {
    const of = (/** @type {ManagedProcess[]} */ all) =>
      all.flatMap(({ targets }) => targets[transport] ?? []);
    const [own, others] = [of(nodes), of(replicas.flat())];
    const target = cluster
      ? clusterTarget(own)
      : watched
        ? sentinelTarget(own[0], of(watched.sentinels), watched.name)
        : own[0];
    return others.length === 0 || transport === 'unix' ? target : withReplicas(target, others);
  }
  /** @param {ManagedProcess} process @returns {ServerNode} */
  const nodeOf = ({ targets, control }) => ({ node: labelOf(targets.tcp), control });
  return {
    processes: nodes,
    ...(watched && { watched }),
    targets: Object.fromEntries(transports.map((transport) => [transport, targetFor(transport)])),
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
    for (const all of [watched?.sentinels ?? [], replicas.flat(), nodes]) await stopAll(all);
  }
  if (topology === 'standalone' && each === 0) return { nodes, replicas, watched, stop };
  try {
    const { joinCluster, startReplicas, startSentinels } = await import('./topologies.js');
    if (cluster) await joinCluster(nodes);
    if (each > 0) replicas = await startReplicas(nodes, each, topology);
    const all = [...nodes, ...replicas.flat()];
    if (downAfterMs !== undefined) watched = await startSentinels(binary, all, { downAfterMs, certificates });
    return { nodes, replicas, watched, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** redis-benchmark prints these too, because each changes what is measured. */
const CONFIG = ['save', 'appendonly', 'maxmemory', 'io-threads'];

/**
 * @param {Opened} opened @param {Topology} topology @param {Target | null} external
 * @param {OpenOptions} options @returns {Promise<Server>} @throws {ServerError} for one node of a cluster
 */
async function describe({ nodes, replicas = [], ...opened }, topology, external, options) {
  const others = replicas.flat();
  const [infos, replicaInfos] = await Promise.all([nodes, others].map(infosOf));
  const [info] = infos;
  const mode = info.redis_mode ?? info.server_mode ?? null;
  if (external && topology === 'standalone' && mode === 'cluster') {
    throw new ServerError(
      `${labelOf(external)} is a node of a cluster and has only some of the keys; use --topology cluster`,
    );
  }
  // All nodes share software and configuration, so one can answer for all.
  const control = { ...nodes[0].control, ping: () => Promise.all(nodes.map((each) => each.control.ping())) };
  const config = await Promise.all(CONFIG.map(async (name) => [name, await control.config(name)]));
  /** @type {ServerFacts} */
  const facts = {
    kind: external ? 'external' : 'managed',
    ...softwareOf(info),
    mode,
    transports: transportsTo(opened.targets),
    nodes: topology === 'cluster' ? nodes.map(({ node }) => node) : null,
    ...(others.length > 0 && { replicas: others.map(({ node }) => node) }),
    config: Object.fromEntries(config),
    ...(external && { roundTripUs: await roundTripOf(control) }),
    ...(options.name !== undefined && { name: options.name }),
  };
  const memory = infos.flatMap((each) => memoryOf(each) ?? []);
  const runIds = infos.flatMap((each) => runIdIn(each) ?? []);
  const known = runIds.length === nodes.length ? runIds : null;
  const removal = external ? await findRemoval(control) : ['DEL'];
  /** @type {Promise<number> | undefined} */
  let uncounted;
  const snapshot = () => takeSnapshot(nodes, topology, others);
  return {
    ...opened,
    nodes,
    key: options.key ?? topology,
    kind: facts.kind,
    topology,
    control,
    memory: memory.length === nodes.length ? memory : null,
    noInfo: await whyNoInfo(nodes, infos),
    runIds: known && [...known, ...replicaInfos.flatMap((each) => runIdIn(each) ?? [])],
    pids: [...infos, ...replicaInfos].flatMap(({ process_id }) => numberIn(process_id) ?? []),
    freeConnections: freeConnectionsOf(infos, await control.config('maxclients')),
    facts,
    warnings: external ? [...tlsWarnings(external), ...durabilityWarnings(infos, facts.config.save)] : [],
    replicated: () => untilReplicated(nodes, replicas),
    async snapshot() {
      const taken = await snapshot();
      if (taken !== null) checkSame(taken.runId, known);
      return taken;
    },
    uncounted: (prefix) => (uncounted ??= uncountedOf(nodes, snapshot, prefix)),
    async askMemory(onRead = () => {}) {
      const asking = nodes.map(async (each) => {
        const reply = await each.control.info('memory');
        if (reply !== null) onRead(reply);
        return memoryOf(reply?.fields ?? {});
      });
      const found = (await Promise.all(asking)).flatMap((each) => each ?? []);
      return found.length === nodes.length ? found : null;
    },
    async confirm() {
      await control.ping();
      if (known !== null) checkSame((await takeSnapshot(nodes, topology))?.runId ?? null, known);
    },
    removal,
    async removeKeys(prefixes) {
      const removed = new Map(prefixes.map((prefix) => [prefix, 0]));
      if (removed.size > 0)
        await Promise.all(nodes.map((each) => removeKeys(each.control, removal, removed)));
      return removed;
    },
    async findPrefixes() {
      /** @type {Map<string, number>} */
      const found = new Map();
      for (const each of nodes) await countPrefixes(each.control, found);
      return found;
    },
    onKey: (...command) => onKey(nodes, command, hangTimeout(undefined)),
    options,
  };
}

/** @param {ServerNode[]} nodes @returns {Promise<Record<string, string>[]>} */
const infosOf = (nodes) =>
  Promise.all(nodes.map(async ({ control }) => (await control.info())?.fields ?? {}));

/** @param {ServerNode[]} nodes @param {Record<string, string>[]} infos @returns {Promise<'denied' | 'unknown' | null>} no permission, or no such command */
async function whyNoInfo(nodes, infos) {
  const without = nodes.find((_, index) => Object.keys(infos[index]).length === 0);
  const refused = await without?.control.command('INFO').then(() => null, reasonOf);
  return refused == null ? null : /\bNOPERM\b/.test(refused) ? 'denied' : 'unknown';
}

/** @param {Pick<ServerNode, 'control'>[]} nodes @param {[string, string, ...string[]]} command @param {number} [limitMs] */
export async function onKey(nodes, command, limitMs = ANSWER_WITHIN_MS) {
  for (const { control } of nodes) {
    try {
      return await control.commandWithin(limitMs, ...command);
    } catch (error) {
      if (!/\bMOVED\b/.test(reasonOf(error))) throw error;
    }
  }
  throw new ServerError(`no node of the cluster says that it has the key '${command[1]}'`);
}

const SENT = 100;

/**
 * @param {ServerNode[]} nodes @param {() => Promise<Snapshot | null>} snapshot @param {string} prefix
 * @returns {Promise<number>} 0 where this user may not send them, which proves nothing against the server
 */
async function uncountedOf(nodes, snapshot, prefix) {
  const keys = Array.from({ length: SENT }, (_, index) => `${prefix}?${index}`);
  const before = await snapshot();
  const isAllowed = await succeeds(Promise.all(keys.map((key) => onKey(nodes, ['EXISTS', key]))));
  const grown = difference(before, await snapshot());
  if (!isAllowed || grown === null) return 0;
  return Math.max(0, SENT - ((grown.calls === null ? grown.commands : grown.calls.exists) ?? 0));
}

/** A restarted or different server lacks our data. @param {string | null} found @param {string[] | null} known */
function checkSame(found, known) {
  if (found === null || known === null || found === known.join()) return;
  throw new ServerError(
    `the server was restarted, or another one has taken its place: expected run_id ${known.join()}, found ${found}`,
  );
}

/** Whichever comes first. The fastest PING is the one that other programs delayed least. */
const PINGS = { count: 20, mostMs: 200 };

/** @param {Control} control @returns {Promise<number>} */
async function roundTripOf(control) {
  const times = [];
  const endMs = performance.now() + PINGS.mostMs;
  do {
    const startedMs = performance.now();
    await control.ping();
    times.push(performance.now() - startedMs);
  } while (times.length < PINGS.count && performance.now() < endMs);
  return Math.min(...times) * 1000;
}

/** @param {Record<string, string>[]} infos @param {string | null} maxclients not in INFO before Redis 6.2 */
function freeConnectionsOf(infos, maxclients) {
  const free = infos.flatMap((info) => {
    const [most, taken] = [info.maxclients ?? maxclients, info.connected_clients].map(numberIn);
    return most === null || taken === null ? [] : Math.max(0, most - taken);
  });
  return free.length === infos.length ? Math.min(...free) : null;
}

/** Other servers also report a redis_version for old clients. @param {Record<string, string>} info */
function softwareOf(info) {
  if (info.valkey_version) return { software: 'Valkey', version: info.valkey_version };
  if (info.dragonfly_version) return { software: 'Dragonfly', version: info.dragonfly_version };
  return { software: 'Redis', version: info.redis_version ?? null };
}

/** @param {Target} external @returns {Notice[]} */
const tlsWarnings = (external) =>
  external.tls === undefined || external.tls.rejectUnauthorized
    ? []
    : [{ kind: 'certificate-unverified', server: labelOf(external) }];

/** @param {Record<string, string>[]} infos @param {string | null} save @returns {Notice[]} */
function durabilityWarnings(infos, save) {
  const replicas = Math.max(...infos.map(({ connected_slaves: count }) => numberIn(count) ?? 0));
  const aof = infos.some(({ aof_enabled: enabled }) => enabled === '1');
  return aof || save || replicas > 0 ? [{ kind: 'writes-copied', aof, rdb: Boolean(save), replicas }] : [];
}

/** @param {ServerNode[]} nodes @param {Topology} topology @param {ServerNode[]} [replicas] */
async function takeSnapshot(nodes, topology, replicas = []) {
  const asking = [...nodes, ...replicas].map(async ({ node, control }) => {
    const snapshot = snapshotOf(await control.info());
    return snapshot === null ? [] : [{ node, snapshot }];
  });
  const all = (await Promise.all(asking)).flat();
  if (all.length < asking.length) return null;
  const own = all.slice(0, nodes.length);
  const snapshot = topology === 'cluster' ? sumOf(own) : own[0].snapshot;
  return replicas.length === 0 ? snapshot : { ...snapshot, replicas: all.slice(nodes.length) };
}

/** Enough to restore a lost link and catch up. */
const REPLICATED_WITHIN_MS = 30_000;
const POLL_EVERY_MS = 2;

/** Waits until replicas catch up. @param {ServerNode[]} nodes @param {ServerNode[][]} replicas */
async function untilReplicated(nodes, replicas) {
  /** @param {ServerNode} replica @param {number} wanted */
  async function untilAt({ node, control }, wanted) {
    /** @type {number | null} */
    let at = null;
    const isThere = async () => {
      at = numberIn((await control.info())?.fields.slave_repl_offset);
      return at !== null && at >= wanted;
    };
    const late = () =>
      new ServerError(
        `the replica ${node} is behind its primary for ${REPLICATED_WITHIN_MS / 1000} s: it is at ${at ?? 'no known offset'}, and ${wanted} was expected`,
      );
    await until(isThere, { everyMs: POLL_EVERY_MS, withinMs: REPLICATED_WITHIN_MS, late });
  }
  const waiting = replicas.map(async (own, index) => {
    const wanted = numberIn((await nodes[index].control.info())?.fields.master_repl_offset);
    // Some servers do not report their offset.
    if (wanted !== null) await Promise.all(own.map((replica) => untilAt(replica, wanted)));
  });
  await Promise.all(waiting);
}
