import { openNow } from '../leavings.js';

/**
 * Ctrl-C, SIGTERM and SIGHUP end the benchmark in good order: the run under way is cut short, what was
 * measured is reported, keys and server are removed. A second signal finds no listener and ends the
 * process at once; the guard and the workers notice and end too.
 * @param {NodeJS.EventEmitter} process @param {(signal: string) => void} onInterrupt
 * @returns {{signal: AbortSignal, stop: () => void}}
 */
export function catchInterrupts(process, onInterrupt) {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  /** @param {string} name */
  const interrupt = (name) => {
    stop();
    onInterrupt(name);
    controller.abort();
  };
  function stop() {
    for (const name of names) process.removeListener(name, interrupt);
  }
  for (const name of names) process.on(name, interrupt);
  return { signal: controller.signal, stop };
}

/** @returns {string} why a process whose work is done has not ended by itself */
export function whyKeptOpen() {
  const open = new Set(openNow());
  const what = open.size > 0 ? [...open].join(' and ') : 'something';
  return (
    `warning: done, but ${what} was still open and kept this process from ending, so it was ended; ` +
    'a file of your own must open nothing when it is loaded\n'
  );
}
