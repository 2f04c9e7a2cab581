import { messageOf } from '../core/errors.js';
import { until } from '../core/process/wait.js';

/** @import { ControlRedis } from './control-redis.js' */

/** A process lives as long as it renews its key, which expires after this long. */
export const LEASE_MS = 4000;
const RENEW_EVERY_MS = 1000;
const LOOK_EVERY_MS = 500;
/** What a key holds for its last seconds where somebody has yet to see that its process ended in good order. */
const ENDED = 'ended';

/** @param {() => Promise<void>} look @param {number} everyMs @returns {() => void} ends it */
function repeat(look, everyMs) {
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    await look().catch(() => {});
    looking = false;
  }, everyMs);
  return () => clearInterval(timer);
}

/**
 * Shows that this process lives. @param {ControlRedis} control @param {string} key
 * @param {string} value nobody else's @param {(why: string) => void} onLost each time others must take it for dead
 * @returns {Promise<((isSeen?: boolean) => Promise<void>) | null>} ends it; null where a living process holds that key
 */
export async function holdLease({ command, label }, key, value, onLost) {
  const take = async () => (await command('SET', key, value, 'NX', 'PX', `${LEASE_MS}`)) === 'OK';
  const taken = await until(take, { everyMs: RENEW_EVERY_MS / 4, withinMs: LEASE_MS + RENEW_EVERY_MS });
  if (!taken) return null;
  let renewedAtMs = performance.now();
  const stop = repeat(async () => {
    const sentAtMs = performance.now();
    try {
      if ((await command('GET', key)) === value) await command('PEXPIRE', key, `${LEASE_MS}`);
      else {
        onLost(`it was not heard of at ${label} for ${LEASE_MS / 1000} s`);
        await take();
      }
      renewedAtMs = sentAtMs;
    } catch (error) {
      if (sentAtMs - renewedAtMs > LEASE_MS)
        onLost(`the control Redis at ${label} was lost: ${messageOf(error)}`);
    }
  }, RENEW_EVERY_MS);
  return async (isSeen = false) => {
    stop();
    if ((await command('GET', key)) !== value) return;
    await (isSeen ? command('SET', key, ENDED, 'PX', `${LEASE_MS}`) : command('DEL', key));
  };
}

/**
 * Watches the lease of another process. @param {ControlRedis} control @param {string} key @param {string} value
 * @param {(how: 'ended' | 'silent') => void} onEnd called once @returns {() => void} ends watching
 */
export function watchLease({ command }, key, value, onEnd) {
  const stop = repeat(async () => {
    const found = await command('GET', key);
    if (found === value) return;
    stop();
    onEnd(found === ENDED ? 'ended' : 'silent');
  }, LOOK_EVERY_MS);
  return stop;
}
