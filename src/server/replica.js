import { ServerError } from '../errors.js';
import { allOrNone, until } from '../process/wait.js';
import { clusterState } from './cluster.js';
import { labelOf } from './target.js';

/** @import { Topology } from '../options/types.js' */
/** @import { Control, ManagedProcess, Server } from './types.js' */

const READY_WITHIN_MS = 20_000;
const POLL_EVERY_MS = 20;

/**
 * Starts a replica of a managed server, or of the first node of a managed cluster, and waits until it has its data.
 * @param {Server} server @returns {Promise<ManagedProcess>} to be stopped by the caller
 * @throws {ServerError} when it does not get that far
 */
export async function startReplica({ processes = [], topology }) {
  const [[replica]] = await startReplicas(processes.slice(0, 1), 1, topology);
  return replica;
}

/**
 * Starts replicas of managed servers, and waits until they have their data.
 * @param {ManagedProcess[]} primaries @param {number} each how many each of them gets @param {Topology} topology
 * @returns {Promise<ManagedProcess[][]>} those of each primary, to be stopped by the caller
 * @throws {ServerError} when one does not get that far; all of them are stopped by then
 */
export async function startReplicas(primaries, each, topology) {
  const starting = primaries.flatMap((primary) =>
    Array.from({ length: each }, () => startOne(primary, topology)),
  );
  const started = await allOrNone(starting, stopServer);
  return primaries.map((_, index) => started.slice(index * each, (index + 1) * each));
}

/** @param {ManagedProcess} server */
export async function stopServer(server) {
  server.control.close();
  await server.stop();
}

/** @param {ManagedProcess} primary @param {Topology} topology @returns {Promise<ManagedProcess>} */
async function startOne(primary, topology) {
  const replica = await primary.another();
  try {
    // By default a primary waits 5 s for more replicas before it sends its data.
    await primary.control.command('CONFIG', 'SET', 'repl-diskless-sync-delay', '0');
    await (topology === 'cluster' ? follow(primary, replica) : replicate(primary, replica, topology));
    await untilReady(`the replica of ${labelOf(primary.targets.tcp)} to have its data`, async () => {
      const info = await replica.control.info();
      return info?.fields.master_link_status === 'up';
    });
    return replica;
  } catch (error) {
    await stopServer(replica);
    throw error;
  }
}

/**
 * Starts one more node of a managed cluster, which has no slots yet.
 * @param {Server} server @returns {Promise<ManagedProcess>} to be stopped by the caller
 * @throws {ServerError} when it does not get that far
 */
export async function startEmptyNode({ processes: [first] = [] }) {
  const node = await first.another();
  try {
    await meet(first, node);
    return node;
  } catch (error) {
    await stopServer(node);
    throw error;
  }
}

/** @param {ManagedProcess} primary @param {ManagedProcess} replica @param {Topology} topology */
async function replicate({ targets }, { control }, topology) {
  const { host, port } = (topology === 'sentinel' && targets.tls) || targets.tcp;
  await control.command('REPLICAOF', `${host}`, `${port}`);
}

/** @param {ManagedProcess} primary @param {ManagedProcess} replica a node of no slots yet */
async function follow(primary, replica) {
  const id = String(await primary.control.command('CLUSTER', 'MYID'));
  await meet(primary, replica);
  await replica.control.command('CLUSTER', 'REPLICATE', id);
}

/** @param {ManagedProcess} one of a cluster @param {ManagedProcess} added */
async function meet({ targets }, { control }) {
  const { host, port } = targets.tls ?? targets.tcp;
  await control.command('CLUSTER', 'MEET', `${host}`, `${port}`);
  await untilReady('the new node to know the cluster', async () => (await clusterState(control)).ok);
}

/**
 * Waits until every node of a cluster tells clients of all replicas.
 * @param {Control[]} controls of all nodes @param {number} each how many replicas each of its primaries has
 */
export const untilAnnounced = (controls, each) =>
  Promise.all(
    controls.map((control) =>
      untilReady('all nodes of the cluster to know its replicas', () => announces(control, each)),
    ),
  );

/** @param {Control} control @param {number} replicas of each primary */
async function announces(control, replicas) {
  const ranges = /** @type {unknown[][]} */ (await control.command('CLUSTER', 'SLOTS'));
  // First and last slot, the primary, and then its replicas.
  return ranges.every((range) => range.length === 3 + replicas);
}

/** @param {Control} control of a replica, which becomes a primary */
export const promote = (control, /** @type {Server['topology']} */ topology) =>
  topology === 'cluster'
    ? // Without asking the others, as where most of them are gone.
      control.command('CLUSTER', 'FAILOVER', 'TAKEOVER')
    : control.command('REPLICAOF', 'NO', 'ONE');

/** @param {string} what @param {() => Promise<boolean>} isSo */
const untilReady = (what, isSo) =>
  until(isSo, {
    everyMs: POLL_EVERY_MS,
    withinMs: READY_WITHIN_MS,
    late: () => new ServerError(`expected ${what} within ${READY_WITHIN_MS / 1000} s, which did not happen`),
  });
