import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.js';
import { within } from '../process/wait.js';
import { rememberedKeys } from './key-ledger.js';

/** @import { Cell } from '../plan/types.js' */
/** @import { Server } from '../server/types.js' */
/** @import { Swept, TurnContext } from './types.js' */

/** Removing a cell's keys takes milliseconds; a server that stalls must not hold up the end. */
const REMOVE_KEYS_WITHIN_MS = 3000;
/** Nobody wants to wait for a hung server after Ctrl-C. */
const SOON_MS = 500;

/**
 * Has each cell remove the keys that it stored.
 *
 * @param {{cell: Cell, removeKeys: () => Promise<boolean>}[]} runners
 * @param {Pick<TurnContext, 'placeOf' | 'signal'>} context
 * @returns {Promise<boolean>} whether every cell did
 */
export async function removeKeys(runners, { placeOf, signal }) {
  const servers = [...new Set(runners.map(({ cell }) => placeOf(cell).server))];
  const worth = await Promise.all(servers.map((server) => worthAsking(server, signal)));
  if (!worth.every(Boolean)) return false;
  const removed = Promise.all(runners.map((runner) => runner.removeKeys()));
  const results = await Promise.race([removed, sleep(REMOVE_KEYS_WITHIN_MS, [false], { ref: false })]);
  return results.every(Boolean);
}

/**
 * Removes the keys of workers that died. On a managed server they end with the server.
 *
 * @param {Server} server @param {string} keyPrefix @param {AbortSignal} signal
 * @returns {Promise<string | null>} why keys may be left
 */
export async function sweepKeys(server, keyPrefix, signal) {
  if (server.kind === 'managed') return null;
  if (!(await worthAsking(server, signal))) return 'it does not answer';
  return server.removeKeys([keyPrefix]).then(() => null, messageOf);
}

/**
 * Removes what killed invocations left on an external server.
 *
 * @param {Server} server @param {string} folder the state folder @returns {Promise<Swept[]>} by invocation
 */
export async function sweepLeftovers(server, folder) {
  const all = rememberedKeys(folder, server);
  const abandoned = all.filter(({ inUse }) => !inUse).map(({ entry }) => entry.prefix);
  const { counts, failure } = await server.removeKeys(abandoned).then(
    (removed) => ({ counts: removed, failure: null }),
    (error) => ({ counts: new Map(), failure: messageOf(error) }),
  );
  return all.map(({ entry: { prefix, at }, inUse, settled, sure, forget }) => {
    if (inUse) return { prefix, at, inUse, removed: 0, failure: null };
    const removed = counts.get(prefix) ?? 0;
    // Another server may run at this address now, while the one with the keys is away.
    if (failure === null && settled && (sure || removed > 0)) forget();
    return { prefix, at, inUse, removed, failure };
  });
}

/** @param {Server} server @param {AbortSignal} signal */
const worthAsking = async ({ control }, signal) =>
  !signal.aborted ||
  within(SOON_MS, control.ping()).then(
    () => true,
    () => false,
  );
