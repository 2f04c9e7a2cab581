/** How much more a server may store because of us: what its limit, or its machine, leaves to others. */
import os from 'node:os';
import { numberIn } from './replies.js';

/** @import { MemoryBound } from '../store/types.js' */
/** @import { NodeMemory, Server } from './types.js' */

/**
 * @typedef {{bound: MemoryBound, freeBytes: number, usedBytes: number, maxBytes: number, policy: string}} Room `bound`: what
 *   limits it; `maxBytes`: 0 without a limit of the server's own
 */

/** The part of what is free on this machine; the rest is for forks, the page cache and other programs. */
const LOCAL_SHARE = 1 / 2;
/** The part of another machine that its server does not use; what else runs there is unknown. */
const REMOTE_SHARE = 1 / 4;
/** On a user's server without maxmemory: more is for its owner to decide. */
const MOST_UNLIMITED_BYTES = 1e9;
/** Where a server does not say what it has. */
const MOST_UNKNOWN_BYTES = 256e6;

/** @param {Record<string, string>} fields of INFO @returns {NodeMemory | null} null if not in INFO */
export function memoryOf(fields) {
  const { maxmemory, maxmemory_policy: policy, used_memory: used, used_memory_rss: rss } = fields;
  if ([maxmemory, used].some((text) => !/^\d{1,15}$/.test(text ?? ''))) return null;
  return {
    maxBytes: Number(maxmemory),
    usedBytes: Number(used),
    policy: policy ?? 'unknown',
    residentBytes: Math.max(Number(used), numberIn(rss) ?? 0),
    systemBytes: numberIn(fields.total_system_memory) || null,
  };
}

/**
 * Where the least is left: on which node, by which limit.
 * @param {Pick<Server, 'kind' | 'isLocal'>} server @param {NodeMemory[] | null} memory of each node, null if unknown
 * @param {{allowEviction: boolean}} settings @returns {Room | null} null where nothing limits it, or all was accepted
 */
export function roomOn(server, memory, { allowEviction }) {
  const nodes = memory ?? [null];
  const rooms = nodes.flatMap((node) => roomsOf(server, node, nodes.length, allowEviction));
  return rooms.reduce(
    (/** @type {Room | null} */ least, room) =>
      least === null || room.freeBytes < least.freeBytes ? room : least,
    null,
  );
}

/**
 * @param {Pick<Server, 'kind' | 'isLocal'>} server @param {NodeMemory | null} node @param {number} nodes
 * @param {boolean} allowEviction @returns {Room[]}
 */
function roomsOf({ kind, isLocal }, node, nodes, allowEviction) {
  const known = { usedBytes: 0, maxBytes: 0, policy: 'unknown', ...node };
  /** @param {Room['bound']} bound @param {number} freeBytes @returns {Room} */
  const room = (bound, freeBytes) => ({
    bound,
    freeBytes: Math.max(0, freeBytes),
    usedBytes: known.usedBytes,
    maxBytes: known.maxBytes,
    policy: known.policy,
  });
  const systemBytes = node?.systemBytes ?? null;
  // A tunnel to another machine begins here, too.
  const isHere = isLocal && (systemBytes === null || systemBytes === os.totalmem());
  /** @type {Room[]} */
  const rooms = [];
  // No permission makes this machine larger.
  if (isHere) rooms.push(room('machine', (availableBytes() * LOCAL_SHARE) / nodes));
  if (kind === 'managed' || allowEviction) return rooms;
  if (node === null) return [...rooms, room('unknown', MOST_UNKNOWN_BYTES)];
  if (node.maxBytes > 0) return [...rooms, room('maxmemory', node.maxBytes - node.usedBytes)];
  if (isHere) return [...rooms, room('unlimited', MOST_UNLIMITED_BYTES)];
  if (systemBytes === null) return [...rooms, room('unknown', MOST_UNKNOWN_BYTES)];
  const free = (systemBytes - node.residentBytes) * REMOTE_SHARE;
  return [...rooms, room('unlimited', Math.min(free, MOST_UNLIMITED_BYTES))];
}

/** 0 without /proc. */
const availableBytes = () => process.availableMemory() || os.freemem();

const LESS = 'Use fewer keys or shorter values';
const ACCEPT = 'or accept that with --allow-eviction';
/** What helps, by what limits. @type {Record<MemoryBound, string>} */
export const REMEDIES = {
  maxmemory: `${LESS}, raise its maxmemory, ${ACCEPT}`,
  unlimited: `${LESS}, set its maxmemory, ${ACCEPT}`,
  machine: `${LESS}, or free memory on this machine`,
  unknown: `${LESS}, let the user call INFO, ${ACCEPT}`,
};
