import { connectControl } from '../core/server/control.js';
import { keysOf } from '../core/server/own-keys.js';
import { isLoopback, labelOf, parseUrl, readTlsOptions } from '../core/server/target.js';
import { CONTROL_PREFIX } from './bull.js';

/** @import { TlsFiles } from '../core/server/target.js' */
/** @import { Target } from '../core/server/types.js' */

/** @typedef {Awaited<ReturnType<typeof openControlRedis>>} ControlRedis carries jobs between the commander and its agents */

const MOST_WAIT_MS = 500;

/**
 * @param {string} url @param {TlsFiles & {queueToken?: string}} access @param {string} origin the option that names it
 * @throws {UsageError | ServerError}
 */
export async function openControlRedis(url, { queueToken, ...files }, origin) {
  const named = parseUrl(url, origin);
  /** @type {Target} */
  const target = named.transport === 'tls' ? { ...named, tls: readTlsOptions(files) } : named;
  const control = await connectControl(target);
  let over = false;
  /** @type {(() => void)[]} */
  const endings = [];
  const { run_id: runId = null } = (await control.info())?.fields ?? {};
  return {
    target,
    runId,
    token: queueToken || null,
    /** Without credentials. */
    label: labelOf(target),
    /** Nobody between can read secrets that travel through it. */
    isPrivate: isLoopback(target) || target.tls?.rejectUnauthorized === true,

    /** Milliseconds since 1970 by its clock. */
    async time() {
      const [seconds, us] = /** @type {string[]} */ (await control.command('TIME'));
      return Number(seconds) * 1000 + Number(us) / 1000;
    },

    command: control.command,

    async queueNames() {
      /** @type {Set<string>} */
      const names = new Set();
      for await (const keys of keysOf(control.command, `${CONTROL_PREFIX}:`))
        for (const key of keys) names.add(key.split(':')[1]);
      return [...names];
    },

    /** When a queue reconnects; null once it is closed. @param {number} times */
    retry: (times) => (over ? null : Math.min(times * 100, MOST_WAIT_MS)),

    /** @param {() => void} end */
    onClose: (end) => (over ? end() : void endings.push(end)),

    close() {
      over = true;
      for (const end of endings) end();
      control.close();
    },
  };
}
