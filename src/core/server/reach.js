import { messageOf, ServerError, UsageError } from '../errors.js';
import { allOrNone } from '../process/wait.js';
import { connectControl } from './control.js';
import { ANSWER_WITHIN_MS, explainTls, isUnreachable } from './explain.js';
import { tryConnect } from './sockets.js';
import { clusterTarget, isLoopback, labelOf, sentinelTarget, withReplicas } from './target.js';
import { fieldsOf, findShards, replicasOf } from './topologies.js';

/** @import { Topology } from '../../options/types.js' */
/** @import { Opened, OpenOptions } from './open.js' */
/** @import { Control, Target } from './types.js' */

/**
 * @param {Target} target @param {Topology} topology
 * @param {Pick<OpenOptions, 'withReplicas' | 'addressMap'>} options
 */
export async function reach(target, topology, { withReplicas: alsoReplicas = false, addressMap = {} }) {
  /** @type {ReachedAt} */
  const reachedAt = (announced) => ({ ...announced, ...addressMap[`${announced.host}:${announced.port}`] });
  if (topology === 'cluster') return reachCluster(target, alsoReplicas, reachedAt);
  if (topology === 'sentinel') return reachWatched(target, alsoReplicas, reachedAt);
  const control = await connectControl(target);
  return {
    targets: { [target.transport]: target },
    nodes: [{ node: labelOf(target), control }],
    isLocal: isLoopback(target),
    close: async () => control.close(),
  };
}

/** @typedef {(announced: Target) => Target} ReachedAt */

/**
 * Connects to all masters.
 * @param {Target} target @param {boolean} alsoReplicas @param {ReachedAt} reachedAt @returns {Promise<Opened>}
 */
async function reachCluster(target, alsoReplicas, reachedAt) {
  if (target.database) {
    throw new UsageError(`a cluster has only database 0; leave the '/${target.database}' out of the URL`);
  }
  const found = await ask(target, (control) => findShards(control, target));
  const shards = found.map(({ master, replicas }) => ({
    master: reachedAt({ ...target, ...master }),
    replicas: alsoReplicas ? replicas.map((replica) => reachedAt({ ...target, ...replica })) : [],
  }));
  const masters = shards.map(({ master }) => master);
  const replicas = shards.flatMap((shard) => shard.replicas);
  if (alsoReplicas && shards.some((shard) => shard.replicas.length === 0)) {
    throw new UsageError(
      `--read-from: not every master of the cluster at ${labelOf(target)} has a replica that is up`,
    );
  }
  const { nodes, close } = await connectAll([...masters, ...replicas], `the cluster at ${labelOf(target)}`);
  const places = nodes.splice(masters.length);
  const cluster = clusterTarget(masters);
  return {
    targets: { [target.transport]: alsoReplicas ? withReplicas(cluster, replicas) : cluster },
    nodes,
    replicas: alsoReplicas ? shards.map((shard) => places.splice(0, shard.replicas.length)) : [],
    isLocal: [...masters, ...replicas].every(isLoopback),
    close,
  };
}

/**
 * @param {Target} target @param {boolean} alsoReplicas @param {ReachedAt} reachedAt @returns {Promise<Opened>}
 */
async function reachWatched(target, alsoReplicas, reachedAt) {
  const found = await findPrimary(target);
  const { sentinels = [], masterName = '', sentinelUsername, sentinelPassword } = target;
  const primary = reachedAt(found.primary);
  const replicas = alsoReplicas ? found.replicas.map(reachedAt) : [];
  if (alsoReplicas && replicas.length === 0)
    throw new UsageError(`--read-from: the Sentinels know of no replica of '${masterName}' that is up`);
  const { nodes, close } = await connectAll([primary, ...replicas], `the Sentinels' '${masterName}'`);
  const [{ node, control }] = nodes;
  const { role = 'master' } = (await control.info())?.fields ?? {};
  if (role !== 'master') {
    await close();
    throw new ServerError(`the Sentinels name ${node} as the primary, but it says that it is a replica`);
  }
  const watched = { ...sentinelTarget(primary, sentinels, masterName), sentinelUsername, sentinelPassword };
  return {
    targets: { [target.transport]: alsoReplicas ? withReplicas(watched, replicas) : watched },
    nodes: nodes.slice(0, 1),
    replicas: alsoReplicas ? [nodes.slice(1)] : [],
    isLocal: [primary, ...replicas].every(isLoopback),
    close,
  };
}

/** @param {Target[]} all @param {string} whose */
async function connectAll(all, whose) {
  const connecting = all.map((target) =>
    connectControl(target).catch((error) => {
      const reason = isUnreachable(error.cause)
        ? `${whose} announces ${labelOf(target)}, which cannot be reached from here (${messageOf(error.cause)}); natMap of ioredis and nodeAddressMap of redis map such addresses, for this tool too`
        : `a server of ${whose} cannot be used from here: ${error.message}`;
      throw new ServerError(reason, { cause: error.cause });
    }),
  );
  const controls = await allOrNone(connecting, (control) => control.close());
  return {
    nodes: controls.map((control, index) => ({ node: labelOf(all[index]), control })),
    close: async () => controls.forEach((control) => void control.close()),
  };
}

/** @param {Target} target @returns {Promise<Topology>} `standalone` if not reported */
export const topologyOf = (target) =>
  ask(target, async (control) =>
    (await control.info())?.fields.redis_mode === 'cluster' ? 'cluster' : 'standalone',
  );

/** @template T @param {Target} target @param {(control: Control) => Promise<T>} work */
async function ask(target, work) {
  const control = await connectControl(target);
  try {
    return await work(control);
  } finally {
    control.close();
  }
}

/** Does not log in: the service does that itself. @param {Target} target @throws {ServerError} */
export async function checkReachable(target) {
  try {
    await tryConnect(target, ANSWER_WITHIN_MS);
  } catch (error) {
    const where = labelOf(target);
    throw new ServerError(
      explainTls(error, target) ??
        `nothing answers at ${where} (${messageOf(error)}); expected --url of the server that the service uses`,
      { cause: error },
    );
  }
}

/** @param {Target} target @returns {Promise<{primary: Target, replicas: Target[]}>} */
async function findPrimary(target) {
  const { sentinels = [], masterName = '', sentinelUsername, sentinelPassword, ...server } = target;
  const { topology: _, ...plain } = server;
  /** @type {unknown} */
  let cause;
  for (const place of sentinels) {
    const sentinel = { ...plain, ...place, database: undefined };
    const own = { ...sentinel, username: sentinelUsername, password: sentinelPassword };
    const control = await connectControl(own).catch((error) => {
      cause ??= error;
    });
    if (!control) continue;
    try {
      const { primary, replicas } = await askSentinel(control, labelOf(own), masterName);
      return { primary: { ...plain, ...primary }, replicas: replicas.map((each) => ({ ...plain, ...each })) };
    } finally {
      control.close();
    }
  }
  const why = cause instanceof ServerError ? (cause.cause ?? cause) : cause;
  throw new ServerError(`--sentinel: no Sentinel can be used; ${labelOf(target)}: ${messageOf(why)}`, {
    cause,
  });
}

/** @param {Control} control @param {string} where @param {string} name */
async function askSentinel(control, where, name) {
  const ask = (/** @type {string[]} */ ...words) => control.command('SENTINEL', ...words);
  const { cause: refused } = await ask('CKQUORUM', name).then(
    () => ({ cause: null }),
    (error) => ({ cause: error }),
  );
  const reason = messageOf(refused?.cause ?? refused);
  if (/unknown command/i.test(reason))
    throw new ServerError(`--sentinel: ${where} is no Sentinel (${reason}); a server is named by --url`);
  if (/no such master/i.test(reason)) {
    const all = /** @type {unknown[]} */ (await ask('MASTERS')).map((each) => `'${fieldsOf(each).name}'`);
    throw new UsageError(
      `--master-name: the Sentinel ${where} watches no '${name}'; expected one of ${all.join(', ') || 'none'}`,
    );
  }
  if (refused !== null)
    throw new ServerError(
      `the Sentinels of '${name}' could not promote a replica now: ${where} says '${reason}'`,
    );
  const [host, port] = /** @type {string[]} */ (await ask('GET-MASTER-ADDR-BY-NAME', name));
  return { primary: { host, port: Number(port) }, replicas: await replicasOf(control, name) };
}
