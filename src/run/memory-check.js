import os from 'node:os';
import { serverKey } from '../axes/client-and-server.js';
import { UsageError } from '../errors.js';
import { openFilesLimit } from '../machine/files-and-ports.js';
import { factText } from '../report/fact-words.js';
import { REMEDIES, roomOn } from '../server/memory.js';
import { storedBytes } from './plan/capacity.js';

/** @import { Settings } from '../options/types.js' */
/** @import { Cell, Limits, MemoryNeed, Plan } from './plan/types.js' */
/** @import { Catalogue } from '../plugins/types.js' */
/** @import { Notice } from '../store/types.js' */
/** @import { Server } from '../server/types.js' */
/** @import { Fleet } from './types.js' */

/** A cluster spreads this many keys evenly. */
const MANY_KEYS = 1000;
/** How far a node may then exceed its share. */
const UNEVEN = 1.5;

/**
 * Refuses to make an external server evict other users' keys or reject their writes, and to fill a machine's memory.
 * @param {Server} server @param {Plan} plan @param {Settings} settings @param {Catalogue} catalogue
 * @returns {Notice[]} one if this could not be checked @throws {UsageError}
 */
export function checkMemory(server, { groups }, settings, catalogue) {
  const needed = neededOn(server, groups, settings, catalogue);
  return needed === null ? [] : checkRoom(server, needed, settings);
}

/**
 * @param {Server} server @param {Cell[][]} groups @param {Settings} settings @param {Catalogue} catalogue
 * @returns {{bytes: number, data: MemoryNeed} | null} the most on one node; null where none of the cells use the server
 */
export function neededOn(server, groups, settings, catalogue) {
  const ofServer = groups
    .map((cells) => cells.filter((cell) => serverKey(cell) === server.key))
    .filter(({ length }) => length > 0);
  if (ofServer.length === 0) return null;
  const { bytes, data } = storedBytes(ofServer, catalogue);
  return { bytes: bytes * shareOfNode(ofServer.flat(), server.memory?.length ?? 1, settings), data };
}

/**
 * @param {Pick<Server, 'kind' | 'isLocal' | 'memory'>} server @param {{bytes: number, data: MemoryNeed}} needed on each node
 * @param {{allowEviction: boolean}} settings @returns {Notice[]} one if unchecked or accepted
 */
export function checkRoom(server, { bytes, data }, settings) {
  const { kind, memory } = server;
  const room = roomOn(server, memory, settings);
  if (room !== null && bytes > room.freeBytes)
    throw new UsageError(
      `${factText({ kind: 'memory-small', bytes, ...data, ...room })}. ${REMEDIES[room.bound]}`,
    );
  if (kind === 'external' && memory === null) return [{ kind: 'memory-unknown' }];
  const full = memory?.find(({ maxBytes, usedBytes }) => maxBytes > 0 && usedBytes + bytes > maxBytes);
  if (full === undefined || kind === 'managed') return [];
  const { usedBytes, maxBytes, policy } = full;
  return [{ kind: 'memory-small', bytes, ...data, bound: 'maxmemory', usedBytes, maxBytes, policy }];
}

/**
 * @param {Cell[]} cells @param {number} nodes @param {Settings} settings @returns {number} the most that one node holds
 */
function shareOfNode(cells, nodes, { oneSlot }) {
  if (oneSlot || cells.some(({ keys }) => keys < MANY_KEYS)) return 1;
  return Math.min(1, UNEVEN / nodes);
}

/** @param {Server[]} servers @param {Fleet | null} fleet @returns {Promise<Limits>} */
export const limitsOf = async (servers, fleet) => ({
  files: fleet === null ? await openFilesLimit() : fleet.openFiles,
  servers: Object.fromEntries(
    servers.map(({ key, freeConnections, facts }) => [
      key,
      { free: freeConnections, nodes: facts.nodes?.length ?? 1 },
    ]),
  ),
});

/** Open files of the tool, and of each worker: two pipes, a channel, one spare. */
const FILES = { own: 64, worker: 4 };

/** @param {Limits} limits */
export const capacityOf = ({ files }) => ({
  // 0 without /proc.
  bytes: process.availableMemory() || os.freemem(),
  processes: Math.floor(((files ?? Number.POSITIVE_INFINITY) - FILES.own) / FILES.worker),
});
