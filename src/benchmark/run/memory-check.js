import os from 'node:os';
import { serverKey } from '../../axes/client-and-server.js';
import { UsageError } from '../../core/errors.js';
import { openFilesLimit } from '../../core/machine/files-and-ports.js';
import { storedBytes } from '../../core/plan/capacity.js';
import { factText } from '../../core/report/fact-words.js';

/** @import { Fleet } from '../../agents/types.js' */
/** @import { Settings } from '../../options/types.js' */
/** @import { Cell, Limits, MemoryNeed, Plan } from '../../core/plan/types.js' */
/** @import { Catalogue } from '../../core/plugins/types.js' */
/** @import { Notice } from '../../core/store/types.js' */
/** @import { Server } from '../../core/server/types.js' */

/** A cluster spreads this many keys evenly. */
const MANY_KEYS = 1000;
/** How far a node may then exceed its share. */
const UNEVEN = 1.5;

/**
 * Refuses to make an external server evict other users' keys or reject their writes.
 * @param {Server} server @param {Plan} plan @param {Settings} settings @param {Catalogue} catalogue
 * @returns {Notice[]} one if this could not be checked @throws {UsageError}
 */
export function checkMemory(server, { groups }, settings, catalogue) {
  const ofServer = groups
    .map((cells) => cells.filter((cell) => serverKey(cell) === server.key))
    .filter(({ length }) => length > 0);
  if (ofServer.length === 0) return [];
  const { bytes, data } = storedBytes(ofServer, catalogue);
  const share = shareOfNode(ofServer.flat(), server.memory?.length ?? 1, settings);
  return checkRoom(server, { bytes: bytes * share, data }, settings);
}

/**
 * @param {Pick<Server, 'kind' | 'memory'>} server @param {{bytes: number, data: MemoryNeed}} needed on each node
 * @param {{allowEviction: boolean}} settings @returns {Notice[]} one if unchecked or accepted
 */
export function checkRoom({ kind, memory }, { bytes, data }, { allowEviction }) {
  if (kind === 'managed') return [];
  if (memory === null) return [{ kind: 'memory-unknown' }];
  const full = memory.find(({ maxBytes, usedBytes }) => maxBytes > 0 && usedBytes + bytes > maxBytes);
  if (full === undefined) return [];
  /** @type {Notice} */
  const problem = { kind: 'memory-small', bytes, ...data, ...full };
  if (allowEviction) return [problem];
  throw new UsageError(
    `${factText(problem)}. Use fewer keys or shorter values, raise its maxmemory, or accept that with --allow-eviction`,
  );
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
  files: fleet === null ? await openFilesLimit() : leastFiles(fleet),
  servers: Object.fromEntries(
    servers.map(({ key, freeConnections, facts }) => [
      key,
      { free: freeConnections, nodes: facts.nodes?.length ?? 1 },
    ]),
  ),
});

/** Files that a process may open on any agent. @param {Fleet} fleet @returns {number | null} */
function leastFiles({ agents }) {
  const known = agents.flatMap(({ openFiles }) => openFiles ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** Open files of the tool, and of each worker: two pipes, a channel, one spare. */
const FILES = { own: 64, worker: 4 };

/** @param {Limits} limits */
export const capacityOf = ({ files }) => ({
  // 0 without /proc.
  bytes: process.availableMemory() || os.freemem(),
  processes: Math.floor(((files ?? Number.POSITIVE_INFINITY) - FILES.own) / FILES.worker),
});
