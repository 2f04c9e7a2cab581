/**
 * Where series of figures change for good.
 *
 * Following E-divisive means (Matteson and James, JASA 109, 2014), which Apache Otava uses (arXiv 2505.06758), a series is
 * split where its parts differ most, if they differ more than in nearly all shuffled orders of the same figures; then
 * each part is split likewise. Two things are different:
 *
 * - **All series are one family.** Whole results are shuffled, so cells that were measured together stay together. A
 *   change is claimed if its p is below the smallest p of all series in 95 % of the orders (step-down of Westfall and
 *   Young, 1993). So at most 5 % of families without a change claim one, however alike cells vary.
 * - **The statistic is Student's t** of the logarithms: with few results it finds a step earlier than the energy
 *   distance. Shuffling makes it exact for noise of any shape. Outliers are clipped at OUTLIER deviations.
 *
 * Shuffling assumes independent results. On a machine that drifts, t is reduced accordingly (inflationOf). Simulated,
 * of 300 series of 100 without a change 1 to 3 % claim one with normal, skewed or heavy-tailed noise, up to 5 % with a
 * correlation of 0.2 to 0.7, and 16 % with 0.9. Steps of three standard deviations are found in 97 % with 5 results, in
 * 86 % with 3.
 */

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { groupBy, mustGet } from '../../collections.js';
import { mean, median, medianAbsoluteDeviation, sum } from '../../descriptive-statistics.js';
import { LEVEL } from '../../statistics/interval.js';
import { studentTwoSided } from '../../statistics/student.js';

/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/**
 * @typedef {object} SeriesOfValues
 * @property {number[]} values in order, above 0
 * @property {string[]} units what each value was measured in; equal units of all series are shuffled together
 * @property {string} pool units are shuffled within their pool
 * @property {boolean[]} [mayBegin] whether a change may begin at each value; by default at all
 * @property {number} [inflation] of the variance of a mean by autocorrelation; 1 by default
 *
 * @typedef {object} ChangePoint
 * @property {number} at the index of the first value after the change
 * @property {number[]} candidates indices that are almost as likely
 * @property {number} pAdjusted
 *
 * @typedef {ReturnType<typeof segmentOf>[number]} Segment
 */

const ORDERS = 999;
const SEED = 1;
/** A single result is no lasting change. */
const FEWEST = 2;
/** 7 values have their 3 or 4 largest first or last in 1 of 17 orders: never rare enough. */
export const FEWEST_VALUES = 8;
const OUTLIER = 5;
/** Rounding of sums in another order is smaller. */
const ROUNDING = 1e-9;
/** From the median absolute deviation of normal noise to its standard deviation. */
const TO_DEVIATION = 1.4826;

/** @param {SeriesOfValues[]} all @returns {ChangePoint[][]} of each, in order */
export function changePoints(all) {
  /** @type {ChangePoint[][]} */
  const found = all.map(() => []);
  let open = all.flatMap((series, index) => segmentOf(series, index, 0, series.values.length));
  while (open.length > 0) {
    const claimed = claimedIn(open, all);
    for (const { segment, ...change } of claimed) found[segment.series].push(change);
    open = claimed.flatMap(({ segment: { series, from, to }, at }) => [
      ...segmentOf(all[series], series, from, at),
      ...segmentOf(all[series], series, at, to),
    ]);
  }
  return found.map((changes) => changes.sort((a, b) => a.at - b.at));
}

/** Centred logarithms. @param {SeriesOfValues} series @param {number} index @param {number} from @param {number} to */
function segmentOf({ values, mayBegin }, index, from, to) {
  if (to - from < FEWEST_VALUES) return [];
  const all = Array.from({ length: to - from - 2 * FEWEST + 1 }, (_, cut) => cut + FEWEST);
  const cuts = all.filter((cut) => mayBegin?.[from + cut] ?? true);
  if (cuts.length === 0) return [];
  const logs = withoutOutliers(values.slice(from, to).map(Math.log));
  // If nothing varies, the sums below are rounding alone.
  if (Math.max(...logs) - Math.min(...logs) < ROUNDING) return [];
  const middle = mean(logs);
  const centred = logs.map((log) => log - middle);
  const squares = sum(centred.map((value) => value ** 2));
  return [{ series: index, from, to, values: Float64Array.from(centred), squares, cuts }];
}

/** @param {number[]} logs */
function withoutOutliers(logs) {
  const middle = median(logs);
  const most = OUTLIER * TO_DEVIATION * medianAbsoluteDeviation(logs);
  return most === 0 ? logs : logs.map((log) => Math.min(Math.max(log, middle - most), middle + most));
}

/** @param {Segment[]} segments @param {SeriesOfValues[]} all @returns {(ChangePoint & {segment: Segment})[]} what can be claimed */
function claimedIn(segments, all) {
  const tested = segments
    .map((segment) => ({ segment, ...splitOf(segment, segment.values, all[segment.series].inflation) }))
    .sort((a, b) => a.p - b.p);
  const pools = poolsOf(all);
  const follow = tested.map(({ segment: { series }, segment }) =>
    followerOf(segment, all[series], mustGet(pools, all[series].pool)),
  );
  const random = xoroshiro128plus(SEED);
  const beyond = new Uint32Array(tested.length);
  for (let order = 0; order < ORDERS; order++) {
    for (const pool of pools.values()) shuffle(pool.order, random);
    let least = 1;
    for (let rank = tested.length - 1; rank >= 0; rank--) {
      const { segment, p } = tested[rank];
      least = Math.min(least, splitOf(segment, follow[rank]()).p);
      if (least <= p * (1 + ROUNDING)) beyond[rank]++;
    }
    // Where the rarest is no change, no other is.
    if (adjusted(beyond[0]) > 1 - LEVEL) return [];
  }
  let pAdjusted = 0;
  return tested.flatMap(({ segment, cut }, rank) => {
    pAdjusted = Math.max(pAdjusted, adjusted(beyond[rank]));
    if (pAdjusted > 1 - LEVEL || isUnsettled(segment, cut, all[segment.series].values)) return [];
    const candidates = candidatesOf(segment).map((each) => segment.from + each);
    return { segment, at: segment.from + cut, candidates, pAdjusted };
  });
}

/** @param {number} beyond orders in which chance gave as much */
const adjusted = (beyond) => (beyond + 1) / (ORDERS + 1);

/**
 * The cut with the largest t, and its p without correction.
 * @param {Segment} segment @param {Float64Array} values @param {number} [inflation]
 */
function splitOf({ squares, cuts }, values, inflation = 1) {
  let cut = cuts[0];
  let largest = -1;
  let sum = 0;
  let index = 0;
  for (const next of cuts) {
    while (index < next) sum += values[index++];
    const between = betweenOf(sum, next, values.length);
    if (between > largest) [largest, cut] = [between, next];
  }
  const degrees = values.length - 2;
  const unexplained = squares - largest;
  const square = unexplained <= ROUNDING * squares ? Infinity : (degrees * largest) / unexplained;
  const t = Math.sqrt(square / inflation);
  return { cut, p: studentTwoSided(t, degrees) };
}

/** The squares between two parts, of which the first has this sum. @param {number} sum @param {number} cut @param {number} count */
const betweenOf = (sum, cut, count) => (sum * sum * count) / (cut * (count - cut));

/**
 * Cuts whose log-likelihood is lower by more are outside of the 95 % set: k / 2, where (1 - exp(-k / 2))² = 0.95 (Eo
 * and Morley, Quantitative Economics 6, 2015).
 */
const AS_LIKELY = -Math.log(1 - Math.sqrt(LEVEL));

/** @param {Segment} segment @returns {number[]} the cuts that are about as likely as the best one */
function candidatesOf({ values, squares, cuts }) {
  const within = cuts.map((cut) => {
    const sum = values.subarray(0, cut).reduce((total, value) => total + value, 0);
    return Math.max(squares * Number.EPSILON, squares - betweenOf(sum, cut, values.length));
  });
  const least = Math.min(...within);
  return cuts.filter((_, index) => (values.length / 2) * Math.log(within[index] / least) <= AS_LIKELY);
}

/**
 * Whether the last of two values differs from the first, which is like the other part: the change may not last, or
 * begin one later. The test misses it because outliers are clipped.
 * @param {Segment} segment @param {number} cut @param {number[]} values of its series
 */
function isUnsettled({ from, to }, cut, values) {
  const logs = values.slice(from, to).map(Math.log);
  const parts = [logs.slice(0, cut).reverse(), logs.slice(cut)];
  return parts.some(([inner, last, ...more], index) => {
    const other = median(parts[1 - index]);
    return more.length === 0 && Math.abs(inner - other) < Math.abs(inner - last);
  });
}

/** @typedef {{names: string[], order: Uint32Array}} Pool its units and their current order */

/** @type {(all: SeriesOfValues[]) => Map<string, Pool>} */
function poolsOf(all) {
  const pools = new Map();
  for (const shared of groupBy(all, ({ pool }) => pool)) {
    const names = [...new Set(shared.flatMap(({ units }) => units))];
    pools.set(shared[0].pool, { names, order: Uint32Array.from(names.keys()) });
  }
  return pools;
}

/**
 * The values of a segment in the current order, in the same array each time.
 * @param {Segment} segment @param {SeriesOfValues} series @param {Pool} pool
 */
function followerOf({ from, to, values }, { units }, { names, order }) {
  const numbers = new Map(names.map((name, number) => [name, number]));
  const byUnit = new Float64Array(names.length).fill(NaN);
  for (let index = from; index < to; index++) byUnit[numbers.get(units[index]) ?? 0] = values[index - from];
  const ordered = new Float64Array(values.length);
  return () => {
    let count = 0;
    for (const unit of order) if (!Number.isNaN(byUnit[unit])) ordered[count++] = byUnit[unit];
    return ordered;
  };
}

/** A shuffle by Fisher and Yates. @param {Uint32Array} order @param {RandomGenerator} random */
function shuffle(order, random) {
  for (let left = order.length - 1; left > 0; left--) {
    const other = uniformInt(random, 0, left);
    [order[left], order[other]] = [order[other], order[left]];
  }
}

const FEWEST_FOR_INFLATION = 50;
/** Results so far apart are no longer correlated. */
const APART = 5;
/** The estimate from 100 values has a standard deviation of 0.4 (simulated), and may not be too small. */
const UNSURE = 4;
/** The share of largest squared differences that is left out: those across changes, and outliers. */
const LEFT_OUT = 0.2;

/**
 * How much autocorrelation inflates the variance of a mean. With correlation r, neighbours differ by 2 (1 - r) times
 * the variance and distant values by 2, so (1 + r) / (1 - r) = 2 far / near - 1, whatever changes for good meanwhile.
 * @param {number[][]} all series of one kind of figure @returns {number} at least 1
 */
export function inflationOf(all) {
  const ratios = all.flatMap((values) => {
    if (values.length < FEWEST_FOR_INFLATION) return [];
    const logs = values.map(Math.log);
    const [near, far] = [1, APART].map((lag) => differenceOf(logs, lag));
    return near === 0 ? [] : far / near;
  });
  if (ratios.length === 0) return 1;
  const known = sum(all.map(({ length }) => length));
  return Math.max(1, (2 * mean(ratios) - 1) * (1 + UNSURE / Math.sqrt(known)));
}

/** @param {number[]} logs @param {number} lag @returns {number} the trimmed mean of squared differences */
function differenceOf(logs, lag) {
  const squares = logs
    .slice(lag)
    .map((log, index) => (log - logs[index]) ** 2)
    .sort((a, b) => a - b);
  return mean(squares.slice(0, Math.ceil(squares.length * (1 - LEFT_OUT))));
}
