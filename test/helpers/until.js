import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

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
  const deadline = performance.now() + withinMs;
  for (;;) {
    const result = await check();
    if (result) return result;
    if (performance.now() > deadline) {
      throw new Error(`waited ${withinMs} ms in vain for: ${typeof what === 'string' ? what : what()}`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}
