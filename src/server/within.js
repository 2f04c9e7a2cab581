import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for something, but not longer than this.
 *
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 * @throws {Error} with the code SILENT when it has taken longer
 */
export async function within(ms, promise) {
  const giveUp = new AbortController();
  const late = sleep(ms, undefined, { signal: giveUp.signal }).then(() => {
    throw Object.assign(new Error(`no answer within ${ms / 1000} s`), { code: 'SILENT' });
  });
  late.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    giveUp.abort();
  }
}
