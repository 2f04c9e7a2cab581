import { removeLeavings } from '../leavings.js';
import { startAnswering } from '../process/answering.js';

/** @import { Second } from '../worker/types.js' */
/** @import { LocalWorker } from './types.js' */

const NAME = 'the worker process';
const ENTRY = new URL('../worker/entry.js', import.meta.url);

/** An operation takes milliseconds; after this long it is not slow but stuck. */
const STOPS_WITHIN_MS = 1000;

/**
 * Starts a process for one cell.
 *
 * @param {number[] | null} cpus the processors it may use; null for all
 * @param {string} [nodeBin] the Node that runs it: the tool's own unless told otherwise
 * @param {(second: Second) => void} [onSecond] told of each second of an open loop
 * @param {(pid: number) => string} [leaves] of its client
 * @returns {LocalWorker}
 */
export function startWorker(cpus, nodeBin, onSecond = () => {}, leaves = undefined) {
  const worker = startAnswering({ name: NAME, entry: ENTRY, nodeBin }, cpus, {
    onMessage: ({ second }) => second !== undefined && onSecond(second),
    onEnd: (pid) => pid !== undefined && removeLeavings(leaves?.(pid)),
  });
  const stop = () => worker.send('stop');
  return {
    pid: worker.pid,
    call: worker.call,
    stop,

    interrupt() {
      stop();
      // A run that waits for a lost reply would never end.
      setTimeout(() => worker.isWaiting() && void worker.kill(), STOPS_WITHIN_MS).unref();
    },

    dismiss: worker.dismiss,
    kill: worker.kill,
  };
}
