import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, HangError, RunError } from '../errors.js';

/**
 * Polls until `look` finds something truthy.
 * @template T @param {() => T | Promise<T>} look
 * @param {{everyMs: number, withinMs?: number, signal?: AbortSignal, late?: () => Error}} how `late`: the error when the
 *   time is over, or `signal` aborted; null is returned without it @returns {Promise<T | null>}
 */
export async function until(look, { everyMs, withinMs = Number.POSITIVE_INFINITY, signal, late }) {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadlineMs || signal?.aborted) {
      if (late) throw late();
      return null;
    }
    await sleep(everyMs);
  }
}

/** Node's timers fire at once where they are longer, 24.8 days. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @template T @param {number} ms @param {Promise<T>} promise @throws {Error} with the code TIMEOUT when it takes longer */
export async function within(ms, promise) {
  const giveUp = new AbortController();
  const late = sleep(Math.min(ms, LONGEST_TIMER_MS), undefined, { signal: giveUp.signal }).then(() => {
    throw Object.assign(new Error(`no reply within ${ms / 1000} s`), { code: 'TIMEOUT' });
  });
  late.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    giveUp.abort();
  }
}

/** @param {unknown} error @returns {boolean} */
export const isTimeout = (error) => codeOf(error) === 'TIMEOUT';

/** @param {Promise<unknown>} work @returns {Promise<boolean>} */
export const succeeds = (work) =>
  work.then(
    () => true,
    () => false,
  );

/** @template T @param {number} limitMs @param {Promise<T>} run @param {string} [option] that sets the limit */
export const withTimeLimit = (limitMs, run, option) =>
  within(limitMs, run).catch((error) => {
    if (!isTimeout(error)) throw error;
    throw new HangError(`the run had not ended after ${limitMs / 1000} s${option ? ` (${option})` : ''}`);
  });

/** Does not stop the work. @template T @param {AbortSignal} signal @param {Promise<T>} work @throws {RunError} if interrupted */
export async function untilAborted(signal, work) {
  let stop = () => {};
  /** @type {Promise<never>} */
  const aborted = new Promise((_, reject) => {
    stop = () => reject(new RunError('interrupted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** @template T @param {Promise<T>[]} starting @param {(done: T) => void | Promise<void>} undo @returns {Promise<T[]>} */
export async function allOrNone(starting, undo) {
  const settled = await Promise.allSettled(starting);
  const done = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed === undefined) return done;
  await Promise.all(done.map(undo));
  throw failed.reason;
}

/** @param {() => unknown} undo what was done before it failed @returns {(error: unknown) => Promise<never>} */
export const cleanUpAndRethrow = (undo) => async (error) => {
  await undo();
  throw error;
};

export function deferred() {
  /** @type {(value?: unknown) => void} */
  let resolve = () => {};
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
