import { setTimeout as sleep } from 'node:timers/promises';
import { ServerError } from '../errors.js';
import { clusterState } from './slots.js';
import { labelOf } from './target.js';

/**
 * @import { Control, ManagedProcess, Server } from './types.js'
 */

const READY_WITHIN_MS = 20_000;
const POLL_EVERY_MS = 20;

/**
 * Starts a replica of a managed server, or of the first node of a managed cluster, and waits until it has its data.
 *
 * @param {Server} server
 * @returns {Promise<ManagedProcess>} to be stopped by the caller
 * @throws {ServerError} when it does not get that far
 */
export async function startReplica({ processes = [], topology }) {
  const [primary] = processes;
  const replica = await primary.another();
  try {
    await (topology === 'cluster' ? follow(primary, replica) : replicate(primary, replica));
    await until(`the replica of ${labelOf(primary.targets.tcp)} to have its data`, async () => {
      const info = await replica.control.info();
      return info?.fields.master_link_status === 'up';
    });
    return replica;
  } catch (error) {
    replica.control.close();
    await replica.stop();
    throw error;
  }
}

/** @param {ManagedProcess} primary @param {ManagedProcess} replica */
async function replicate({ targets: { tcp } }, { control }) {
  await control.command('REPLICAOF', `${tcp.host}`, `${tcp.port}`);
}

/** @param {ManagedProcess} primary @param {ManagedProcess} replica a node of no slots yet */
async function follow({ targets, control }, replica) {
  const { host, port } = targets.tls ?? targets.tcp;
  const id = String(await control.command('CLUSTER', 'MYID'));
  await replica.control.command('CLUSTER', 'MEET', `${host}`, `${port}`);
  await until('the replica to know the cluster', async () => (await clusterState(replica.control)).ok);
  await replica.control.command('CLUSTER', 'REPLICATE', id);
}

/** @param {Control} control of a replica, which becomes a primary */
export const promote = (control, /** @type {Server['topology']} */ topology) =>
  topology === 'cluster'
    ? // Without asking the others, as where most of them are gone.
      control.command('CLUSTER', 'FAILOVER', 'TAKEOVER')
    : control.command('REPLICAOF', 'NO', 'ONE');

/** @param {string} what @param {() => Promise<boolean>} isSo */
async function until(what, isSo) {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) {
      throw new ServerError(`expected ${what} within ${READY_WITHIN_MS / 1000} s, which did not happen`);
    }
    await sleep(POLL_EVERY_MS);
  }
}
