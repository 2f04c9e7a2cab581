import { ErrorReply } from '../resp.js';

/** @import { ServerNode } from './nodes.js' */
/** @import { SlowCommand } from './types.js' */

/** As many as a server keeps by default. */
const MOST = '128';

/**
 * Reads what servers have logged as slow commands since they were last asked; nothing where one of them does not tell,
 * which is asked once.
 * @param {ServerNode[]} nodes @returns {() => Promise<SlowCommand[]>} rejects when one is lost
 */
export function createSlowLog(nodes) {
  let tells = true;
  /** @type {Map<ServerNode, number>} the newest entry of each */
  const known = new Map();
  /** @param {ServerNode} node */
  async function ask(node) {
    // A full log may take half a megabyte, and hardly ever has anything new.
    const [[newest = -1] = []] = await entriesOf(node, '1');
    const last = known.get(node) ?? newest;
    known.set(node, newest);
    if (newest === last) return [];
    const entries = (await entriesOf(node, MOST)).filter(([id]) => id > last && id <= newest);
    return entries.map(([, , us, [name]]) => ({ ms: us / 1000, name: String(name).toUpperCase() }));
  }
  return async () => {
    if (!tells) return [];
    try {
      return (await Promise.all(nodes.map(ask))).flat();
    } catch (error) {
      const { cause } = /** @type {Error} */ (error);
      if (!(cause instanceof ErrorReply)) throw error;
      tells = false;
      return [];
    }
  };
}

/** @param {ServerNode} node @param {string} most @returns {Promise<any[]>} the newest first */
const entriesOf = async ({ control }, most) =>
  /** @type {any[]} */ (await control.command('SLOWLOG', 'GET', most));
