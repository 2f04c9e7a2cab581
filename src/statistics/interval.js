import { mean, sampleVariance } from '../descriptive-statistics.js';

/** @import { Interval } from '../store/types.js' */

/** The coverage of every interval; claims are made at 1 minus this. */
export const LEVEL = 0.95;

/**
 * The median's interval from order statistics: the narrowest symmetric pair of values with 95 % coverage, exact for any noise
 * (binomial). Five runs or fewer cannot reach 95 %: then it is the whole range, and `level` says what that covers.
 * @param {Float64Array} sorted @returns {Interval | null} null for fewer than two
 */
export function intervalOfSorted(sorted) {
  const count = sorted.length;
  if (count < 2) return null;
  // P(exactly k values lie below the median) is choose(count, k) / 2^count, which underflows from a thousand values on:
  // hence logarithms. `cut` values are left out at each end.
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
  return { low: sorted[cut], high: sorted[count - 1 - cut], level: 1 - 2 * outside };
}

/** The distance to its farther end over the median: the 0.03 of `± 3 %`. @param {Interval} interval @param {number} middle */
export const reach = ({ low, high }, middle) => Math.max(high - middle, middle - low) / middle;

/** The coefficient of variation. @param {number[]} values @returns {number | null} null for fewer than two */
export const variation = (values) =>
  values.length < 2 ? null : Math.sqrt(sampleVariance(values)) / mean(values);
