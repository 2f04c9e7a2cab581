import { ServerError } from '../errors.js';
import { allOrNone, until } from '../process/wait.js';
import { clusterState, meet } from './cluster.js';
import { labelOf, placeOf } from './target.js';

/** @import { Topology } from '../../options/types.js' */
/** @import { Control, ManagedProcess, Server } from './types.js' */

const READY_WITHIN_MS = 20_000;
const POLL_EVERY_MS = 20;

/** Waits until it is synced and all nodes announce it. @param {Server} server @returns {Promise<ManagedProcess>} */
export async function startReplica({ processes = [], topology }) {
  const [[replica]] = await startReplicas(processes.slice(0, 1), 1, topology);
  if (topology !== 'cluster') return replica;
  const controls = [replica, ...processes].map(({ control }) => control);
  try {
    await untilTold(controls, (control) => tellsOf(control, replica.targets.tcp.port));
    return replica;
  } catch (error) {
    await stopServer(replica);
    throw error;
  }
}

/**
 * Waits until they are synced; stops all of them if one fails.
 * @param {ManagedProcess[]} primaries @param {number} each @param {Topology} topology
 */
export async function startReplicas(primaries, each, topology) {
  const all = Array.from({ length: each * primaries.length }, () => primaries[0].another());
  const started = await allOrNone(all, stopServer);
  const sets = primaries.map((_, index) => started.slice(index * each, (index + 1) * each));
  try {
    const following = primaries.map((primary, index) =>
      Promise.all(sets[index].map((replica) => follow(primary, replica, topology))),
    );
    await Promise.all(following);
    return sets;
  } catch (error) {
    await Promise.all(started.map(stopServer));
    throw error;
  }
}

/** @param {ManagedProcess} server */
export async function stopServer(server) {
  server.control.close();
  await server.stop();
}

/** @param {ManagedProcess} primary @param {ManagedProcess} replica @param {Topology} topology @returns once synced */
async function follow(primary, replica, topology) {
  // By default a primary waits 5 s for more replicas before it sends its data.
  await primary.control.command('CONFIG', 'SET', 'repl-diskless-sync-delay', '0');
  if (topology === 'cluster') {
    const id = String(await primary.control.command('CLUSTER', 'MYID'));
    await join(primary, replica);
    await replica.control.command('CLUSTER', 'REPLICATE', id);
  } else {
    const { host, port } = topology === 'sentinel' ? placeOf(primary) : primary.targets.tcp;
    await replica.control.command('REPLICAOF', `${host}`, `${port}`);
  }
  await untilReady(`the replica of ${labelOf(primary.targets.tcp)} to have its data`, async () => {
    const info = await replica.control.info();
    return info?.fields.master_link_status === 'up';
  });
}

/** @param {ManagedProcess} one @param {ManagedProcess} added */
async function join(one, added) {
  await meet(one, added);
  await untilReady('the new node to know the cluster', async () => (await clusterState(added.control)).ok);
}

/** @param {Control[]} controls @param {number} each replicas per primary */
export const untilAnnounced = (controls, each) => untilTold(controls, (control) => announces(control, each));

/** Nodes announce a replica after a PING from its primary and gossip: by default 6 to 8 s, measured. */
const SOONER = Object.entries({ 'repl-ping-replica-period': '1', 'cluster-node-timeout': '2000' });

/** @param {Control[]} controls of all nodes @param {(control: Control) => Promise<boolean>} isTold */
async function untilTold(controls, isTold) {
  const [{ config }] = controls;
  const before = await Promise.all(SOONER.map(async ([name]) => [name, await config(name)]));
  await configure(controls, SOONER);
  const untilItKnows = (/** @type {Control} */ control) =>
    untilReady('all nodes of the cluster to know its replicas', () => isTold(control));
  await Promise.all(controls.map(untilItKnows));
  await configure(controls, before);
}

/** Redis before 7 sets one at a time. @param {Control[]} controls @param {(string | null)[][]} settings */
async function configure(controls, settings) {
  for (const [name, value] of settings)
    await Promise.all(controls.map(({ command }) => command('CONFIG', 'SET', `${name}`, `${value}`)));
}

/** @param {Control} control @returns {Promise<any[][]>} each range: first slot, last slot, primary, replicas */
const slotRanges = async (control) => /** @type {any[][]} */ (await control.command('CLUSTER', 'SLOTS'));

/** @param {Control} control @param {number | undefined} port of a replica */
async function tellsOf(control, port) {
  const ranges = await slotRanges(control);
  return ranges.some(([, , ...nodes]) => nodes.some(([, each]) => each === port));
}

/** @param {Control} control @param {number} replicas per primary */
async function announces(control, replicas) {
  return (await slotRanges(control)).every((range) => range.length === 3 + replicas);
}

/** @param {Control} control of a replica */
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
