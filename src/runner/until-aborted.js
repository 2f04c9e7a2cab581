import { RunError } from '../errors.js';

/**
 * Waits for something until the user interrupts. The work itself is not stopped.
 *
 * @template T
 * @param {AbortSignal} signal
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 * @throws {RunError} as soon as `signal` is aborted
 */
export async function untilAborted(signal, work) {
  /** @type {() => void} */
  let stop = () => {};
  const aborted = new Promise((_, reject) => {
    stop = () => reject(new RunError('interrupted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([/** @type {Promise<never>} */ (aborted), work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
