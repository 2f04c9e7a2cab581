import { messageOf, ServerError } from '../errors.js';
import { durabilityWarnings, factsOf, freeConnectionsOf, memoryOf, tlsWarnings } from './facts.js';
import { controlOf, takeSnapshot, untilReplicated } from './nodes.js';
import { reach } from './reach.js';
import { countPrefixes, findRemoval, removeKeys } from './remove-keys.js';
import { start } from './start.js';

/** @import { Settings, Topology } from '../options/types.js' */
/** @import { ServerNode } from './nodes.js' */
/** @import { Control, NodeAddress, Server, ServerSource, Target } from './types.js' */

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
 * @typedef {Pick<Server, 'targets' | 'isLocal' | 'close' | 'processes' | 'watched'> &
 *   {nodes: ServerNode[], replicas?: ServerNode[][]}} Opened `replicas`: those of each node
 */

/** @param {Target | null} external @param {OpenOptions} [options] @returns {Promise<Server>} */
export async function openServer(external, options = {}) {
  const { topology = 'standalone' } = options;
  const opened = await (external ? reach(external, topology, options) : start(topology, options));
  try {
    const server = await describe(opened, topology, external, options);
    return external ? server : { ...server, another: (more) => openServer(null, { ...options, ...more }) };
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
      const { external, binary, settings } = source;
      const name = nameOf(source);
      servers.push(
        await openServer(external, {
          ...each,
          name,
          settings,
          clusterNodes,
          replicas,
          addressMap,
          withReplicas: readFrom?.includes('replica'),
          serverBin: binary ?? undefined,
        }),
      );
    }
    return servers.map(named);
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()));
    throw error;
  }
}

/** Sets `sameAs`. @param {Server} server @param {number} index @param {Server[]} all @returns {Server} */
function named(server, index, all) {
  const same = all
    .slice(0, index)
    .find(({ runIds }) => runIds !== null && `${runIds}` === `${server.runIds}`);
  return same?.facts.name === undefined
    ? server
    : { ...server, facts: { ...server.facts, sameAs: same.facts.name } };
}

/** @param {ServerSource} source */
function nameOf({ server, serverConfig, serverCopy }) {
  const copy = serverCopy > 1 ? `#${serverCopy}` : '';
  return [[server, copy].filter(Boolean).join(' '), serverConfig].filter(Boolean).join(', ') || undefined;
}

/**
 * @param {Opened} opened @param {Topology} topology @param {Target | null} external
 * @param {Pick<OpenOptions, 'key' | 'name'>} options @returns {Promise<Server>}
 */
async function describe({ nodes, replicas = [], ...opened }, topology, external, { key = topology, name }) {
  const [infos, replicaInfos] = await Promise.all([infosOf(nodes), infosOf(replicas.flat())]);
  const control = controlOf(nodes);
  const { targets } = opened;
  const facts = await factsOf({ infos, nodes, replicas, control, external, topology, targets });
  const memory = infos.map(memoryOf);
  const runIds = infos.flatMap(({ run_id }) => run_id ?? []);
  const known = runIds.length === nodes.length ? runIds : null;
  const removal = external ? await findRemoval(control) : ['DEL'];
  return {
    ...opened,
    ...watchOf({ nodes, replicas, topology, control, known }),
    ...keysAccess(nodes, removal),
    nodes,
    key,
    kind: facts.kind,
    topology,
    control,
    memory: memory.every((each) => each !== null) ? memory : null,
    runIds: known && [...known, ...replicaInfos.flatMap(({ run_id }) => run_id ?? [])],
    pids: [...infos, ...replicaInfos].flatMap(({ process_id }) =>
      process_id === undefined ? [] : [Number(process_id)],
    ),
    freeConnections: freeConnectionsOf(infos, await control.config('maxclients')),
    facts: name === undefined ? facts : { ...facts, name },
    warnings: external ? [...tlsWarnings(external), ...durabilityWarnings(infos, facts.config.save)] : [],
  };
}

/** @param {ServerNode[]} nodes @returns {Promise<Record<string, string>[]>} */
const infosOf = (nodes) =>
  Promise.all(nodes.map(async ({ control }) => (await control.info())?.fields ?? {}));

/**
 * @param {object} opened @param {ServerNode[]} opened.nodes @param {ServerNode[][]} opened.replicas
 * @param {Topology} opened.topology @param {Control} opened.control @param {string[] | null} opened.known
 * @returns {Pick<Server, 'snapshot' | 'confirm' | 'replicated'>}
 */
const watchOf = ({ nodes, replicas, topology, control, known }) => ({
  replicated: () => untilReplicated(replicas.length > 0 ? nodes : [], replicas),
  async snapshot() {
    const snapshot = await takeSnapshot(nodes, topology, replicas.flat());
    if (snapshot !== null) checkSame(snapshot.runId, known);
    return snapshot;
  },
  async confirm() {
    await control.ping();
    if (known !== null) checkSame((await takeSnapshot(nodes, topology))?.runId ?? null, known);
  },
});

/**
 * @param {ServerNode[]} nodes @param {string[]} removal
 * @returns {Pick<Server, 'removal' | 'removeKeys' | 'findPrefixes' | 'onKey'>}
 */
const keysAccess = (nodes, removal) => ({
  removal,
  async removeKeys(prefixes) {
    const removed = new Map(prefixes.map((prefix) => [prefix, 0]));
    if (removed.size > 0)
      await Promise.all(nodes.map(({ control }) => removeKeys(control, removal, removed)));
    return removed;
  },
  async findPrefixes() {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const { control } of nodes) await countPrefixes(control, found);
    return found;
  },
  onKey: (...command) => onKey(nodes, command),
});

/** @param {Pick<ServerNode, 'control'>[]} nodes @param {[string, string, ...string[]]} command */
export async function onKey(nodes, command) {
  for (const { control } of nodes) {
    try {
      return await control.command(...command);
    } catch (error) {
      if (!/\bMOVED\b/.test(messageOf(/** @type {Error} */ (error).cause ?? error))) throw error;
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
