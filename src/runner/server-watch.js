import { setTimeout as sleep } from 'node:timers/promises';

/** While nothing is measured, the server may be asked whether it still answers. */
const ASK_EVERY_MS = 1000;

/**
 * Waits for work that is not measured as long as the server answers.
 *
 * @template T
 * @param {import('../types.js').Server} server
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 * @throws {import('../errors.js').ServerError} when it does not
 */
export async function whileAnswering(server, work) {
  let over = false;
  const watch = async () => {
    while (!over) {
      await sleep(ASK_EVERY_MS, undefined, { ref: false });
      if (!over) await server.control.ping();
    }
    return work;
  };
  return Promise.race([work, watch()]).finally(() => {
    over = true;
  });
}

/**
 * @param {import('../types.js').Server} server
 * @returns {Promise<import('../errors.js').ServerError | null>} why it is of no use any more, if so
 */
export const lossOf = (server) =>
  server.confirm().then(
    () => null,
    (error) => error,
  );
