import { messageOf, ServerError } from '../errors.js';
import { parseInfo } from './info.js';
import { labelOf } from './target.js';

/** @import { Control, NodeAddress, Target } from './types.js' */

export const SLOTS = 16_384;

/**
 * @param {number} size
 * @returns {{first: number, last: number}[]} all slots in as many ranges, as equal as can be
 */
export const slotRanges = (size) =>
  Array.from({ length: size }, (_, index) => ({
    first: Math.floor((index * SLOTS) / size),
    last: Math.floor(((index + 1) * SLOTS) / size) - 1,
  }));

/**
 * What a node thinks of its cluster.
 *
 * @param {Control} control
 * @returns {Promise<{ok: boolean, served: number}>} `served`: slots whose node is not known to be down
 */
export async function clusterState(control) {
  const fields = parseInfo(String(await control.command('CLUSTER', 'INFO')));
  return { ok: fields.cluster_state === 'ok', served: Number(fields.cluster_slots_ok) };
}

/**
 * Asks one node for all masters of its cluster.
 *
 * @param {Control} control
 * @param {Target} target where that node was reached
 * @returns {Promise<NodeAddress[]>} in the order of their first slots
 * @throws {ServerError} when it is no cluster, or not all of its slots are served
 */
export async function findMasters(control, target) {
  const where = labelOf(target);
  // Not CLUSTER SHARDS, which takes Redis 7: this one every cluster knows.
  const reply = await control.command('CLUSTER', 'SLOTS').catch((error) => {
    const reason = messageOf(error.cause ?? error);
    if (!/cluster support disabled|unknown (sub)?command/i.test(reason)) throw error;
    throw new ServerError(`${where} is not a cluster (${reason}); leave out --topology cluster`);
  });
  const ranges = /** @type {[number, number, [string | null, number]][]} */ (reply);
  const assigned = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const missing = SLOTS - Math.min(assigned, (await clusterState(control)).served);
  if (missing > 0) {
    throw new ServerError(
      `${missing} of the ${SLOTS} slots of the cluster at ${where} are not served; ` +
        'redis-cli --cluster check shows which, and redis-cli --cluster fix assigns them',
    );
  }
  const masters = ranges
    .toSorted(([one], [other]) => one - other)
    // A node that does not know its own name leaves it out: then it is the one that we have asked.
    .map(([, , [host, port]]) => ({ host: !host || host === '?' ? `${target.host}` : host, port }));
  return [...new Map(masters.map((node) => [`${node.host}:${node.port}`, node])).values()];
}
