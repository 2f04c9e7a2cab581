import { setTimeout } from 'node:timers/promises';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { sharedClock } from '../process/shared-clock.js';

/** @import { Arrivals } from '../options/types.js' */
/** @import { Part, Schedule } from './types.js' */

/** Random arrivals are drawn before the run, which must not pay for them, and repeat after this many. */
const MADE = 2 ** 16;

/**
 * A pure function of the time since the start. Several processes share a schedule: of three, each takes every third operation.
 * @param {{ratePerSecond: number, arrivals: Arrivals, seed: number, part?: Part}} wanted `ratePerSecond`: of all processes
 * @returns {Schedule}
 */
export function createSchedule({ ratePerSecond, arrivals, seed, part: { index, count } = ALONE }) {
  const perMs = ratePerSecond / 1000;
  const { at, before } = arrivals === 'poisson' ? randomArrivals(seed) : EVEN;
  return {
    at: (operation) => at(operation * count + index) / perMs,
    due: (ms) => Math.max(0, Math.ceil((before(ms * perMs) - index) / count)),
  };
}

/** @param {Schedule} schedule @param {{atMs: number, ms: number}} pause in which nothing is due @returns {Schedule} */
export const withPause = ({ at, due }, { atMs, ms }) => ({
  at: (operation) => at(operation) + (at(operation) < atMs ? 0 : ms),
  due: (time) => due(time <= atMs ? time : Math.max(atMs, time - ms)),
});

const ALONE = { index: 0, count: 1 };

/** A product such as 0.1 · 3 that is a hair above a whole number stands for that number. */
const HAIR = 1e-9;

/** Times are units of the average gap: operation n starts at n. */
const EVEN = {
  at: (/** @type {number} */ operation) => operation,
  before: (/** @type {number} */ time) => Math.ceil(time - HAIR),
};

/** A Poisson process, scaled so that the table lasts as long as the rate says. @param {number} seed @returns {typeof EVEN} */
function randomArrivals(seed) {
  const random = xoroshiro128plus(seed);
  const times = new Float64Array(MADE);
  let sum = 0;
  for (let operation = 0; operation < MADE; operation++) {
    sum -= Math.log(1 - uniformFloat64(random));
    times[operation] = sum;
  }
  for (let operation = 0; operation < MADE; operation++) times[operation] *= MADE / sum;
  return {
    at: (operation) => Math.floor(operation / MADE) * MADE + times[operation % MADE],
    before(time) {
      const tables = Math.max(0, Math.floor(time / MADE));
      return tables * MADE + countBelow(times, time - tables * MADE);
    },
  };
}

/** @param {Float64Array} sorted @param {number} limit @returns {number} how many are smaller */
export function countBelow(sorted, limit) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Node's timers may be a millisecond or two late; the rest of the time is slept exactly. */
const WAKE_EARLIER_MS = 2;

const SLEEPER = new Int32Array(new SharedArrayBuffer(4));

/** Looking at the clock would keep other processes from a shared processor. @param {number} [startAtMs] by the shared clock */
export async function startTogether(startAtMs) {
  if (startAtMs !== undefined) {
    const left = startAtMs - sharedClock() - WAKE_EARLIER_MS;
    if (left > 0) await setTimeout(left);
    for (let rest = startAtMs - sharedClock(); rest > 0; rest = startAtMs - sharedClock()) sleepExactly(rest);
  }
  return sharedClock();
}

/** Blocks this process. @param {number} ms */
export const sleepExactly = (ms) => void Atomics.wait(SLEEPER, 0, 0, ms);
