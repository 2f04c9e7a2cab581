import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { RunError } from '../errors.js';
import { removeLeavings } from '../leavings.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { Second } from '../worker/types.js'
 * @import { WorkerProcess } from './types.js'
 */

const ENTRY = fileURLToPath(new URL('../worker/entry.js', import.meta.url));

/** An operation takes milliseconds; after this long it is not slow but stuck. */
const STOPS_WITHIN_MS = 1000;

/**
 * Starts a process for one cell.
 *
 * @param {number[] | null} cpus the processors it may use; null for all
 * @param {string} [nodeBin] the Node that runs it: the tool's own unless told otherwise
 * @param {(second: Second) => void} [onSecond] told of each second of an open loop
 * @param {(pid: number) => string} [leaves] of its client
 * @returns {WorkerProcess}
 */
export function startWorker(cpus, nodeBin = process.execPath, onSecond = () => {}, leaves = undefined) {
  const child = spawnWorker(cpus, nodeBin);
  const printed = lastOutput(child);
  const requests = createRequests(child, onSecond);
  const exited = once(child, 'exit').then(
    ([code, signal]) => end(signal ? `was killed by ${signal}` : `ended with exit code ${code}`),
    (error) => end(`could not be started: ${error.message}`),
  );

  /** @param {string} how */
  function end(how) {
    if (child.pid !== undefined) removeLeavings(leaves?.(child.pid));
    requests.end(new RunError(`the worker process ${how}${lastWords(printed())}`));
  }
  const stop = () => {
    if (child.connected) child.send({ id: 0, method: 'stop' }, () => {});
  };
  return {
    pid: child.pid,
    startsInMs: 0,
    call: requests.call,
    stop,

    interrupt() {
      stop();
      // A run that waits for a lost reply would never end.
      setTimeout(() => requests.isWaiting() && child.kill('SIGKILL'), STOPS_WITHIN_MS).unref();
    },

    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/**
 * @param {number[] | null} cpus
 * @param {string} nodeBin
 */
function spawnWorker(cpus, nodeBin) {
  const node = [nodeBin, ENTRY];
  const [command, ...args] = cpus ? ['taskset', '-c', cpus.join(','), ...node] : node;
  return spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // In its own process group, so that Ctrl-C reaches only the tool, which lets the run end first.
    detached: true,
  });
}

/**
 * @param {ChildProcess} child
 * @returns {() => string} the end of what it has printed so far
 */
function lastOutput(child) {
  let printed = '';
  const keep = (/** @type {Buffer} */ chunk) => {
    printed = (printed + chunk).slice(-4000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return () => printed;
}

/**
 * Requests to a worker, one at a time, and its answers.
 *
 * @param {ChildProcess} child
 * @param {(second: Second) => void} onSecond
 */
function createRequests(child, onSecond) {
  /** @type {{id: number, resolve: (value: any) => void, reject: (error: Error) => void} | undefined} */
  let waiting;
  /** @type {Error | undefined} */
  let ended;
  let lastId = 0;
  child.on('message', (/** @type {any} */ { id, result, error, second }) => {
    if (second !== undefined) onSecond(second);
    if (waiting === undefined || waiting.id !== id) return;
    const { resolve, reject } = waiting;
    waiting = undefined;
    if (error) reject(new RunError(error.message));
    else resolve(result);
  });
  return {
    isWaiting: () => waiting !== undefined,

    /** @type {WorkerProcess['call']} */
    call(method, params) {
      if (ended) return Promise.reject(ended);
      return new Promise((resolve, reject) => {
        waiting = { id: ++lastId, resolve, reject };
        child.send({ id: lastId, method, params }, (error) => error && reject(ended ?? error));
      });
    },

    /** @param {Error} reason why no answer comes any more */
    end(reason) {
      ended = reason;
      waiting?.reject(reason);
    },
  };
}

/** @param {string} printed by a worker before it ended, perhaps with the reason */
function lastWords(printed) {
  const reason = printed
    .split('\n')
    .map((line) => line.trim())
    .find((line) => /error|fatal|heap/i.test(line));
  return reason ? `: ${reason}` : '';
}
