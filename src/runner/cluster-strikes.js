import { setTimeout as sleep } from 'node:timers/promises';
import calculateSlot from 'cluster-key-slot';
import { messageOf, RunError } from '../errors.js';
import { KEY_PREFIX } from '../own-keys.js';
import { clusterNode, moveSlots, slotOwners, untilAgreed, untilKnown } from '../server/move-slots.js';
import { keysOf } from '../server/remove-keys.js';
import { promote } from '../server/replica.js';
import { sharedClock, untilShared } from '../shared-clock.js';

/** @import { ClusterNode, Move } from '../server/move-slots.js' */
/** @import { ManagedProcess } from '../server/types.js' */
/** @import { Stage } from './fault-stage.js' */
/** @import { Strike } from './types.js' */

/** @typedef {ClusterNode & {used: number[], free: number[]}} Holder `used`: its slots with keys */

/** A leaving node still serves clients that have not noticed. */
const LINGERS_MS = 100;

/**
 * Changes a cluster in use, as operators do; each ends when all nodes know of the change.
 * @type {Record<'slots' | 'join' | 'leave' | 'promote' | 'dead-seed', (stage: Stage, atMs: number) => Promise<Strike>>}
 */
export const CLUSTER_STRIKES = {
  slots: (stage, atMs) =>
    moved(stage, atMs, (nodes) => {
      const from = busiest(nodes);
      return toOthers(chosen(from, Number(stage.fault.slots)), from, [following(nodes, from)]);
    }),

  join: (stage, atMs) =>
    moved(stage, atMs, (nodes) =>
      nodes.slice(0, -1).flatMap((from) => {
        const count = (from.used.length + from.free.length) / nodes.length;
        return toOthers(chosen(from, count, 1 / nodes.length), from, nodes.slice(-1));
      }),
    ),

  async leave(stage, atMs) {
    let left = 0;
    const strike = await moved(stage, atMs, (nodes) => {
      const from = busiest(nodes);
      left = nodes.indexOf(from);
      const others = nodes.filter((node) => node !== from);
      return toOthers([...from.used, ...from.free], from, others);
    });
    const { processes = [] } = stage.server;
    const { id } = await clusterNode(processes[left]);
    await sleep(LINGERS_MS);
    for (const [index, other] of processes.entries())
      if (index !== left) await other.control.command('CLUSTER', 'FORGET', id).catch(unlessForgotten);
    stage.gone.add(processes[left]);
    await processes[left].stop();
    return { ...strike, endedAtMs: sharedClock() };
  },

  async promote(stage, atMs) {
    const { all, replica, after } = await takenOver(stage);
    const struckAtMs = await untilShared(atMs, stage.signal);
    await replica.control.command('CLUSTER', 'FAILOVER');
    await untilAgreed(all, after);
    return { struckAtMs, endedAtMs: sharedClock(), met: 1 };
  },

  /** It strikes before the run begins. */
  async 'dead-seed'({ signal }, atMs) {
    const struckAtMs = await untilShared(atMs, signal);
    return { struckAtMs, endedAtMs: struckAtMs, met: 1 };
  },
};

/** Since Redis 7.2, nodes forward CLUSTER FORGET. @param {any} error */
function unlessForgotten(error) {
  if (!/unknown node/i.test(messageOf(error.cause ?? error))) throw error;
}

/** Before clients connect. @type {Partial<Record<Stage['fault']['kind'], (stage: Stage) => Promise<unknown>>>} */
export const PREPARING = {
  promote: (stage) => takenOver(stage),

  async join({ server: { processes = [] }, spare }) {
    const nodes = await Promise.all([...processes, ...(spare ? [spare] : [])].map(clusterNode));
    await untilKnown(nodes, nodes[processes.length], 'master -');
  },

  /** Kills the first seed node. */
  async 'dead-seed'(stage) {
    const { all, replica, after } = await takenOver(stage);
    killFirst(stage);
    await promote(replica.control, 'cluster');
    await untilAgreed(all.slice(1), after);
  },
};

/** Permanently. @param {Stage} stage */
export function killFirst({ server: { processes = [] }, gone, pids: [pid] }) {
  gone.add(processes[0]);
  process.kill(pid, 'SIGKILL');
}

/** Resolves when all nodes know of the replica. @param {Stage} stage @returns `after`: slots with it as first node */
async function takenOver({ server: { processes = [] }, spare }) {
  const all = await Promise.all([...processes, /** @type {ManagedProcess} */ (spare)].map(clusterNode));
  const [{ id, control }, replica] = [all[0], all[processes.length]];
  await untilKnown(all, replica, `slave ${id}`);
  const before = await slotOwners(control);
  return { all, replica, after: before.map((owner) => (owner === id ? replica.id : owner)) };
}

/** @param {Stage} stage @param {number} atMs @param {(nodes: Holder[]) => Move[]} plan @returns {Promise<Strike>} */
async function moved({ server: { processes = [] }, spare, fault, signal }, atMs, plan) {
  const nodes = await Promise.all([...processes, ...(spare ? [spare] : [])].map(clusterNode));
  const before = await slotOwners(nodes[0].control);
  const struckAtMs = await untilShared(atMs, signal);
  const holders = await Promise.all(nodes.map((node) => holderOf(node, before)));
  const moves = plan(holders).sort((a, b) => a.slot - b.slot);
  await moveSlots(nodes, moves, { fromMs: struckAtMs, lastsMs: Number(fault.lastsMs), signal });
  const after = [...before];
  for (const { slot, to } of moves) after[slot] = to.id;
  await untilAgreed(nodes, after);
  const met = after.filter((id, slot) => id !== before[slot]).length;
  if (met === 0) throw new RunError('the fault did not happen: no slot moved');
  return { struckAtMs, endedAtMs: sharedClock(), met };
}

/** @param {ClusterNode} node @param {string[]} owners @returns {Promise<Holder>} */
async function holderOf(node, owners) {
  /** @type {Set<number>} */
  const held = new Set();
  for await (const keys of keysOf(node.control.command, KEY_PREFIX))
    for (const key of keys) held.add(calculateSlot(key));
  const own = [...owners.keys()].filter((slot) => owners[slot] === node.id);
  return { ...node, used: own.filter((slot) => held.has(slot)), free: own.filter((slot) => !held.has(slot)) };
}

/** @param {Holder[]} nodes @returns {Holder} with the most slots that hold keys */
const busiest = (nodes) => nodes.reduce((most, node) => (node.used.length > most.used.length ? node : most));

/** @param {Holder[]} nodes @param {Holder} node */
const following = (nodes, node) => nodes[(nodes.indexOf(node) + 1) % nodes.length];

/** @param {Holder} from @param {number} count of slots @param {number} [share] of those with keys */
function chosen({ used, free }, count, share = 1) {
  const first = used.slice(0, Math.ceil(Math.min(count, used.length * share)));
  return [...first, ...free.slice(0, Math.max(0, Math.floor(count) - first.length))];
}

/** @param {number[]} slots @param {Holder} from @param {Holder[]} others get the same number each @returns {Move[]} */
const toOthers = (slots, from, others) =>
  slots.map((slot, index) => ({ slot, from, to: others[index % others.length] }));
