import { messageWithPosition } from '../errors.js';

/**
 * Answers the requests of the parent process, {id, method, params}, with {id, result} or {id, error}; ends with the parent.
 * @param {Record<string, (params: any) => Promise<unknown>>} methods
 * @param {() => Promise<void>} [onOrphaned] what is still to do when the parent is gone
 * @param {(method: string, work: Promise<unknown>) => void} [onWork]
 */
export function answerRequests(methods, onOrphaned = async () => {}, onWork = () => {}) {
  /** @param {string} method @param {unknown} params */
  async function perform(method, params) {
    if (!Object.hasOwn(methods, method)) throw new Error(`this process does not know '${method}'`);
    return methods[method](params);
  }
  process.on('message', async (message) => {
    const { id, method, params } = Object(message);
    const work = perform(method, params);
    onWork(method, work);
    const answer = await work.then(
      (result) => ({ id, result }),
      (error) => ({ id, error: { message: messageWithPosition(error) } }),
    );
    tellParent(answer);
  });
  // The parent is gone, perhaps by kill -9.
  process.once('disconnect', async () => {
    await onOrphaned();
    process.kill(process.pid, 'SIGKILL');
  });
}

/** What is stored after the parent is gone is of no use, and must be removed again in little time. @throws {Error} */
export function assertParent() {
  if (process.connected === false) throw new Error('the tool has ended');
}

/** A parent that is gone is no error. @param {object} news */
export const tellParent = (news) => void process.send?.(news, () => {});
