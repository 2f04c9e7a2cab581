import { connectControl } from '../server/control.js';
import { keysOf } from '../server/remove-keys.js';
import { isLoopback, labelOf, parseUrl } from '../server/target.js';
import { readTlsOptions } from '../server/tls-options.js';
import { CONTROL_PREFIX } from './bull.js';

/** @import { TlsFiles } from '../server/tls-options.js' */
/** @import { Target } from '../server/types.js' */
/** @import { ControlRedis } from './types.js' */

const MOST_WAIT_MS = 500;

/**
 * Connects to the Redis that carries the jobs.
 * @param {string} url @param {TlsFiles & {queueToken?: string}} access
 * @param {string} origin the option that names it @returns {Promise<ControlRedis>} @throws {UsageError | ServerError}
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
    label: labelOf(target),
    isPrivate: isLoopback(target) || target.tls?.rejectUnauthorized === true,

    async time() {
      const [seconds, us] = /** @type {string[]} */ (await control.command('TIME'));
      return Number(seconds) * 1000 + Number(us) / 1000;
    },

    isHeld: async ({ queue, job }) =>
      (await control.command('EXISTS', `${CONTROL_PREFIX}:${queue}:${job}:lock`)) === 1,

    async queueNames() {
      const names = new Set();
      for await (const keys of keysOf(control.command, `${CONTROL_PREFIX}:`))
        for (const key of keys) names.add(key.split(':')[1]);
      return [...names];
    },

    retry: (times) => (over ? null : Math.min(times * 100, MOST_WAIT_MS)),

    onClose: (end) => (over ? end() : void endings.push(end)),

    close() {
      over = true;
      for (const end of endings) end();
      control.close();
    },
  };
}
