/** @import { ClientProbe } from '../../worker/meters/types.js' */

/** @param {number | null | undefined} sum @param {number | null} count */
export const per = (sum, count) => (sum == null || !count ? null : sum / count);

/** µs, without the application's own work. @param {Pick<ClientProbe, 'cpuUs' | 'appWorkUs'>} probe */
export const ownCpuUs = ({ cpuUs, appWorkUs }) => Math.max(0, cpuUs - appWorkUs);

/**
 * How long other work waits for the event loop: this share of what comes at random moments waits no longer. It waits for the end
 * of the current turn, so moments count, not turns: a turn of 10 ms weighs a hundred times as much as one of 0.1 ms.
 * @param {ClientProbe['loop']} probe @param {number} share 0.99 @returns {number | null} µs; null if no turn was watched
 */
export function loopDelay({ watchedMs, busyUs }, share) {
  if (watchedMs <= 0) return null;
  const beyondUs = (1 - share) * watchedMs * 1000;
  const turns = Object.entries(busyUs)
    .map(([us, count]) => ({ us: Number(us), count }))
    .sort((a, b) => b.us - a.us);
  let count = 0;
  let sumUs = 0;
  for (const [index, turn] of turns.entries()) {
    count += turn.count;
    sumUs += turn.count * turn.us;
    // The moments of these turns with more than this left are just as many as wanted.
    const delayUs = (sumUs - beyondUs) / count;
    if (delayUs >= (turns[index + 1]?.us ?? 0)) return delayUs;
  }
  return 0;
}
