import { fileURLToPath } from 'node:url';
import { RunError } from '../errors.js';
import { withoutSecrets } from './secrets.js';
import { guardAgainstOutliving, onCpus, startProcess } from './spawn.js';
import { within } from './wait.js';

/** Long enough to remove many keys from a distant server. */
const GRACE_S = 30;
/** A process in an endless loop never hears of it. */
const DISMISSED_WITHIN_MS = 5000;

/**
 * Starts a Node process of this tool that answers requests, one at a time, and ends with the tool.
 * @param {{name: string, entry: URL, nodeBin?: string, nodeArgs?: string[], graceS?: number, env?: NodeJS.ProcessEnv}} what
 *   `name`: in errors
 * @param {number[] | null} cpus null for all
 * @param {{onMessage?: (told: any) => void, onEnd?: (pid: number | undefined) => void}} [hooks]
 * @typedef {ReturnType<typeof startAnswering>} AnsweringProcess
 */
export function startAnswering(
  { name, entry, nodeBin = process.execPath, nodeArgs = [], graceS = GRACE_S, env },
  cpus,
  { onMessage = () => {}, onEnd = () => {} } = {},
) {
  const { child, tail, ended } = startProcess(onCpus(cpus, [nodeBin, ...nodeArgs, fileURLToPath(entry)]), {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const unguard = guardAgainstOutliving(child.pid, graceS);
  const calls = createCalls();
  let lastId = 0;
  child.on('message', (message) => {
    onMessage(message);
    const { id, result, error } = Object(message);
    if (error) calls.fail(id, new RunError(error.message));
    else calls.answer(id, result);
  });
  // Where it cannot be sent, the process has ended, and its end says more.
  const tell = (/** @type {object} */ message) => child.send(message, () => {});
  const gone = ended.then(async (how) => {
    const unguarded = unguard();
    onEnd(child.pid);
    calls.end(new RunError(`${name} ${how}${reasonIn(tail())}`));
    await unguarded;
  });
  return {
    pid: child.pid,
    isWaiting: calls.isWaiting,

    /** @param {string} method @param {unknown} [params] */
    call(method, params) {
      const id = ++lastId;
      return calls.wait(id, () => tell({ id, method, params }));
    },

    /** Needs no answer, and may come while another request is running. @param {string} method */
    send(method) {
      if (child.connected) tell({ id: 0, method });
    },

    signal: (/** @type {NodeJS.Signals} */ name) => child.kill(name),

    /** Ends it as if this process were gone: a worker removes its keys first. */
    async dismiss() {
      if (child.connected) child.disconnect();
      await within(DISMISSED_WITHIN_MS, gone).catch(() => child.kill('SIGKILL'));
      await gone;
    },

    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** @param {string} printed by a process before it ended */
export function reasonIn(printed) {
  const lines = printed.split('\n').map((line) => line.trim());
  // The line of code that threw comes before the error itself.
  const reason =
    lines.find((line) => /^\w*Error\b.*: /.test(line)) ??
    lines.find((line) => /error|fatal|heap/i.test(line));
  return reason ? `: ${withoutSecrets(reason)}` : '';
}

/** @typedef {{resolve: (value: any) => void, reject: (error: Error) => void, onNews: (news: any) => void}} Waiting */

export function createCalls() {
  /** @type {Map<string | number, Waiting>} */
  const waiting = new Map();
  /** @type {Error | null} */
  let over = null;

  /** @param {string | number} id */
  function take(id) {
    const own = waiting.get(id);
    waiting.delete(id);
    return own;
  }
  return {
    isWaiting: () => waiting.size > 0,
    over: () => over,

    /** @param {string | number} id @param {() => void} send @param {(news: any) => void} [onNews] @returns {Promise<any>} */
    wait(id, send, onNews = () => {}) {
      if (over) return Promise.reject(over);
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject, onNews });
        send();
      });
    },

    /** @param {string | number} id @param {unknown} value */
    answer: (id, value) => take(id)?.resolve(value),
    /** @param {string | number} id @param {Error} error */
    fail: (id, error) => take(id)?.reject(error),
    /** @param {string | number} id @param {unknown} news */
    tell: (id, news) => waiting.get(id)?.onNews(news),
    /** @param {string | number} id */
    forget: (id) => void take(id),

    /** @param {Error} reason */
    end(reason) {
      over ??= reason;
      for (const id of [...waiting.keys()]) take(id)?.reject(reason);
    },
  };
}
