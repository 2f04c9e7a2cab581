import { ServerError } from '../errors.js';
import { allOrNone, cleanUpAndRethrow, until } from '../process/wait.js';
import { parseInfo } from './counters.js';
import { startManagedServer, stopAll, stopServer } from './managed.js';
import { reasonOf } from './own-keys.js';
import {
  CLUSTER_SLOTS,
  numberIn,
  ROLE,
  SENTINEL_ADDRESS,
  SENTINEL_MASTER,
  SENTINEL_REPLICAS,
  SLOTS,
  TEXT,
} from './replies.js';
import { labelOf, placeOf } from './target.js';

/** @import { Topology } from '../options/types.js' */
/** @import { ManagedOptions } from './managed.js' */
/** @import { Control, ManagedProcess, NodeAddress, Server, Target, Watched } from './types.js' */

/** A new node refuses commands for 2 s; finding the other nodes takes about as long, also for Sentinels. */
const READY_WITHIN_MS = 20_000;
const POLL_EVERY_MS = 20;

/** @template T @param {() => Promise<T>} isSo @param {() => string} late what is not so */
const untilReady = (isSo, late, withinMs = READY_WITHIN_MS) =>
  until(isSo, {
    everyMs: POLL_EVERY_MS,
    withinMs,
    late: () => new ServerError(`${late()} within ${withinMs / 1000} s`),
  });

/** @param {number} index of a node of a cluster @param {number} nodes @returns {number} the first of its slots */
export const firstSlot = (index, nodes) => Math.floor((index * SLOTS) / nodes);

/** Gives each about as many slots, and connects all nodes. @param {ManagedProcess[]} nodes @throws {ServerError} */
export async function joinCluster(nodes) {
  const slots = Array.from({ length: SLOTS }, (_, slot) => `${slot}`);
  const first = (/** @type {number} */ index) => firstSlot(index, nodes.length);
  await Promise.all(
    nodes.map(async ({ control: { command } }, index) => {
      // Distinct from the start, which saves the nodes from resolving a conflict.
      await command('CLUSTER', 'SET-CONFIG-EPOCH', `${index + 1}`);
      await command('CLUSTER', 'ADDSLOTS', ...slots.slice(first(index), first(index + 1)));
    }),
  );
  // Introducing every pair is faster than waiting for gossip.
  await Promise.all(nodes.flatMap((node, index) => nodes.slice(index + 1).map((other) => meet(other, node))));
  await Promise.all(nodes.map(untilServing));
}

/** @param {ManagedProcess} one @param {ManagedProcess} added */
function meet(one, { control }) {
  const { host, port } = placeOf(one);
  return control.command('CLUSTER', 'MEET', host, `${port}`);
}

/** @param {ManagedProcess} node */
async function untilServing({ control, targets }) {
  /** @type {number | null} */
  let served = 0;
  await untilReady(
    async () => {
      const state = await clusterState(control);
      served = state.served;
      return state.ok && served === SLOTS;
    },
    () => `the node on port ${targets.tcp.port} of the managed cluster knew only ${served} of ${SLOTS} slots`,
  );
}

/** @param {Control} control @returns {Promise<{ok: boolean, served: number | null}>} `served`: slots whose node is up */
async function clusterState(control) {
  const fields = parseInfo(await control.ask(TEXT, 'CLUSTER', 'INFO'));
  return { ok: fields.cluster_state === 'ok', served: numberIn(fields.cluster_slots_ok) };
}

/** They are sorted by first slot. @param {Control} control @param {Target} target @throws {ServerError} */
export async function findShards(control, target) {
  const where = labelOf(target);
  // CLUSTER SHARDS needs Redis 7.
  const ranges = await control.ask(CLUSTER_SLOTS, 'CLUSTER', 'SLOTS').catch((error) => {
    const reason = reasonOf(error);
    if (!/cluster support disabled|unknown (sub)?command/i.test(reason)) throw error;
    throw new ServerError(`${where} is not a cluster (${reason}); leave out --topology cluster`);
  });
  const assigned = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const missing = SLOTS - Math.min(assigned, (await clusterState(control)).served ?? SLOTS);
  if (missing > 0) {
    throw new ServerError(
      `${missing} of the ${SLOTS} slots of the cluster at ${where} are not served; redis-cli --cluster check shows which`,
    );
  }
  const shards = ranges
    .toSorted(([one], [other]) => one - other)
    .map(([, , ...nodes]) => {
      // A node that does not know its own host omits it; we asked that node.
      const hostOf = (/** @type {string | null} */ host) => (!host || host === '?' ? `${target.host}` : host);
      const [master, ...replicas] = nodes.map(([host, port]) => ({ host: hostOf(host), port }));
      return { master, replicas };
    });
  return [...new Map(shards.map((shard) => [`${shard.master.host}:${shard.master.port}`, shard])).values()];
}

/** @param {Server} server @returns {Promise<ManagedProcess>} a replica of its first node */
export async function startReplica({ processes = [], topology }) {
  const [[replica]] = await startReplicas(processes, 1, topology, processes.slice(0, 1));
  return replica;
}

/**
 * Waits until they are synced and, in a cluster, all nodes announce them; stops all of them if one fails.
 * @param {ManagedProcess[]} nodes @param {number} each @param {Topology} topology @param {ManagedProcess[]} [primaries]
 */
export async function startReplicas(nodes, each, topology, primaries = nodes) {
  const all = Array.from({ length: each * primaries.length }, () => primaries[0].another());
  const started = await allOrNone(all, stopServer);
  const sets = primaries.map((_, index) => started.slice(index * each, (index + 1) * each));
  const following = primaries.flatMap((primary, index) =>
    sets[index].map((replica) => follow(primary, replica, topology)),
  );
  await Promise.all(following)
    .then(() => (topology === 'cluster' ? untilAnnounced([...nodes, ...started], started) : undefined))
    .catch(cleanUpAndRethrow(() => stopAll(started)));
  return sets;
}

/** @param {ManagedProcess} primary @param {ManagedProcess} replica @param {Topology} topology @returns once synced */
async function follow(primary, replica, topology) {
  // A primary usually waits 5 s for more replicas before it sends its data.
  await primary.control.command('CONFIG', 'SET', 'repl-diskless-sync-delay', '0');
  if (topology === 'cluster') {
    const id = await primary.control.ask(TEXT, 'CLUSTER', 'MYID');
    await meet(primary, replica);
    await untilReady(
      async () => (await clusterState(replica.control)).ok,
      () => 'a new node did not come to know the cluster',
    );
    await replica.control.command('CLUSTER', 'REPLICATE', id);
  } else {
    const { host, port } = topology === 'sentinel' ? placeOf(primary) : primary.targets.tcp;
    await replica.control.command('REPLICAOF', `${host}`, `${port}`);
  }
  await untilReady(
    async () => (await replica.control.info())?.fields.master_link_status === 'up',
    () => `the replica of ${labelOf(primary.targets.tcp)} did not get its data`,
  );
}

/** Nodes announce a replica after a PING from its primary and gossip: by default 6 to 8 s, measured. */
const SOONER = { 'repl-ping-replica-period': '1', 'cluster-node-timeout': '2000' };

/** @param {ManagedProcess[]} nodes of the cluster @param {ManagedProcess[]} replicas some of them */
async function untilAnnounced(nodes, replicas) {
  const controls = nodes.map(({ control }) => control);
  /** Redis before 7 sets one at a time. @param {Record<string, string>} settings */
  const configure = (settings) =>
    Promise.all(
      controls.flatMap(({ command }) =>
        Object.entries(settings).map(([name, value]) => command('CONFIG', 'SET', name, value)),
      ),
    );
  const before = Object.keys(SOONER).map(async (name) => [name, await controls[0].config(name)]);
  const restored = Object.fromEntries(await Promise.all(before));
  await configure(SOONER);
  const late = () => 'some nodes of the cluster did not come to know its replicas';
  await Promise.all(
    controls.map(({ ask }) =>
      untilReady(async () => {
        // Each range: first slot, last slot, primary, replicas.
        const ranges = await ask(CLUSTER_SLOTS, 'CLUSTER', 'SLOTS');
        const ports = new Set(ranges.flatMap(([, , , ...others]) => others.map(([, port]) => port)));
        return replicas.every(
          ({ targets: { tcp, tls } }) => ports.has(Number(tcp.port)) || ports.has(Number(tls?.port)),
        );
      }, late),
    ),
  );
  await configure(restored);
}

/** @param {Control} control of a replica @param {Topology} topology */
export const promote = ({ command }, topology) =>
  // A cluster's nodes do it without asking the others, as where most of them are gone.
  command(...(topology === 'cluster' ? ['CLUSTER', 'FAILOVER', 'TAKEOVER'] : ['REPLICAOF', 'NO', 'ONE']));

const MASTER_NAME = 'rpb';
const SENTINELS = 3;
const QUORUM = 2;
/** If two Sentinels compete for the lead, each retries after twice this time: 3 minutes by default. */
const FAILOVER_TIMEOUT_MS = 3000;

/** Period in which they say hello, in ms: Redis default, and during the start. */
const [HELLO_MS, FIRST_HELLO_MS] = ['2000', '100'];

/**
 * Waits until they know each other and the replicas.
 * @param {string} binary @param {ManagedProcess[]} servers the primary first
 * @param {Pick<ManagedOptions, 'certificates'> & {downAfterMs: number}} options `downAfterMs`: silence before a server
 *   counts as down
 * @returns {Promise<Watched>}
 */
export async function startSentinels(binary, servers, { downAfterMs, certificates }) {
  const { host, port } = placeOf(servers[0]);
  const watches = [
    `sentinel monitor ${MASTER_NAME} ${host} ${port} ${QUORUM}`,
    `sentinel down-after-milliseconds ${MASTER_NAME} ${downAfterMs}`,
    `sentinel failover-timeout ${MASTER_NAME} ${FAILOVER_TIMEOUT_MS}`,
  ];
  const starting = Array.from({ length: SENTINELS }, () =>
    startManagedServer(binary, { certificates, replicatesByTls: true, watches }),
  );
  const sentinels = await allOrNone(starting, stopServer);
  await Promise.all(sentinels.map(({ control }) => untilWatching(control, servers.length - 1))).catch(
    cleanUpAndRethrow(() => stopAll(sentinels)),
  );
  return { name: MASTER_NAME, sentinels, servers };
}

/** @param {Control} control @param {number} replicas */
async function untilWatching(control, replicas) {
  // Redis before 7 does not have this setting.
  const greet = (/** @type {string} */ everyMs) =>
    control.command('SENTINEL', 'DEBUG', 'publish-period', everyMs).catch(() => {});
  await greet(FIRST_HELLO_MS);
  await untilReady(
    async () => {
      const { 'num-other-sentinels': others } = await control.ask(
        SENTINEL_MASTER,
        'SENTINEL',
        'MASTER',
        MASTER_NAME,
      );
      const known = await replicasOf(control, MASTER_NAME);
      return others === SENTINELS - 1 && known.length === replicas;
    },
    () => 'the managed Sentinels did not find each other and the replicas',
  );
  await greet(HELLO_MS);
}

/** @param {Control} control @param {string} name @returns {Promise<NodeAddress[]>} those that are up */
export async function replicasOf(control, name) {
  const all = await control.ask(SENTINEL_REPLICAS, 'SENTINEL', 'REPLICAS', name);
  return all
    .filter((fields) => fields['master-link-status'] === 'ok' && !/down|disconnected/.test(fields.flags))
    .map(({ ip, port }) => ({ host: ip, port }));
}

/** Sentinels and the server must agree; `before` may hang. @param {Watched} watched @param {ManagedProcess} [before] */
async function primaryOf({ name, sentinels, servers }, before) {
  const asking = sentinels.map(({ control }) =>
    control.ask(SENTINEL_ADDRESS, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name),
  );
  const [place, ...others] = (await Promise.all(asking)).map(String);
  const named = servers.find((server) => Object.values(placeOf(server)).join() === place);
  if (named === undefined || named === before || others.some((other) => other !== place)) return null;
  const [role] = await named.control.ask(ROLE, 'ROLE').catch(() => [null]);
  return role === 'master' ? named : null;
}

/** They exchange hellos every 2 s, and retry after FAILOVER_TIMEOUT_MS. */
const SETTLED_WITHIN_MS = 30_000;

/** @param {Watched} watched @returns {Promise<ManagedProcess>} once all Sentinels agree */
export async function settledPrimary(watched) {
  const late = () => 'the Sentinels did not agree on a primary';
  return /** @type {ManagedProcess} */ (await untilReady(() => primaryOf(watched), late, SETTLED_WITHIN_MS));
}

/**
 * When any Sentinel names another primary, clients can learn of it.
 * @param {Watched} watched @param {ManagedProcess} before
 * @param {{everyMs: number, withinMs?: number, signal?: AbortSignal}} how
 * @returns {Promise<ManagedProcess | null>} null if it times out
 */
export const promotedBy = ({ name, sentinels, servers }, before, how) =>
  until(async () => {
    const named = await Promise.all(
      sentinels.map((sentinel) => primaryOf({ name, sentinels: [sentinel], servers }, before)),
    );
    return named.find((server) => server !== null) ?? null;
  }, how);

/** @param {Watched} watched */
export const orderFailover = ({ name, sentinels: [{ control }] }) =>
  control.command('SENTINEL', 'FAILOVER', name);
