import { messageOf, ServerError } from '../errors.js';
import { until } from '../process/wait.js';
import { parseInfo } from './counters.js';
import { labelOf, placeOf } from './target.js';

/** @import { Control, ManagedProcess, Target } from './types.js' */

/** A new node refuses commands for 2 s; finding the other nodes takes about as long, also for Sentinels. */
const READY_WITHIN_MS = 20_000;
const POLL_EVERY_MS = 20;

/** @template T @param {() => Promise<T>} isSo @param {() => string} late what is not so */
export const untilReady = (isSo, late, withinMs = READY_WITHIN_MS) =>
  until(isSo, {
    everyMs: POLL_EVERY_MS,
    withinMs,
    late: () => new ServerError(`${late()} within ${withinMs / 1000} s`),
  });

/** Assigns the slots and connects all nodes. @param {ManagedProcess[]} nodes @throws {ServerError} */
export async function joinCluster(nodes) {
  await Promise.all(
    slotRanges(nodes.length).map(async (range, index) => {
      const { control } = nodes[index];
      // Distinct from the start, which saves the nodes from resolving a conflict.
      await control.command('CLUSTER', 'SET-CONFIG-EPOCH', `${index + 1}`);
      await addSlots(control, range);
    }),
  );
  // Introducing every pair is faster than waiting for gossip.
  await Promise.all(nodes.flatMap((node, index) => nodes.slice(index + 1).map((other) => meet(other, node))));
  await Promise.all(nodes.map((node) => ready(node)));
}

/** @param {ManagedProcess} one @param {ManagedProcess} added */
export function meet(one, { control }) {
  const { host, port } = placeOf(one);
  return control.command('CLUSTER', 'MEET', host, `${port}`);
}

/** @param {Control} control @param {{first: number, last: number}} range */
const addSlots = ({ command }, { first, last }) =>
  command('CLUSTER', 'ADDSLOTSRANGE', `${first}`, `${last}`).catch((error) => {
    if (!/unknown subcommand/i.test(messageOf(error.cause ?? error))) throw error;
    // Redis before 7 assigns slots one by one.
    const slots = Array.from({ length: last - first + 1 }, (_, offset) => `${first + offset}`);
    return command('CLUSTER', 'ADDSLOTS', ...slots);
  });

/** @param {ManagedProcess} node */
async function ready({ control, targets }) {
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

export const SLOTS = 16_384;

/** @param {number} size @returns {{first: number, last: number}[]} all slots, split evenly */
export const slotRanges = (size) =>
  Array.from({ length: size }, (_, index) => ({
    first: Math.floor((index * SLOTS) / size),
    last: Math.floor(((index + 1) * SLOTS) / size) - 1,
  }));

/** @param {Control} control @returns {Promise<{ok: boolean, served: number}>} `served`: slots whose node is up */
export async function clusterState(control) {
  const fields = parseInfo(String(await control.command('CLUSTER', 'INFO')));
  return { ok: fields.cluster_state === 'ok', served: Number(fields.cluster_slots_ok) };
}

/** By first slot. @param {Control} control @param {Target} target @throws {ServerError} */
export async function findShards(control, target) {
  const where = labelOf(target);
  // CLUSTER SHARDS needs Redis 7.
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
      `${missing} of the ${SLOTS} slots of the cluster at ${where} are not served; redis-cli --cluster check shows which`,
    );
  }
  const shards = ranges
    .toSorted(([one], [other]) => one - other)
    .map(([, , ...nodes]) => {
      // A node that does not know its own host omits it; we asked that node.
      const places = nodes.map(([host, port]) => ({
        host: !host || host === '?' ? `${target.host}` : host,
        port,
      }));
      return { master: places[0], replicas: places.slice(1) };
    });
  return [...new Map(shards.map((shard) => [`${shard.master.host}:${shard.master.port}`, shard])).values()];
}
