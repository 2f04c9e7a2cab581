import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { RunError } from '../errors.js';
import { withoutSecrets } from '../secrets.js';
import { within } from '../server/within.js';
import { guardAgainstOutliving } from './outlive-guard.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { AnsweringProcess } from './types.js'
 */

/** Long enough to remove many keys from a distant server. */
const GRACE_S = 30;
/** One that is caught in an endless loop hears of nothing. */
const DISMISSED_WITHIN_MS = 5000;

/**
 * Starts a Node process of this tool that answers requests, one at a time, and ends with the tool.
 *
 * @param {object} what
 * @param {string} what.name in messages: `the worker process`
 * @param {URL} what.entry its first file
 * @param {string} [what.nodeBin] the Node that runs it: the tool's own unless told otherwise
 * @param {number} [what.graceS] how long it may go on once this process is gone
 * @param {number[] | null} cpus the processors it may use; null for all
 * @param {{onMessage?: (message: any) => void, onEnd?: (pid: number | undefined) => void}} [hooks] `onMessage` is
 *   told of everything that it sends
 * @returns {AnsweringProcess}
 */
export function startAnswering(
  { name, entry, nodeBin = process.execPath, graceS = GRACE_S },
  cpus,
  hooks = {},
) {
  const node = [nodeBin, fileURLToPath(entry)];
  const [command, ...args] = cpus ? ['taskset', '-c', cpus.join(','), ...node] : node;
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // In its own process group, so that Ctrl-C reaches only the tool, which lets the run end first.
    detached: true,
  });
  const printed = lastOutput(child);
  const unguard = child.pid === undefined ? async () => {} : guardAgainstOutliving(child.pid, graceS);
  const requests = createRequests(child, hooks.onMessage ?? (() => {}));
  const exited = once(child, 'exit').then(
    ([code, signal]) => end(signal ? `was killed by ${signal}` : `ended with exit code ${code}`),
    (error) => end(`could not be started: ${error.message}`),
  );

  /** @param {string} how */
  async function end(how) {
    const unguarded = unguard();
    hooks.onEnd?.(child.pid);
    requests.end(new RunError(`${name} ${how}${lastWords(printed())}`));
    await unguarded;
  }
  return {
    pid: child.pid,
    call: requests.call,
    isWaiting: requests.isWaiting,

    send(method) {
      if (child.connected) child.send({ id: 0, method }, () => {});
    },

    async dismiss() {
      if (child.connected) child.disconnect();
      await within(DISMISSED_WITHIN_MS, exited).catch(() => child.kill('SIGKILL'));
      await exited;
    },

    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
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
 * @param {ChildProcess} child
 * @param {(message: any) => void} onMessage
 */
function createRequests(child, onMessage) {
  /** @type {{id: number, resolve: (value: any) => void, reject: (error: Error) => void} | undefined} */
  let waiting;
  /** @type {Error | undefined} */
  let ended;
  let lastId = 0;
  child.on('message', (/** @type {any} */ message) => {
    onMessage(message);
    const { id, result, error } = message;
    if (waiting === undefined || waiting.id !== id) return;
    const { resolve, reject } = waiting;
    waiting = undefined;
    if (error) reject(new RunError(error.message));
    else resolve(result);
  });
  return {
    isWaiting: () => waiting !== undefined,

    /** @type {AnsweringProcess['call']} */
    call(method, params) {
      if (ended) return Promise.reject(ended);
      return new Promise((resolve, reject) => {
        waiting = { id: ++lastId, resolve, reject };
        // Where it cannot be sent, the process has ended, and its end says more.
        child.send({ id: lastId, method, params }, (error) => ended && error && reject(ended));
      });
    },

    /** @param {Error} reason why no answer comes any more */
    end(reason) {
      ended = reason;
      waiting?.reject(reason);
    },
  };
}

/** @param {string} printed by a process before it ended, perhaps with the reason */
function lastWords(printed) {
  const reason = printed
    .split('\n')
    .map((line) => line.trim())
    .find((line) => /error|fatal|heap/i.test(line));
  return reason ? `: ${withoutSecrets(reason)}` : '';
}
