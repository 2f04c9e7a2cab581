import { UsageError } from '../errors.js';
import { storedBytes } from '../plan/stored-bytes.js';

/**
 * @import { Settings } from '../options/types.js'
 * @import { Cell, Plan } from '../plan/types.js'
 * @import { Catalogue } from '../plugins/types.js'
 * @import { Server } from '../server/types.js'
 */

/** Where keys are this many, a cluster's nodes have about as many each. */
const MANY_KEYS = 1000;
/** And no node has more than this much over its share. */
const UNEVEN = 1.5;

/**
 * Refuses a benchmark for which an external server would have to evict keys of others, or refuse their
 * writes.
 *
 * @param {Server} server
 * @param {Plan} plan
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 * @returns {string[]} a warning where this could not be checked
 * @throws {UsageError}
 */
export function checkMemory({ kind, topology, memory }, { groups }, settings, catalogue) {
  const ofServer = groups.filter(([first]) => first.topology === topology);
  if (kind === 'managed' || ofServer.length === 0) return [];
  if (memory === null) {
    return [
      'the server does not tell how much memory it may use (INFO): it could not be checked whether it evicts ' +
        'keys of others to make room for this benchmark',
    ];
  }
  const { bytes, data } = storedBytes(ofServer, catalogue);
  const needed = bytes * shareOfNode(ofServer.flat(), memory.length, settings);
  const full = memory.find(({ maxBytes, usedBytes }) => maxBytes > 0 && usedBytes + needed > maxBytes);
  if (full === undefined) return [];
  const { maxBytes, usedBytes, policy } = full;
  const found =
    `${data} may take up to ${megabytes(needed)} there, and ${megabytes(usedBytes)} of its maxmemory of ` +
    `${megabytes(maxBytes)} are in use`;
  const consequence =
    policy === 'noeviction'
      ? 'it would then refuse writes, those of its other users too'
      : `it would then evict keys, those of its other users too (maxmemory-policy ${policy})`;
  if (settings.allowEviction) return [`the server may be too small: ${found}; ${consequence}`];
  throw new UsageError(
    `the server may be too small: ${found}; ${consequence}. Use fewer or shorter --keys, raise its maxmemory, ` +
      'or accept that with --allow-eviction',
  );
}

/**
 * @param {Cell[]} cells
 * @param {number} nodes
 * @param {Settings} settings
 * @returns {number} the part of the data that one node may have to hold
 */
function shareOfNode(cells, nodes, { oneSlot }) {
  if (oneSlot || cells.some(({ keys }) => keys < MANY_KEYS)) return 1;
  return Math.min(1, UNEVEN / nodes);
}

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
