import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.js';
import { within } from '../server/within.js';

/**
 * @import { Server } from '../server/types.js'
 * @import { RunContext } from './types.js'
 */

/** Removing a cell's keys takes milliseconds; a server that stalls must not hold up the end. */
const REMOVE_KEYS_WITHIN_MS = 3000;
/** Who has pressed Ctrl-C does not wait for a server that hangs. */
const SOON_MS = 500;

/**
 * Has each cell remove the keys that it stored.
 *
 * @param {{removeKeys: () => Promise<boolean>}[]} runners
 * @param {RunContext} context
 * @returns {Promise<boolean>} whether every cell did
 */
export async function removeKeys(runners, { server, signal }) {
  if (!(await worthAsking(server, signal))) return false;
  const removed = Promise.all(runners.map((runner) => runner.removeKeys()));
  const results = await Promise.race([removed, sleep(REMOVE_KEYS_WITHIN_MS, [false], { ref: false })]);
  return results.every(Boolean);
}

/**
 * Removes the keys of workers that died. A managed server takes them with it.
 *
 * @param {Server} server
 * @param {string} keyPrefix
 * @param {AbortSignal} signal
 * @returns {Promise<string[]>} a warning where they had to stay
 */
export async function sweepKeys(server, keyPrefix, signal) {
  if (server.kind === 'managed') return [];
  const left = (/** @type {string} */ reason) => [
    `keys that start with '${keyPrefix}' may be left on the server: ${reason}`,
  ];
  if (!(await worthAsking(server, signal))) return left('it does not answer');
  return server.control.removeKeys(keyPrefix).then(
    () => [],
    (error) => left(messageOf(error)),
  );
}

/**
 * @param {Server} server
 * @param {AbortSignal} signal
 */
const worthAsking = async ({ control }, signal) =>
  !signal.aborted ||
  within(SOON_MS, control.ping()).then(
    () => true,
    () => false,
  );
