import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeLimit } from './time-limit.js';

/**
 * @import { RunError, ServerError } from '../errors.js'
 * @import { Server } from '../server/types.js'
 */

/** While nothing is measured, the server may be asked whether it still answers. */
const ASK_EVERY_MS = 1000;

/**
 * Waits for work of a worker that is not measured, as long as the server answers.
 *
 * @template T
 * @param {Server} server
 * @param {Promise<T>} work
 * @param {number} limitMs
 * @returns {Promise<T>}
 * @throws {ServerError} when it does not
 * @throws {RunError} when the worker takes too long
 */
export async function whileAnswering(server, work, limitMs) {
  let over = false;
  const watch = async () => {
    while (!over) {
      await sleep(ASK_EVERY_MS, undefined, { ref: false });
      if (!over) await server.control.ping();
    }
    return work;
  };
  const first = Promise.race([work, watch()]);
  return withTimeLimit(limitMs, first, '--run-timeout').finally(() => {
    over = true;
  });
}

/**
 * @param {Server} server
 * @returns {Promise<ServerError | null>} why it is of no use any more, if so
 */
export const lossOf = (server) =>
  server.confirm().then(
    () => null,
    (error) => error,
  );
