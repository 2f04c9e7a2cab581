/** @import { Clock, ClockOffset } from './types.js' */

/** The shortest of so many exchanges was held up least. */
const EXCHANGES = { first: 40, later: 10 };
/** Quartz clocks differ by some millionths; NTP moves one by 500 of them at most. */
const DRIFT = 50e-6;
const AGAIN_AFTER_MS = 5000;

/** @returns {number} milliseconds of the clock that all processes of this machine share */
export const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6;

/**
 * Compares two clocks: in the middle of an exchange, give or take half of it, the other clock showed what it answered.
 * @param {() => Promise<number>} ask the other clock, in milliseconds @param {number} count
 * @param {() => number} [here] @returns {Promise<ClockOffset>} of the shortest exchange
 */
export async function compareClocks(ask, count, here = monotonicMs) {
  let best = { offsetMs: 0, errorMs: Number.POSITIVE_INFINITY };
  for (let done = 0; done < count; done++) {
    const sentMs = here();
    const thereMs = await ask();
    const errorMs = (here() - sentMs) / 2;
    if (errorMs < best.errorMs) best = { offsetMs: thereMs - (sentMs + errorMs), errorMs };
  }
  return best;
}

/**
 * This machine's monotonic clock, set by that of the control Redis.
 * @param {() => Promise<number>} ask @returns {Promise<Clock>}
 */
export async function createClock(ask) {
  let known = await compareClocks(ask, EXCHANGES.first);
  let atMs = monotonicMs();
  const errorMs = () => known.errorMs + (monotonicMs() - atMs) * DRIFT;
  return {
    now: () => monotonicMs() + known.offsetMs,
    offset: () => ({ offsetMs: known.offsetMs, errorMs: errorMs() }),

    async refresh() {
      if (monotonicMs() - atMs < AGAIN_AFTER_MS) return;
      const found = await compareClocks(ask, EXCHANGES.later);
      if (found.errorMs > errorMs()) return;
      known = found;
      atMs = monotonicMs();
    },
  };
}
