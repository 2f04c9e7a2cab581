import { setTimeout as sleep } from 'node:timers/promises';

/** Looking may cost much, such as that at all processes: what has not come at once is looked for less often. */
const LOOK_EVERY_MS = { first: 20, most: 100 };

/**
 * Waits until a condition holds.
 *
 * @template T
 * @param {string | (() => string)} what for the message if it never does
 * @param {() => T | Promise<T>} check
 * @param {number} [withinMs]
 * @returns {Promise<T>} the first result of `check` that is truthy
 */
export async function until(what, check, withinMs = 30_000) {
  const startedAt = performance.now();
  for (;;) {
    const result = await check();
    if (result) return result;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > withinMs) {
      throw new Error(`waited ${withinMs} ms in vain for: ${typeof what === 'string' ? what : what()}`);
    }
    await sleep(Math.min(LOOK_EVERY_MS.first + waitedMs / 20, LOOK_EVERY_MS.most));
  }
}
