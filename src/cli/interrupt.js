import { openNow } from '../process/leftovers.js';

/**
 * On Ctrl-C, SIGTERM or SIGHUP, cuts the current run short, reports what was measured, and removes keys and server. A
 * second signal has no listener and ends the process at once; the guard and the workers notice and end too.
 * @template T @param {NodeJS.EventEmitter} process @param {(signal: AbortSignal) => Promise<T>} work
 * @param {{interrupted?(name: string): void, end?(): void}} [hooks] `end` runs however the work ended
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

/** Why a process whose work is done keeps running. @returns {string} */
export function whyKeptOpen() {
  const open = new Set(openNow());
  const what = open.size > 0 ? [...open].join(' and ') : 'something';
  return (
    `warning: done, but ${what} was still open and kept this process from ending, so it was ended; ` +
    'a file of your own must open nothing when it is loaded\n'
  );
}

/** @param {string} signal */
export const interruptNote = (signal) => `${signal}: stopping; once more to stop at once`;
