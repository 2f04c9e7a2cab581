import { messageOf } from '../errors.js';
import { until } from '../process/wait.js';

/** @import { ControlRedis } from './control-redis.js' */

/** A process lives as long as it renews its key, which expires after this long. */
export const LEASE_MS = 4000;
const RENEW_EVERY_MS = 1000;
const LOOK_EVERY_MS = 500;
const SEES_TWIN_WITHIN_MS = LEASE_MS + 1000;

/** What a lease holds for its last seconds where somebody has yet to see that its process has ended in good order. */
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
 * @returns {Promise<((isSeen?: boolean) => Promise<void>) | null>} ends it; null where another process holds that key and lives
 */
export async function holdLease({ command, label }, key, value, onLost) {
  const take = async () => (await command('SET', key, value, 'NX', 'PX', `${LEASE_MS}`)) === 'OK';
  let leftMs = Number.POSITIVE_INFINITY;
  const taken = await until(
    async () => {
      if (await take()) return 'own';
      const before = leftMs;
      leftMs = Number(await command('PTTL', key));
      return leftMs > before ? 'renewed' : null;
    },
    { everyMs: RENEW_EVERY_MS / 4, withinMs: SEES_TWIN_WITHIN_MS },
  );
  if (taken !== 'own') return null;
  let renewedAtMs = performance.now();
  let isLost = false;
  const lose = (/** @type {string} */ why) => {
    if (!isLost) onLost(why);
    isLost = true;
  };
  const stop = repeat(async () => {
    try {
      const sentAtMs = performance.now();
      const isOwn = (await command('GET', key)) === value;
      if (isOwn) await command('PEXPIRE', key, `${LEASE_MS}`);
      else lose(`it was not heard of at ${label} for ${LEASE_MS / 1000} s`);
      if (!isOwn && !(await take())) return;
      renewedAtMs = sentAtMs;
      isLost = false;
    } catch (error) {
      if (performance.now() - renewedAtMs > LEASE_MS)
        lose(`the control Redis at ${label} was lost: ${messageOf(error)}`);
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
