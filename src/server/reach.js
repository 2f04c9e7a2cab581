import { once } from 'node:events';
import { messageOf, ServerError, UsageError } from '../errors.js';
import { openSocket, readyEvent } from '../process/sockets.js';
import { allOrNone, within } from '../process/wait.js';
import { connectControl } from './control.js';
import { ANSWER_WITHIN_MS, explainTls, isUnreachable } from './explain.js';
import { isErrorReply, reasonOf } from './own-keys.js';
import { READ_BY_CLIENTS, SENTINEL_ADDRESS, SENTINEL_MASTERS } from './replies.js';
import { clusterTarget, isLoopback, labelOf, sentinelTarget, withReplicas } from './target.js';
import { findShards, replicasOf } from './topologies.js';

/** @import { Topology } from '../options/types.js' */
/** @import { Opened } from './open.js' */
/** @import { Control, NodeAddress, OpenOptions, Target } from './types.js' */

/**
 * Connects to all masters of a cluster, and to replicas that are to be read.
 * @param {Target} target @param {Topology} topology
 * @param {Pick<OpenOptions, 'withReplicas' | 'addressMap'>} options @returns {Promise<Opened>}
 */
export async function reach(target, topology, { withReplicas: alsoReplicas = false, addressMap = {} }) {
  if (topology === 'standalone') {
    const { nodes, close } = await connectAll([target], null);
    return { targets: { [target.transport]: target }, nodes, isLocal: isLoopback(target), close };
  }
  const { sentinels = [], masterName = '', sentinelUsername, sentinelPassword, ...own } = target;
  const isCluster = topology === 'cluster';
  if (isCluster && target.database) {
    throw new UsageError(`a cluster has only database 0; leave the '/${target.database}' out of the URL`);
  }
  const whose = isCluster ? `the cluster at ${labelOf(target)}` : `the Sentinels' '${masterName}'`;
  const found = isCluster
    ? await ask(target, (control) => findShards(control, target))
    : [await findPrimary(target)];
  /** @param {NodeAddress} announced @returns {Target} */
  const at = (announced) => ({
    ...own,
    topology: undefined,
    ...(addressMap[`${announced.host}:${announced.port}`] ?? announced),
  });
  const masters = found.map(({ master }) => at(master));
  const replicas = alsoReplicas ? found.map((shard) => shard.replicas.map(at)) : [];
  if (replicas.some(({ length }) => length === 0))
    throw new UsageError(`--read-from: not every primary of ${whose} has a replica that is up`);
  const all = [...masters, ...replicas.flat()];
  const { nodes, close } = await connectAll(all, whose);
  const [{ node, control }] = nodes;
  const { role = 'master' } = isCluster ? {} : ((await control.info())?.fields ?? {});
  if (role !== 'master') {
    await close();
    throw new ServerError(`the Sentinels name ${node} as the primary, but it says that it is a replica`);
  }
  const places = nodes.splice(masters.length);
  const shared = isCluster
    ? clusterTarget(masters)
    : { ...sentinelTarget(masters[0], sentinels, masterName), sentinelUsername, sentinelPassword };
  return {
    targets: { [target.transport]: alsoReplicas ? withReplicas(shared, replicas.flat()) : shared },
    nodes,
    replicas: replicas.map(({ length }) => places.splice(0, length)),
    isLocal: all.every(isLoopback),
    close,
  };
}

/** @param {Target[]} all @param {string | null} whose null for the one that the user named */
async function connectAll(all, whose) {
  const connecting = all.map((target) =>
    connectControl(target).catch((error) => {
      if (whose === null) throw error;
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
  const socket = openSocket(target);
  try {
    await within(ANSWER_WITHIN_MS, once(socket, readyEvent(target)));
  } catch (error) {
    const why =
      explainTls(error, target) ??
      `nothing answers at ${labelOf(target)} (${messageOf(error)}); expected --url of the server that the service uses`;
    throw new ServerError(why, { cause: error });
  } finally {
    socket.destroy();
  }
}

/** @param {Target} target */
async function findPrimary(target) {
  const { sentinels = [], masterName = '', sentinelUsername: username, sentinelPassword: password } = target;
  /** @type {unknown} */
  let cause;
  for (const place of sentinels) {
    const sentinel = { ...target, ...place, database: undefined, username, password };
    const control = await connectControl(sentinel).catch((error) => {
      cause ??= error;
    });
    if (!control) continue;
    try {
      return await askSentinel(control, labelOf(sentinel), masterName);
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
  const reason = await control.command('SENTINEL', 'CKQUORUM', name).then(
    () => '',
    (error) => {
      if (!isErrorReply(error)) throw error;
      return reasonOf(error);
    },
  );
  if (/unknown command/i.test(reason))
    throw new ServerError(`--sentinel: ${where} is no Sentinel (${reason}); a server is named by --url`);
  if (/no such master/i.test(reason)) {
    const all = (await control.ask(SENTINEL_MASTERS, 'SENTINEL', 'MASTERS')).map((each) => `'${each.name}'`);
    throw new UsageError(
      `--master-name: the Sentinel ${where} watches no '${name}'; expected one of ${all.join(', ') || 'none'}`,
    );
  }
  if (reason !== '')
    throw new ServerError(
      `the Sentinels of '${name}' could not promote a replica now: ${where} says '${reason}'`,
    );
  const address = await control.ask(SENTINEL_ADDRESS, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name);
  if (address === null)
    throw new ServerError(
      `the Sentinel ${where} knows no address of '${name}' now; look at SENTINEL MASTERS there`,
    );
  // Clients ask for these, and fail by a TypeError of their own where the reply makes no sense.
  for (const [what, schema] of Object.entries(READ_BY_CLIENTS))
    await control.ask(schema, 'SENTINEL', what, name).catch((error) => {
      if (!isErrorReply(error)) throw error;
    });
  const [host, port] = address;
  return { master: { host, port }, replicas: await replicasOf(control, name) };
}
