import { ErrorReply } from '../resp.js';

/** @import { ServerNode } from './nodes.js' */
/** @import { SlowCommand } from './types.js' */

/** As many as a server keeps by default. */
const MOST = '128';

/**
 * Reads what servers have logged as slow commands; nothing where one of them does not tell, which is asked once.
 * @param {ServerNode[]} nodes @returns {() => Promise<SlowCommand[]>} rejects when one is lost
 */
export function createSlowLog(nodes) {
  let tells = true;
  /** @param {ServerNode} node */
  async function ask({ node, control }) {
    const entries = /** @type {any[]} */ (await control.command('SLOWLOG', 'GET', MOST));
    return entries.map(([id, , us, [name]]) => ({
      id: `${node} ${id}`,
      ms: us / 1000,
      name: String(name).toUpperCase(),
    }));
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
