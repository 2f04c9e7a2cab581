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
  /** @type {Map<ServerNode, {newest: number | undefined, commands: SlowCommand[]}>} */
  const known = new Map();
  /** @param {ServerNode} from */
  async function ask(from) {
    // A full log may take half a megabyte, and hardly ever has anything new.
    const [[newest] = []] = await entriesOf(from, '1');
    const last = known.get(from);
    if (last && last.newest === newest) return last.commands;
    const commands = (await entriesOf(from, MOST)).map(([id, , us, [name]]) => ({
      id: `${from.node} ${id}`,
      ms: us / 1000,
      name: String(name).toUpperCase(),
    }));
    known.set(from, { newest, commands });
    return commands;
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
