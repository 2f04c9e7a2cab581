import { sharedClock } from '../../process/shared-clock.js';

/** @typedef {Awaited<ReturnType<typeof createClock>>} Clock */

/** The shortest of so many was delayed least. */
const EXCHANGES = { first: 40, later: 10 };
/** Quartz clocks differ by a few ppm; NTP slews one by 500 ppm at most. */
const DRIFT = 50e-6;
const AGAIN_AFTER_MS = 5000;

/**
 * Compares two clocks: halfway through an exchange, give or take half of it, the other clock showed what it answered.
 * @param {() => Promise<number>} ask the other clock, in milliseconds @param {number} count
 * @param {() => number} [here] @returns {Promise<{offsetMs: number, errorMs: number}>} of the shortest exchange
 */
export async function compareClocks(ask, count, here = sharedClock) {
  let best = { offsetMs: 0, errorMs: Number.POSITIVE_INFINITY };
  for (let done = 0; done < count; done++) {
    const sentMs = here();
    const thereMs = await ask();
    const errorMs = (here() - sentMs) / 2;
    if (errorMs < best.errorMs) best = { offsetMs: thereMs - (sentMs + errorMs), errorMs };
  }
  return best;
}

/** This machine's monotonic clock, set by that of the control Redis. @param {() => Promise<number>} ask */
export async function createClock(ask) {
  let known = await compareClocks(ask, EXCHANGES.first);
  let atMs = sharedClock();
  const errorMs = () => known.errorMs + (sharedClock() - atMs) * DRIFT;
  return {
    /** By the clock of the control Redis. */
    now: () => sharedClock() + known.offsetMs,
    offset: () => ({ offsetMs: known.offsetMs, errorMs: errorMs() }),

    /** Compares the clocks again, unless that was just done. */
    async refresh() {
      if (sharedClock() - atMs < AGAIN_AFTER_MS) return;
      const found = await compareClocks(ask, EXCHANGES.later);
      if (found.errorMs > errorMs()) return;
      known = found;
      atMs = sharedClock();
    },
  };
}
