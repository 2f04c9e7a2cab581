import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeLimit } from '../process/wait.js';

/** @import { RunError, ServerError } from '../errors.js' */
/** @import { Server } from '../server/types.js' */

/** Only while nothing is measured. */
const ASK_EVERY_MS = 1000;

/**
 * Waits for unmeasured work of a worker, as long as the server answers.
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

/** @param {Server} server @returns {Promise<ServerError | null>} why it can no longer be used, if so */
export const lossOf = (server) =>
  server.confirm().then(
    () => null,
    (error) => error,
  );
