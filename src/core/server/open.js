import { ServerError } from '../errors.js';
import { until } from '../process/wait.js';
import { snapshotOf, sumOf } from './counters.js';
import { countPrefixes, findRemoval, reasonOf, removeKeys } from './own-keys.js';
import { start } from './start.js';
import { labelOf } from './target.js';

/** @import { Settings, Topology, Transport } from '../../options/types.js' */
/** @import { Control, ManagedProcess, NodeAddress, Server, ServerSource, Target, ServerFacts, Watched } from './types.js' */
/** @import { Notice } from '../store/types.js' */

/**
 * @typedef {object} OpenOptions
 * @property {Topology} [topology]
 * @property {boolean} [withTls] managed only
 * @property {number} [clusterNodes] masters of a managed cluster
 * @property {number} [replicas] per managed master
 * @property {number} [downAfterMs] silence before managed Sentinels consider a server down
 * @property {boolean} [withReplicas] external cluster only
 * @property {Record<string, NodeAddress>} [addressMap] where announced servers are reached, by `host:port`
 * @property {string} [serverBin]
 * @property {string[]} [settings] redis.conf lines
 * @property {string} [key] which cells run on it
 * @property {string} [name] as in rows
 * @property {string[]} [serverArgs] managed standalone only
 *
 * @typedef {object} Opened
 * @property {Partial<Record<Transport, Target>>} targets
 * @property {ServerNode[]} nodes
 * @property {ServerNode[][]} [replicas] those of each node
 * @property {boolean} isLocal
 * @property {ManagedProcess[]} [processes]
 * @property {Watched} [watched]
 * @property {() => Promise<void>} close
 */

/** @param {Target | null} external @param {OpenOptions} [options] */
export async function openServer(external, options = {}) {
  const { topology = 'standalone' } = options;
  const opened = await (external
    ? (await import('./reach.js')).reach(external, topology, options)
    : start(topology, options));
  try {
    return await describe(opened, topology, external, options);
  } catch (error) {
    await opened.close();
    throw error;
  }
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
        ...{ name: nameOf(source), settings: source.settings, serverBin: source.binary ?? undefined },
        ...{ clusterNodes, replicas, addressMap, withReplicas: readFrom?.includes('replica') },
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
function nameOf({ server, serverConfig, serverCopy }) {
  const copy = serverCopy > 1 ? `#${serverCopy}` : '';
  return [[server, copy].filter(Boolean).join(' '), serverConfig].filter(Boolean).join(', ') || undefined;
}

/**
 * @param {Opened} opened @param {Topology} topology @param {Target | null} external
 * @param {OpenOptions} options
 */
async function describe({ nodes, replicas = [], ...opened }, topology, external, options) {
  const [infos, replicaInfos] = await Promise.all([nodes, replicas.flat()].map(infosOf));
  const control = controlOf(nodes);
  const facts = await factsOf(infos[0], { nodes, replicas, control, external, topology, ...opened });
  const memory = infos.flatMap((info) => memoryOf(info) ?? []);
  const runIds = infos.flatMap(({ run_id }) => run_id ?? []);
  const known = runIds.length === nodes.length ? runIds : null;
  const removal = external ? await findRemoval(control) : ['DEL'];
  return {
    ...opened,
    nodes,
    key: options.key ?? topology,
    kind: facts.kind,
    topology,
    control,
    /** Per node, as `freeConnections`; null if not in INFO. */
    memory: memory.length === nodes.length ? memory : null,
    noInfo: await whyNoInfo(nodes, infos),
    /** Replicas included; null if not in INFO. */
    runIds: known && [...known, ...replicaInfos.flatMap(({ run_id }) => run_id ?? [])],
    pids: [...infos, ...replicaInfos].flatMap(({ process_id }) =>
      process_id === undefined ? [] : [Number(process_id)],
    ),
    freeConnections: freeConnectionsOf(infos, await control.config('maxclients')),
    facts: options.name === undefined ? facts : { ...facts, name: options.name },
    warnings: external ? [...tlsWarnings(external), ...durabilityWarnings(infos, facts.config.save)] : [],
    replicated: () => untilReplicated(nodes, replicas),
    /** Totals over nodes; null if INFO is denied. @throws {ServerError} if another server answers */
    async snapshot() {
      const snapshot = await takeSnapshot(nodes, topology, replicas.flat());
      if (snapshot !== null) checkSame(snapshot.runId, known);
      return snapshot;
    },
    /** @throws {ServerError} if the server is gone or another one */
    async confirm() {
      await control.ping();
      if (known !== null) checkSame((await takeSnapshot(nodes, topology))?.runId ?? null, known);
    },
    /** Command, then the arguments after the key. */
    removal,
    /** @param {string[]} prefixes @returns keys removed, by prefix */
    async removeKeys(prefixes) {
      const removed = new Map(prefixes.map((prefix) => [prefix, 0]));
      if (removed.size > 0)
        await Promise.all(nodes.map((each) => removeKeys(each.control, removal, removed)));
      return removed;
    },
    /** Keys per invocation, by its prefix. */
    async findPrefixes() {
      /** @type {Map<string, number>} */
      const found = new Map();
      for (const each of nodes) await countPrefixes(each.control, found);
      return found;
    },
    onKey: (/** @type {[string, string, ...string[]]} */ ...command) => onKey(nodes, command),
    /** To start one more of the same kind. */
    options,
  };
}

/** @param {ServerNode[]} nodes @param {Record<string, string>[]} infos @returns {Promise<'denied' | 'unknown' | null>} no permission, or no such command */
async function whyNoInfo(nodes, infos) {
  const without = nodes.find((_, index) => Object.keys(infos[index]).length === 0);
  const refused = await without?.control.command('INFO').then(() => null, reasonOf);
  return refused == null ? null : /\bNOPERM\b/.test(refused) ? 'denied' : 'unknown';
}

/** @param {ServerNode[]} nodes @returns {Promise<Record<string, string>[]>} */
const infosOf = (nodes) =>
  Promise.all(nodes.map(async ({ control }) => (await control.info())?.fields ?? {}));

/** @param {Pick<ServerNode, 'control'>[]} nodes @param {[string, string, ...string[]]} command */
export async function onKey(nodes, command) {
  for (const { control } of nodes) {
    try {
      return await control.command(...command);
    } catch (error) {
      if (!/\bMOVED\b/.test(reasonOf(error))) throw error;
    }
  }
  throw new ServerError(`no node of the cluster says that it has the key '${command[1]}'`);
}

/** A restarted or different server lacks our data. @param {string | null} found @param {string[] | null} known */
function checkSame(found, known) {
  if (found === null || known === null || found === known.join()) return;
  throw new ServerError(
    `the server was restarted, or another one has taken its place: expected run_id ${known.join()}, found ${found}`,
  );
}

/** redis-benchmark prints these too, because each changes what is measured. */
const CONFIG = ['save', 'appendonly', 'maxmemory', 'io-threads'];

/**
 * @param {Record<string, string>} info of the first node
 * @param {Required<Pick<Opened, 'nodes' | 'replicas' | 'targets'>> &
 *   {control: Control, external: Target | null, topology: Topology}} opened
 * @returns {Promise<ServerFacts>} @throws {ServerError} for one node of a cluster
 */
async function factsOf(info, { nodes, replicas, control, external, topology, targets }) {
  const mode = info.redis_mode ?? info.server_mode ?? null;
  if (external && topology === 'standalone' && mode === 'cluster') {
    throw new ServerError(
      `${labelOf(external)} is a node of a cluster and has only some of the keys; use --topology cluster`,
    );
  }
  const config = await Promise.all(CONFIG.map(async (name) => [name, await control.config(name)]));
  return {
    kind: external ? 'external' : 'managed',
    ...softwareOf(info),
    mode,
    transports: /** @type {Transport[]} */ (Object.keys(targets)),
    nodes: topology === 'cluster' ? nodes.map(({ node }) => node) : null,
    ...(replicas.length > 0 && { replicas: replicas.flat().map(({ node }) => node) }),
    config: Object.fromEntries(config),
    ...(external && { roundTripUs: await roundTripOf(control) }),
  };
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
  const free = infos.map(
    (info) => Number(info.maxclients ?? maxclients ?? Number.NaN) - Number(info.connected_clients),
  );
  return free.every(Number.isFinite) ? Math.min(...free) : null;
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
  const replicas = Math.max(...infos.map(({ connected_slaves: count = '0' }) => Number(count)));
  const aof = infos.some(({ aof_enabled: enabled }) => enabled === '1');
  return aof || save || replicas > 0 ? [{ kind: 'writes-copied', aof, rdb: Boolean(save), replicas }] : [];
}

/** `maxBytes`: 0 for no limit. @param {Record<string, string>} fields of INFO @returns null if not in INFO */
function memoryOf({ maxmemory, maxmemory_policy: policy, used_memory: used, evicted_keys: evicted }) {
  if ([maxmemory, used, evicted].some((text) => !/^\d+$/.test(text ?? ''))) return null;
  return { maxBytes: Number(maxmemory), usedBytes: Number(used), policy: policy ?? 'unknown' };
}

/** @typedef {{node: string, control: Control}} ServerNode `node`: host:port or socket path */

/** @param {ServerNode[]} nodes @returns {Control} */
function controlOf(nodes) {
  const controls = nodes.map(({ control }) => control);
  // All nodes share software and configuration, so one can answer for all.
  return { ...controls[0], ping: () => Promise.all(controls.map((control) => control.ping())) };
}

/** @param {ServerNode[]} nodes @param {Topology} topology @param {ServerNode[]} [replicas] */
async function takeSnapshot(nodes, topology, replicas = []) {
  const [own, others] = await Promise.all([snapshotsOf(nodes), snapshotsOf(replicas)]);
  if (own === null || others === null) return null;
  const snapshot = topology === 'cluster' ? sumOf(own) : own[0].snapshot;
  return replicas.length === 0 ? snapshot : { ...snapshot, replicas: others };
}

/** @param {ServerNode[]} nodes */
async function snapshotsOf(nodes) {
  const parts = await Promise.all(
    nodes.map(async ({ node, control }) => {
      const snapshot = snapshotOf(await control.info());
      return snapshot === null ? [] : [{ node, snapshot }];
    }),
  );
  return parts.some((part) => part.length === 0) ? null : parts.flat();
}

/** Enough to restore a lost link and catch up. */
const REPLICATED_WITHIN_MS = 30_000;
const POLL_EVERY_MS = 2;

/** Waits until replicas catch up. @param {ServerNode[]} nodes @param {ServerNode[][]} replicas */
async function untilReplicated(nodes, replicas) {
  await Promise.all(
    replicas.map(async (own, index) => {
      const wanted = Number((await nodes[index].control.info())?.fields.master_repl_offset);
      // Some servers do not report their offset.
      if (!Number.isNaN(wanted)) await Promise.all(own.map((replica) => untilAt(replica, wanted)));
    }),
  );
}

/** @param {ServerNode} replica @param {number} wanted */
async function untilAt({ node, control }, wanted) {
  let at = Number.NaN;
  await until(
    async () => {
      at = Number((await control.info())?.fields.slave_repl_offset);
      return at >= wanted;
    },
    {
      everyMs: POLL_EVERY_MS,
      withinMs: REPLICATED_WITHIN_MS,
      late: () =>
        new ServerError(
          `the replica ${node} is behind its primary for ${REPLICATED_WITHIN_MS / 1000} s: it is at ${at}, and ${wanted} was expected`,
        ),
    },
  );
}
