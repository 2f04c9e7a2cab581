/** @import { ClientProbe } from '../meters/types.js' */

/** @param {number | null | undefined} sum @param {number | null} count */
export const per = (sum, count) => (sum == null || !count ? null : sum / count);

/** @param {Pick<ClientProbe, 'cpuUs' | 'appWorkUs'>} probe @returns {number} µs, without the application's own work */
export const ownCpuUs = ({ cpuUs, appWorkUs }) => Math.max(0, cpuUs - appWorkUs);

/**
 * How long other work in the process had to wait for the event loop: of what comes at random moments, the given
 * share waits no longer than this. It waits for the end of the turn that it comes in, and not at all where the event loop
 * is idle. So not the turns are counted but the moments in them: a turn of 10 ms concerns a hundred times as
 * many as one of 0.1 ms.
 * @param {ClientProbe['loop']} probe @param {number} share of the moments: 0.99
 * @returns {number | null} µs; null where no turn was watched
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
    // The moments of these turns at which more than this was left of them are just as many as wanted.
    const delayUs = (sumUs - beyondUs) / count;
    if (delayUs >= (turns[index + 1]?.us ?? 0)) return delayUs;
  }
  return 0;
}
