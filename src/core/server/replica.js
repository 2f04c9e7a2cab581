import { allOrNone } from '../process/wait.js';
import { clusterState, meet, untilReady } from './cluster.js';
import { stopServer } from './managed.js';
import { labelOf, placeOf } from './target.js';

/** @import { Topology } from '../../options/types.js' */
/** @import { Control, ManagedProcess, Server } from './types.js' */

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

/** @param {ManagedProcess} primary @param {ManagedProcess} replica @param {Topology} topology @returns once synced */
async function follow(primary, replica, topology) {
  // By default a primary waits 5 s for more replicas before it sends its data.
  await primary.control.command('CONFIG', 'SET', 'repl-diskless-sync-delay', '0');
  if (topology === 'cluster') {
    const id = String(await primary.control.command('CLUSTER', 'MYID'));
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

/** @param {Control[]} controls @param {number} each replicas per primary */
export const untilAnnounced = (controls, each) => untilTold(controls, (control) => announces(control, each));

/** Nodes announce a replica after a PING from its primary and gossip: by default 6 to 8 s, measured. */
const SOONER = Object.entries({ 'repl-ping-replica-period': '1', 'cluster-node-timeout': '2000' });

/** @param {Control[]} controls of all nodes @param {(control: Control) => Promise<boolean>} isTold */
async function untilTold(controls, isTold) {
  const [{ config }] = controls;
  const before = await Promise.all(SOONER.map(async ([name]) => [name, await config(name)]));
  await configure(controls, SOONER);
  const late = () => 'some nodes of the cluster did not come to know its replicas';
  await Promise.all(controls.map((control) => untilReady(() => isTold(control), late)));
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
