import { ErrorReply } from '../resp.js';

/** @import { ServerNode } from './nodes.js' */
/** @import { SlowCommand } from './types.js' */

/** Redis's default length. */
const MOST = '128';

/** After one refusal it stops asking. @param {ServerNode[]} nodes @returns {() => Promise<SlowCommand[]>} */
export function createSlowLog(nodes) {
  let tells = true;
  /** @type {Map<ServerNode, number>} newest id */
  const known = new Map();
  /** @param {ServerNode} node */
  async function ask(node) {
    // A full log may take 0.5 MB and rarely has anything new.
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

/** @param {ServerNode} node @param {string} most @returns {Promise<any[]>} newest first */
const entriesOf = async ({ control }, most) =>
  /** @type {any[]} */ (await control.command('SLOWLOG', 'GET', most));
