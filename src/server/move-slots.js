import { ServerError } from '../errors.js';
import { until } from '../process/wait.js';
import { untilShared } from '../shared-clock.js';
import { SLOTS } from './cluster.js';
import { placeOf } from './target.js';

/** @import { Control, ManagedProcess, NodeAddress } from './types.js' */

/** @typedef {{id: string, control: Control, place: NodeAddress, auth: string[]}} ClusterNode `auth`: for MIGRATE */
/** @typedef {{slot: number, from: ClusterNode, to: ClusterNode}} Move */

/** Batches slots into scripts: a node saves its state after each command, and 5,000 saves take too long. */
const MOST_STEPS = 50;
const KEYS_AT_ONCE = 100;
const MIGRATE_WITHIN_MS = 5000;
const AGREED_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 10;

/** @param {Pick<ManagedProcess, 'control' | 'targets'>} process @returns {Promise<ClusterNode>} */
export async function clusterNode({ control, targets }) {
  const id = String(await control.command('CLUSTER', 'MYID'));
  const { username, password } = targets.tcp;
  const login = username ? ['AUTH2', username, `${password}`] : ['AUTH', `${password}`];
  return { id, control, place: placeOf({ targets }), auth: password ? login : [] };
}

/** @param {Control} control @returns {Promise<string[]>} node ids by slot */
export async function slotOwners({ command }) {
  // Not CLUSTER SLOTS, which counts as a client's command.
  const lines = String(await command('CLUSTER', 'NODES')).split('\n');
  const owners = new Array(SLOTS).fill('');
  for (const [id, ...facts] of lines.map((line) => line.split(' '))) {
    // Slots follow seven other fields; those in brackets are migrating.
    for (const range of facts.slice(7)) {
      const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
      if (first !== undefined) owners.fill(id, Number(first), Number(last) + 1);
    }
  }
  return owners;
}

/**
 * As redis-cli does: clients get ASK for keys that left, then MOVED.
 * @param {ClusterNode[]} nodes @param {Move[]} moves
 * @param {{fromMs: number, lastsMs: number, signal: AbortSignal}} when
 */
export async function moveSlots(nodes, moves, { fromMs, lastsMs, signal }) {
  const steps = Math.min(MOST_STEPS, moves.length);
  const stepMs = lastsMs / steps;
  for (let step = 0; step < steps; step++) {
    const part = moves.slice(
      Math.floor((step * moves.length) / steps),
      Math.floor(((step + 1) * moves.length) / steps),
    );
    await setSlots(part, 'IMPORTING', { at: ({ to }) => to, other: ({ from }) => from });
    await setSlots(part, 'MIGRATING', { at: ({ from }) => from, other: ({ to }) => to });
    await untilShared(fromMs + (step + 0.5) * stepMs, signal);
    await Promise.all(part.map(moveKeys));
    await untilShared(fromMs + (step + 1) * stepMs, signal);
    // The new owner first: it takes a new epoch, so no node contradicts it.
    await setSlots(part, 'NODE', { at: ({ to }) => to, other: ({ to }) => to });
    for (const node of nodes) {
      const news = part.filter(({ to }) => to !== node);
      await setSlots(news, 'NODE', { at: () => node, other: ({ to }) => to });
    }
  }
}

/** A node that loses its last slot becomes a replica and then refuses SETSLOT, which it no longer needs. */
const SET_SLOTS = `
  for i = 2, #ARGV, 2 do
    local reply = redis.pcall('CLUSTER', 'SETSLOT', ARGV[i], ARGV[1], ARGV[i + 1])
    if reply.err and not string.find(reply.err, 'only with masters') then return reply end
  end`;

/**
 * @param {Move[]} moves @param {'IMPORTING' | 'MIGRATING' | 'NODE'} state
 * @param {Record<'at' | 'other', (move: Move) => ClusterNode>} of
 */
async function setSlots(moves, state, { at, other }) {
  for (const node of new Set(moves.map(at))) {
    const told = moves.filter((move) => at(move) === node);
    const args = told.flatMap((move) => [`${move.slot}`, other(move).id]);
    await node.control.command('EVAL', SET_SLOTS, '0', state, ...args);
  }
}

/** @param {Move} move */
export async function moveKeys({ slot, from, to: { place, auth } }) {
  const to = [place.host, `${place.port}`, '', '0', `${MIGRATE_WITHIN_MS}`, ...auth, 'KEYS'];
  for (;;) {
    const keys = await from.control.command('CLUSTER', 'GETKEYSINSLOT', `${slot}`, `${KEYS_AT_ONCE}`);
    if (!Array.isArray(keys) || keys.length === 0) return;
    await from.control.command('MIGRATE', ...to, ...keys.map(String));
  }
}

/**
 * @param {Control} control
 * @returns {Promise<{slot: number, state: 'migrating' | 'importing'}[]>} migrating slots of this node
 */
export async function openSlots({ command }) {
  const own = String(await command('CLUSTER', 'NODES'))
    .split('\n')
    .find((line) => /^\S+ \S+ \S*myself/.test(line));
  return [...`${own}`.matchAll(/\[(\d+)-([<>])-/g)].map(([, slot, direction]) => ({
    slot: Number(slot),
    state: direction === '>' ? 'migrating' : 'importing',
  }));
}

/** @param {ClusterNode[]} nodes @returns {Promise<string[]>} ids by slot, once all nodes agree */
export async function agreedOwners(nodes) {
  let owners = await slotOwners(nodes[0].control);
  await untilAll(nodes, async ({ control }) => {
    if (control === nodes[0].control) owners = await slotOwners(control);
    return (await slotOwners(control)).join() === owners.join();
  });
  return owners;
}

/** @param {ClusterNode[]} nodes @param {string[]} owners */
export function untilAgreed(nodes, owners) {
  const wanted = owners.join();
  return untilAll(nodes, async ({ control }) => (await slotOwners(control)).join() === wanted);
}

/** @param {ClusterNode[]} nodes @param {ClusterNode} node @param {string} role as in CLUSTER NODES */
export function untilKnown(nodes, { id }, role) {
  const line = new RegExp(`^${id} \\S+ (myself,)?${role} `, 'm');
  return untilAll(nodes, async ({ control }) => line.test(String(await control.command('CLUSTER', 'NODES'))));
}

/** @param {ClusterNode[]} nodes @param {(node: ClusterNode) => Promise<boolean>} isSo */
async function untilAll(nodes, isSo) {
  const late = () =>
    new ServerError(
      `the nodes of the cluster did not agree on nodes and slots within ${AGREED_WITHIN_MS / 1000} s`,
    );
  const look = async () => (await Promise.all(nodes.map(isSo))).every(Boolean);
  await until(look, { everyMs: LOOK_EVERY_MS, withinMs: AGREED_WITHIN_MS, late });
}
