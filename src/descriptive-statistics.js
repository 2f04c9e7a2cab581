/** Nothing has no mean, no median and no extremes: a bug, not a figure. @param {ArrayLike<unknown>} values @param {number} [least] */
function assertEnough({ length }, least = 1) {
  if (length < least) throw new RangeError(`expected ${least} values or more, got ${length}`);
}

/** Exact to the last digit or so, in any order of the values (Neumaier). @param {ArrayLike<number>} values @returns {number} 0 of none */
export function sum(values) {
  let total = 0;
  let lost = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

/** @param {ArrayLike<number>} values @returns {number} */
export function mean(values) {
  assertEnough(values);
  return sum(values) / values.length;
}

/** @param {ArrayLike<number>} values @returns {number} */
export function min(values) {
  assertEnough(values);
  let least = values[0];
  for (let index = 1; index < values.length; index++) if (values[index] < least) least = values[index];
  return least;
}

/** @param {ArrayLike<number>} values @returns {number} */
export function max(values) {
  assertEnough(values);
  let most = values[0];
  for (let index = 1; index < values.length; index++) if (values[index] > most) most = values[index];
  return most;
}

/** Between two values on a straight line, as R, NumPy and Excel do. @param {ArrayLike<number>} values @param {number} part from 0 to 1 */
export const quantile = (values, part) => quantileSorted(Float64Array.from(values).sort(), part);

/** @param {ArrayLike<number>} values @returns {number} */
export const median = (values) => quantile(values, 0.5);

/** @param {ArrayLike<number>} sorted ascending @returns {number} */
export const medianSorted = (sorted) => quantileSorted(sorted, 0.5);

/** @param {ArrayLike<number>} sorted ascending @param {number} part from 0 to 1 @returns {number} */
function quantileSorted(sorted, part) {
  assertEnough(sorted);
  const place = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === high ? low : low + (place - Math.floor(place)) * (high - low);
}

/** The median distance to the median. @param {number[]} values @returns {number} */
export function medianAbsoluteDeviation(values) {
  const middle = median(values);
  return median(values.map((value) => Math.abs(value - middle)));
}

/** @param {ArrayLike<number>} values @returns {number} the sum of the squared distances to the mean */
export function squaredDeviations(values) {
  const average = mean(values);
  let squares = 0;
  for (let index = 0; index < values.length; index++) squares += (values[index] - average) ** 2;
  return squares;
}

/** @param {ArrayLike<number>} values two or more @returns {number} */
export function sampleVariance(values) {
  assertEnough(values, 2);
  return squaredDeviations(values) / (values.length - 1);
}

/** @param {number[]} values above 0 @returns {number} */
export const geometricMean = (values) => Math.exp(mean(values.map(Math.log)));
