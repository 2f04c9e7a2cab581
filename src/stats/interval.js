import { mean, sampleStandardDeviation } from 'simple-statistics';

/** What every interval is to cover, and 1 minus what a claim may err. */
export const LEVEL = 0.95;

/**
 * The median's interval from order statistics: the narrowest pair of values, equally far from both
 * ends, between which the median lies with 95 %. It asks nothing of the shape of the noise, and its
 * coverage is exact (binomial). Five runs or fewer cannot reach 95 %: then it is the slowest to the
 * fastest run, and `level` says what that covers, 93.75 % for five.
 *
 * @param {number[]} values one of each run
 * @returns {import('../types.js').Interval | null} null for fewer than two
 */
export function medianInterval(values) {
  const count = values.length;
  if (count < 2) return null;
  const sorted = [...values].sort((a, b) => a - b);
  let cut = 0;
  while (2 * (cut + 2) <= count && coverage(count, cut + 1) >= LEVEL) cut++;
  return { low: sorted[cut], high: sorted[count - 1 - cut], level: coverage(count, cut) };
}

/**
 * @param {number} count
 * @param {number} cut how many values are left out at each end
 * @returns {number} how likely the median lies between the others
 */
function coverage(count, cut) {
  let outside = 0;
  // How likely exactly k of the values lie below the median: choose(count, k) / 2^count.
  let likely = 0.5 ** count;
  for (let k = 0; k <= cut; k++) {
    outside += likely;
    likely *= (count - k) / (k + 1);
  }
  return 1 - 2 * outside;
}

/**
 * How far the interval reaches to its farther side, as a part of the median: the 0.03 of `± 3 %`.
 *
 * @param {import('../types.js').Interval} interval
 * @param {number} middle
 * @returns {number}
 */
export const reach = ({ low, high }, middle) => Math.max(high - middle, middle - low) / middle;

/**
 * How much the runs of a cell vary: their standard deviation as a part of their mean.
 *
 * @param {number[]} values
 * @returns {number | null} null for fewer than two
 */
export const variation = (values) =>
  values.length < 2 ? null : sampleStandardDeviation(values) / mean(values);
