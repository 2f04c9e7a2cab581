import { readClock, UNITS_PER_MS } from './turn-clock.js';

/** @import { Step } from '../plugins/types.js' */
/** @import { Slowest, SlowOperation } from '../results/types.js' */

/** In units of 100 ns. A small integer in every V8. */
const NEVER = 2 ** 30 - 1;
/** Room for operations that slower ones in flight at the same time push out later. */
const MOST_KEPT = 20;
/** From slice to slice the bar falls to this: a disturbed slice must not blind all others. */
const KEPT_SHARE = 0.75;
const LEAST_SHARE = 0.1;
const MOST_PENDING = 100;
/** Rounding: the end of one operation and the start of the next may differ by this. */
const EXACT_MS = 0.001;
/** A reply that takes this many times as long as the fastest of its kind waited for something else. */
const MOST_TIMES_LEAST = 3;
/** A reply of this size holds up the others on its connection. */
const LARGE_BYTES = 64_000;

export const NOT_WATCHED = { above: NEVER, see() {} };

/**
 * @typedef {{fromMs: number, toMs: number} & Pick<SlowOperation, 'during'>} Kept times by performance.now()
 * @typedef {{what: string, fromMs: number, toMs: number}} Event
 */

/**
 * The slowest operations of a run, and what happened meanwhile. The slowest stands for all that were in flight with it:
 * they waited for the same thing. The hot loop compares with `above`; only few operations go on from there.
 */
export function createOutliers() {
  /** @type {Kept[]} */
  let kept = [];
  /** @type {Event[]} operations that they happened in may end later */
  let pending = [];
  /** @type {Slowest['covered']} */
  let covered = {};
  /** The fastest replies of all slices. @type {Record<string, number>} */
  const least = {};

  /** @param {number} fromMs @param {number} toMs */
  function keep(fromMs, toMs) {
    const meets = (/** @type {Kept} */ each) =>
      Math.min(each.toMs, toMs) - Math.max(each.fromMs, fromMs) > EXACT_MS;
    if (kept.some((each) => meets(each) && lengthOf(each) >= toMs - fromMs)) return;
    kept = [...kept.filter((each) => !meets(each)), { fromMs, toMs, during: [] }];
    if (kept.length < MOST_KEPT) return;
    kept.sort((a, b) => lengthOf(b) - lengthOf(a)).length = MOST_KEPT;
    outliers.above = Math.min(NEVER, lengthOf(kept[MOST_KEPT - 1]) * UNITS_PER_MS) | 0;
  }
  function settle() {
    for (const event of pending) {
      for (const operation of kept) addTo(operation, event);
    }
    pending = [];
  }

  const outliers = {
    /** In units of 100 ns. It never falls during a run, so that what is kept is slower than all that is not. */
    above: 0,

    /** Only the slowest of all slices count, so one need not begin with what the last left out. */
    begin() {
      outliers.above = (outliers.above * KEPT_SHARE) | 0;
      kept = [];
      pending = [];
      covered = {};
    },

    /** @param {string} what @param {number} fromMs @param {number} toMs by performance.now() */
    during(what, fromMs, toMs) {
      const ms = toMs - fromMs;
      covered[what] ??= {};
      const upToMs = 2 ** Math.ceil(Math.log2(ms));
      covered[what][upToMs] = (covered[what][upToMs] ?? 0) + ms;
      // Otherwise it cannot be half of any operation that is kept.
      if (ms * 2 * UNITS_PER_MS >= outliers.above) pending.push({ what, fromMs, toMs });
      if (pending.length >= MOST_PENDING) settle();
    },

    /** @param {number} units @param {number} endedAt @param {Step[]} [did] */
    see(units, endedAt, did) {
      const toMs = performance.now() - ((readClock() - endedAt) | 0) / UNITS_PER_MS;
      const fromMs = toMs - units / UNITS_PER_MS;
      const large = did?.find(({ bytes = 0 }) => bytes >= LARGE_BYTES);
      if (large) outliers.answered(String(large.label), units);
      else keep(fromMs, toMs);
    },

    /** A large value, or background load, came back. What held it up is not its doing. @param {string} name @param {number} units */
    answered(name, units) {
      const [ms, toMs] = [units / UNITS_PER_MS, performance.now()];
      least[name] = Math.min(least[name] ?? ms, ms);
      outliers.during(`reply ${name}`, toMs - Math.min(ms, MOST_TIMES_LEAST * least[name]), toMs);
    },

    /** @param {number} watchedMs @returns {Slowest} */
    take(watchedMs) {
      settle();
      const operations = kept.map((each) => ({ ms: lengthOf(each), during: each.during }));
      return { watchedMs, operations, covered };
    },
  };
  return outliers;
}

/** @param {Pick<Slow, 'answered'> | undefined} slowest @param {string} name of background load that operations may wait for */
export const seenAs = (slowest, name) =>
  slowest && { above: 0, see: (/** @type {number} */ units) => slowest.answered(name, units) };

/** @typedef {ReturnType<typeof createOutliers>} Slow */

/** @param {{fromMs: number, toMs: number}} span */
const lengthOf = ({ fromMs, toMs }) => toMs - fromMs;

/** @param {Kept} operation @param {Event} event */
function addTo({ fromMs, toMs, during }, event) {
  const from = Math.max(fromMs, event.fromMs);
  const ms = Math.min(toMs, event.toMs) - from;
  if (ms >= LEAST_SHARE * (toMs - fromMs)) during.push({ what: event.what, fromMs: from - fromMs, ms });
}
