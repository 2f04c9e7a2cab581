import { mean, sampleStandardDeviation } from 'simple-statistics';

/** @import { Interval } from '../types.js' */

/** The coverage of every interval; claims are made at 1 minus this. */
export const LEVEL = 0.95;

/**
 * The median's interval from order statistics: the narrowest pair of values, equally far from both ends,
 * between which the median lies with 95 %. It assumes nothing about the shape of the noise, and its coverage
 * is exact (binomial). Five runs or fewer cannot reach 95 %: then it is the slowest to the fastest run, and
 * `level` says what that covers, 93.75 % for five.
 * @param {number[]} values one of each run @returns {Interval | null} null for fewer than two
 */
export const medianInterval = (values) => intervalOfSorted(Float64Array.from(values).sort());

/** @param {Float64Array} sorted values, the smallest first @returns {Interval | null} as medianInterval */
export function intervalOfSorted(sorted) {
  const count = sorted.length;
  if (count < 2) return null;
  const { cut, level } = cutOf(count);
  return { low: sorted[cut], high: sorted[count - 1 - cut], level };
}

/**
 * @param {number} count of values
 * @returns {{cut: number, level: number}} how many values are left out at each end, and how likely the
 *   median lies between the others
 */
function cutOf(count) {
  // How likely exactly k of the values lie below the median is choose(count, k) / 2^count: with a thousand
  // values or more that is too small for a double, so logarithms are used.
  let likely = -count * Math.LN2;
  let outside = Math.exp(likely);
  let cut = 0;
  for (let next = 1; 2 * (next + 1) <= count; next++) {
    likely += Math.log((count - next + 1) / next);
    const further = outside + Math.exp(likely);
    if (1 - 2 * further < LEVEL) break;
    outside = further;
    cut = next;
  }
  return { cut, level: 1 - 2 * outside };
}

/**
 * How far the interval reaches to its farther side, as a part of the median: the 0.03 of `± 3 %`.
 * @param {Interval} interval @param {number} middle @returns {number}
 */
export const reach = ({ low, high }, middle) => Math.max(high - middle, middle - low) / middle;

/**
 * How much the runs of a cell vary: their standard deviation as a part of their mean.
 * @param {number[]} values @returns {number | null} null for fewer than two
 */
export const variation = (values) =>
  values.length < 2 ? null : sampleStandardDeviation(values) / mean(values);
