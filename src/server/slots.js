import { messageOf, ServerError } from '../errors.js';
import { parseInfo } from './info.js';
import { labelOf } from './target.js';

/** @import { Control, NodeAddress, Target } from './types.js' */

export const SLOTS = 16_384;

/** @param {number} size @returns {{first: number, last: number}[]} all slots, in ranges as equal as possible */
export const slotRanges = (size) =>
  Array.from({ length: size }, (_, index) => ({
    first: Math.floor((index * SLOTS) / size),
    last: Math.floor(((index + 1) * SLOTS) / size) - 1,
  }));

/**
 * The cluster's state as a node sees it.
 *
 * @param {Control} control
 * @returns {Promise<{ok: boolean, served: number}>} `served`: slots whose node is up as far as known
 */
export async function clusterState(control) {
  const fields = parseInfo(String(await control.command('CLUSTER', 'INFO')));
  return { ok: fields.cluster_state === 'ok', served: Number(fields.cluster_slots_ok) };
}

/**
 * Asks one node for all masters of its cluster, and their replicas.
 *
 * @param {Control} control
 * @param {Target} target where that node was reached
 * @returns {Promise<{master: NodeAddress, replicas: NodeAddress[]}[]>} in the order of their first slots
 * @throws {ServerError} when it is not a cluster, or some slots are not served
 */
export async function findShards(control, target) {
  const where = labelOf(target);
  // CLUSTER SHARDS would need Redis 7.
  const reply = await control.command('CLUSTER', 'SLOTS').catch((error) => {
    const reason = messageOf(error.cause ?? error);
    if (!/cluster support disabled|unknown (sub)?command/i.test(reason)) throw error;
    throw new ServerError(`${where} is not a cluster (${reason}); leave out --topology cluster`);
  });
  const ranges = /** @type {[number, number, ...[string | null, number][]][]} */ (reply);
  const assigned = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const missing = SLOTS - Math.min(assigned, (await clusterState(control)).served);
  if (missing > 0) {
    throw new ServerError(
      `${missing} of the ${SLOTS} slots of the cluster at ${where} are not served; ` +
        'redis-cli --cluster check shows which, and redis-cli --cluster fix assigns them',
    );
  }
  const shards = ranges
    .toSorted(([one], [other]) => one - other)
    .map(([, , ...nodes]) => {
      // A node that does not know its own host leaves it out; it is the one we asked.
      const places = nodes.map(([host, port]) => ({
        host: !host || host === '?' ? `${target.host}` : host,
        port,
      }));
      return { master: places[0], replicas: places.slice(1) };
    });
  return [...new Map(shards.map((shard) => [`${shard.master.host}:${shard.master.port}`, shard])).values()];
}
