import { sum } from 'simple-statistics';
import { groupBy } from '../collections.js';
import { LEVEL } from './interval.js';
import { normalBelow, studentCritical } from './student.js';

/** @import { Shift } from './student.js' */

/** Halvings after which a bound is as exact as a double can be. */
const HALVINGS = 60;

/** Holds for noise of any shape. @param {number[]} a @param {number[]} b @returns {Shift} with Hodges and Lehmann's interval */
export function mannWhitney(a, b) {
  const [x, y] = [a, b].map((values) => Float64Array.from(values).sort());
  const pairs = a.length * b.length;
  const below = (countShifts(x, y, 0, false) + countShifts(x, y, 0, true)) / 2;
  const smallerU = Math.min(below, pairs - below);
  return {
    p: Math.min(1, 2 * tailOfU(smallerU, a.length, b.length, tieSizes([...a, ...b]))),
    interval(level = LEVEL) {
      // The shifts outside on each side are as many as the values of U that the test would reject.
      const outside = rareUs(1 - level, a.length, b.length);
      if (outside === 0) return { low: -Infinity, high: Infinity };
      return { low: shiftAt(x, y, outside), high: shiftAt(x, y, pairs + 1 - outside) };
    },
  };
}

/** Finds one of all x - y without listing them. @param {Float64Array} x ascending @param {Float64Array} y ascending @param {number} rank from 1 */
function shiftAt(x, y, rank) {
  let low = x[0] - y[y.length - 1];
  let high = x[x.length - 1] - y[0];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (countShifts(x, y, middle, true) >= rank) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * How many of all x - y are below the limit, or at it.
 * @param {Float64Array} x ascending @param {Float64Array} y ascending @param {number} limit @param {boolean} inclusive
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

/** @param {number[]} values @returns {number[]} how often each value occurs that occurs more than once */
const tieSizes = (values) =>
  groupBy(values, (value) => value)
    .map(({ length }) => length)
    .filter((size) => size > 1);

/** Beyond this many values a side the normal distribution is as good. */
const COUNTED = 20;

/**
 * P(U <= u) without a difference: exact up to COUNTED values without ties, else the normal approximation, corrected for
 * ties and continuity.
 * @param {number} u @param {number} n @param {number} m @param {number[]} [ties] sizes @returns {number}
 */
function tailOfU(u, n, m, ties = []) {
  if (ties.length > 0 || Math.max(n, m) > COUNTED) {
    const deviation = deviationOfU(n, m, ties);
    return deviation === 0 ? 1 : normalBelow((u + 0.5 - (n * m) / 2) / deviation);
  }
  const ways = waysOfU(n, m);
  return sum(ways.slice(0, u + 1)) / sum(ways);
}

/** The p of samples that do not overlap, two-sided: 0.0079 for 5 and 5. @param {number} n @param {number} m */
export const smallestP = (n, m) => 2 * tailOfU(0, n, m);

/** How many values of U, from 0 on, lie in both tails together within p. @param {number} p @param {number} n @param {number} m */
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

/** Ways to choose n of n + m ranks by U, adding one rank after the other. @param {number} n @param {number} m @returns {number[]} */
function waysOfU(n, m) {
  const ways = Array.from({ length: n + 1 }, () => new Array(n * m + 1).fill(0));
  ways[0][0] = 1;
  for (let rank = 1; rank <= n + m; rank++) {
    for (let chosen = Math.min(rank, n); chosen >= 1; chosen--) {
      // U counts the lower ranks of the other side.
      const others = rank - chosen;
      for (let u = n * m; u >= others; u--) ways[chosen][u] += ways[chosen - 1][u - others];
    }
  }
  return ways[n];
}

/** @param {number} n @param {number} m @param {number[]} ties */
function deviationOfU(n, m, ties) {
  const count = n + m;
  const tied = sum(ties.map((size) => size ** 3 - size)) / (count * (count - 1));
  return Math.sqrt(((n * m) / 12) * (count + 1 - tied));
}
