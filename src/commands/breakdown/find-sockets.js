import calculateSlot from 'cluster-key-slot';
import * as v from 'valibot';
import { CLUSTER_SLOTS } from '../../server/replies.js';

/** @import { Connection } from '../../plugins/types.js' */
/** @import { watchSockets } from './watch-sockets.js' */

/** @typedef {(key: string) => number} SocketOf the index of the one by which commands of that key go */

/** One of them is in any range of slots that a node has. */
const MOST_TRIES = 20_000;

/**
 * Finds by which of its sockets a connection sends: a cluster's has one to each node, and a key's slot decides.
 * @param {Connection} connection
 * @param {ReturnType<typeof watchSockets>} sockets
 * @param {string} text that no other connection sends
 * @param {string | null} prefix of keys of a cluster
 * @returns {Promise<SocketOf | null>} null for none of Node's
 */
export async function findSockets(connection, sockets, text, prefix) {
  if (prefix === null) {
    const socket = await sockets.socketOf(text, () => connection.command(['ECHO', text]));
    return socket < 0 ? null : () => socket;
  }
  const ranges = v.parse(CLUSTER_SLOTS, await connection.command(['CLUSTER', 'SLOTS']));
  /** Of each slot. */
  const socketOf = new Int16Array(2 ** 14).fill(-1);
  for (const [first, last] of ranges) {
    const isIn = (/** @type {string} */ key) => calculateSlot(key) >= first && calculateSlot(key) <= last;
    let tries = 0;
    while (tries < MOST_TRIES && !isIn(`${prefix}${text}${tries}`)) tries++;
    // All keys are in one slot of another node.
    if (tries === MOST_TRIES) continue;
    const key = `${prefix}${text}${tries}`;
    const socket = await sockets.socketOf(key, () => connection.command(['EXISTS', key]));
    if (socket < 0) return null;
    socketOf.fill(socket, first, last + 1);
  }
  /** A slot is computed once for each key. @type {Map<string, number>} */
  const known = new Map();
  return (key) => {
    const socket = known.get(key) ?? socketOf[calculateSlot(key)];
    known.set(key, socket);
    return socket;
  };
}
