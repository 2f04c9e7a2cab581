import { messageOf } from '../errors.js';
import { sweepLeftovers } from './clean-up.js';
import { rememberKeys } from './key-ledger.js';

/** @import { Server } from '../server/types.js' */
/** @import { RememberedKeys, Swept } from './types.js' */

/**
 * Makes sure that no key stays on an external server: removes what killed invocations left there, and
 * remembers what this one is about to store.
 *
 * @param {Server[]} servers
 * @param {string} prefix of this invocation's keys
 * @param {string | null} folder the state folder; null where the user has none
 */
export async function guardKeys(servers, prefix, folder) {
  /** @type {Awaited<ReturnType<typeof guardServer>>[]} */
  const guards = [];
  for (const server of servers.filter(({ kind }) => kind === 'external'))
    guards.push(await guardServer(server, prefix, folder));
  /** @type {Set<Server>} */
  const doubtful = new Set();
  return {
    notes: guards.flatMap(({ notes }) => notes),

    /** @param {Server} server whose keys were perhaps not all removed */
    doubt: (server) => void doubtful.add(server),

    /**
     * @param {(server: Server) => Promise<string | null>} sweep returns why keys may be left
     * @returns {Promise<string[]>} warnings
     */
    async end(sweep) {
      const warnings = [];
      for (const { server, end } of guards) {
        const failure = doubtful.has(server) ? await sweep(server) : null;
        await end(failure === null);
        if (failure !== null) warnings.push(leftWarning(prefix, failure));
      }
      return warnings;
    },
  };
}

/** @param {Server} server @param {string} prefix @param {string | null} folder */
async function guardServer(server, prefix, folder) {
  if (folder === null)
    return { server, notes: [`${NOT_REMEMBERED}: this user has no home folder`], end: async () => {} };
  const leftovers = await sweepLeftovers(server, folder);
  const notes = leftovers.flatMap(sweptNote);
  /** @type {RememberedKeys | null} */
  let remembered = null;
  try {
    remembered = rememberKeys(folder, server, prefix);
  } catch (error) {
    notes.push(`${NOT_REMEMBERED}: ${messageOf(error)}`);
  }
  return {
    server,
    notes,
    /** @param {boolean} removed whether all keys are */
    async end(removed) {
      if (!removed) return remembered?.leave();
      remembered?.forget();
      // Workers of the killed tool may have stored keys until a moment after the first sweep.
      if (leftovers.some(({ inUse }) => !inUse)) await sweepLeftovers(server, folder);
    },
  };
}

const NOT_REMEMBERED = 'it cannot be remembered which keys are stored, in case everything is killed';

/** @param {string} prefix @param {string} failure */
const leftWarning = (prefix, failure) =>
  `keys that start with '${prefix}' may be left on the server: ${failure}; the next benchmark on it removes ` +
  "them, or 'redis-pipe-bench clean' with the same --url or --socket";

/** @param {Swept} swept @returns {string[]} */
const sweptNote = ({ prefix, removed, failure }) => {
  if (failure !== null)
    return [
      `an earlier benchmark left keys that start with '${prefix}', which could not be removed: ${failure}`,
    ];
  if (removed === 0) return [];
  return [
    `removed ${removed} ${removed === 1 ? 'key' : 'keys'} that an earlier benchmark left when it was killed`,
  ];
};
