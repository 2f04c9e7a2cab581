import { messageOf } from '../errors.js';

/**
 * The loop of a process that answers requests of its parent and ends with it. Requests are {id, method, params},
 * answers {id, result} or {id, error}, all plain JSON.
 *
 * @param {Record<string, (params: any) => Promise<unknown>>} methods
 * @param {() => Promise<void>} [onOrphaned] what is still to do when the parent is gone
 */
export function answerRequests(methods, onOrphaned = async () => {}) {
  process.on('message', async (/** @type {any} */ { id, method, params }) => {
    const answer = await methods[method](params).then(
      (result) => ({ id, result }),
      (error) => ({ id, error: { message: messageOf(error) } }),
    );
    if (process.connected) process.send?.(answer);
  });
  // The parent is gone, perhaps by kill -9.
  process.once('disconnect', async () => {
    await onOrphaned();
    process.kill(process.pid, 'SIGKILL');
  });
}
