import { sum } from 'simple-statistics';
import { normalBelow, studentCritical } from './distributions.js';
import { LEVEL } from './interval.js';

/** @import { Shift } from '../types.js' */

/** Halvings after which a bound is as exact as a double can be. */
const HALVINGS = 60;

/**
 * The Mann-Whitney test, and the interval that belongs to it for the shift between the samples (Hodges and
 * Lehmann). It assumes nothing about the shape of the noise, only that without a difference each run could as
 * well have been the other cell's.
 * @param {number[]} a @param {number[]} b @returns {Shift} how far a lies above b
 */
export function mannWhitney(a, b) {
  const [x, y] = [a, b].map((values) => Float64Array.from(values).sort());
  const pairs = a.length * b.length;
  const below = (countShifts(x, y, 0, false) + countShifts(x, y, 0, true)) / 2;
  const smallerU = Math.min(below, pairs - below);
  return {
    p: Math.min(1, 2 * tailOfU(smallerU, a.length, b.length, tieSizes(x, y))),
    interval() {
      // On each side, as many shifts lie outside as there are values of U that the test would reject.
      const outside = rareUs(1 - LEVEL, a.length, b.length);
      if (outside === 0) return { low: -Infinity, high: Infinity };
      return { low: shiftAt(x, y, outside), high: shiftAt(x, y, pairs + 1 - outside) };
    },
  };
}

/**
 * @param {Float64Array} x ascending @param {Float64Array} y ascending @param {number} rank from 1
 * @returns {number} the shift of that rank among all x - y, without making a list of them
 */
function shiftAt(x, y, rank) {
  let low = x[0] - /** @type {number} */ (y.at(-1));
  let high = /** @type {number} */ (x.at(-1)) - y[0];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (countShifts(x, y, middle, true) >= rank) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * @param {Float64Array} x ascending @param {Float64Array} y ascending @param {number} limit @param {boolean} inclusive
 * @returns {number} how many of all x - y are below the limit, or at it
 */
function countShifts(x, y, limit, inclusive) {
  let index = 0;
  let count = 0;
  for (const value of x) {
    while (index < y.length && (inclusive ? y[index] < value - limit : y[index] <= value - limit)) index++;
    count += y.length - index;
  }
  return count;
}

/**
 * @param {Float64Array} x ascending @param {Float64Array} y ascending
 * @returns {number[]} how often each value that comes more than once does
 */
function tieSizes(x, y) {
  const values = new Float64Array(x.length + y.length);
  values.set(x);
  values.set(y, x.length);
  values.sort();
  const sizes = [];
  let first = 0;
  for (let index = 1; index <= values.length; index++) {
    if (values[index] === values[first]) continue;
    if (index - first > 1) sizes.push(index - first);
    first = index;
  }
  return sizes;
}

/** Up to this many values a side the distribution of U is counted; beyond that the normal one is as good. */
const COUNTED = 20;

/**
 * How likely a Mann-Whitney U of at most u is where there is no difference. Without ties it is exact up to 20
 * values a side; else it is the normal approximation, corrected for ties and for continuity.
 * @param {number} u @param {number} n values on one side @param {number} m values on the other
 * @param {number[]} [ties] how many values share each tied rank @returns {number}
 */
function tailOfU(u, n, m, ties = []) {
  if (ties.length > 0 || Math.max(n, m) > COUNTED) return normalTail(u, n, m, ties);
  const ways = waysOfU(n, m);
  return sum(ways.slice(0, u + 1)) / sum(ways);
}

/**
 * The smallest p that the test can give: that of samples which do not overlap.
 * @param {number} n @param {number} m @returns {number} two-sided: 0.0079 for 5 and 5
 */
export const smallestP = (n, m) => 2 * tailOfU(0, n, m);

/**
 * How many values of U, from 0 on, are so rare that both tails of them together stay within p.
 * @param {number} p @param {number} n @param {number} m @returns {number}
 */
function rareUs(p, n, m) {
  if (Math.max(n, m) > COUNTED) {
    return Math.floor((n * m) / 2 + 0.5 - studentCritical(p, Infinity) * deviationOfU(n, m, []));
  }
  const ways = waysOfU(n, m);
  const all = sum(ways);
  let count = 0;
  for (let tail = ways[0]; 2 * tail <= p * all; tail += ways[count]) count++;
  return count;
}

/**
 * In how many ways n of n + m ranks can be chosen so that they give each U, adding one rank after the other.
 * @param {number} n @param {number} m @returns {number[]} by U
 */
function waysOfU(n, m) {
  const ways = Array.from({ length: n + 1 }, () => new Array(n * m + 1).fill(0));
  ways[0][0] = 1;
  for (let rank = 1; rank <= n + m; rank++) {
    for (let chosen = Math.min(rank, n); chosen >= 1; chosen--) {
      // The ranks below it that are not chosen belong to the other side, which U counts.
      const others = rank - chosen;
      for (let u = n * m; u >= others; u--) ways[chosen][u] += ways[chosen - 1][u - others];
    }
  }
  return ways[n];
}

/** @param {number} u @param {number} n @param {number} m @param {number[]} ties */
function normalTail(u, n, m, ties) {
  const deviation = deviationOfU(n, m, ties);
  return deviation === 0 ? 1 : normalBelow((u + 0.5 - (n * m) / 2) / deviation);
}

/** @param {number} n @param {number} m @param {number[]} ties */
function deviationOfU(n, m, ties) {
  const count = n + m;
  const tied = sum(ties.map((size) => size ** 3 - size)) / (count * (count - 1));
  return Math.sqrt(((n * m) / 12) * (count + 1 - tied));
}
