import { openNow } from '../leftovers.js';

/**
 * Ctrl-C, SIGTERM and SIGHUP end the work in good order: the current run is cut short, what was
 * measured is reported, keys and server are removed. A second signal finds no listener and ends the
 * process at once; the guard and the workers notice and end too.
 * @template T @param {NodeJS.EventEmitter} process @param {(signal: AbortSignal) => Promise<T>} work
 * @param {{interrupted?(name: string): void, end?(): void}} [hooks] `end`: when the work has ended, however it did
 * @returns {Promise<{result: T, interrupted: boolean}>}
 */
export async function interruptible(process, work, { interrupted, end } = {}) {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  /** @param {string} name */
  const interrupt = (name) => {
    stop();
    interrupted?.(name);
    controller.abort();
  };
  function stop() {
    for (const name of names) process.removeListener(name, interrupt);
  }
  for (const name of names) process.on(name, interrupt);
  try {
    const result = await work(controller.signal);
    return { result, interrupted: controller.signal.aborted };
  } finally {
    stop();
    end?.();
  }
}

/** @template T @param {AbortSignal} signal @param {Promise<T>} work @returns {Promise<T | null>} null where it was cut short */
export const orNull = (signal, work) =>
  work.catch((error) => {
    if (signal.aborted) return null;
    throw error;
  });

/** @returns {string} why a process whose work is done has not ended by itself */
export function whyKeptOpen() {
  const open = new Set(openNow());
  const what = open.size > 0 ? [...open].join(' and ') : 'something';
  return (
    `warning: done, but ${what} was still open and kept this process from ending, so it was ended; ` +
    'a file of your own must open nothing when it is loaded\n'
  );
}
