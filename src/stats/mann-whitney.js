import { normalBelow, studentCritical } from './distributions.js';
import { LEVEL } from './interval.js';

/** Up to so many values a side the distribution of U is counted; beyond, the normal one is as good. */
const COUNTED = 20;
/** Halvings after which a bound is as near as a double can tell. */
const HALVINGS = 60;

/**
 * The Mann-Whitney test, and the interval of the shift between the samples that belongs to it (of
 * Hodges and Lehmann). It asks nothing of the shape of the noise: only that, without a difference, each
 * run could as well have been one of the other cell. Without ties p is exact; with ties, or many
 * values, it is the normal approximation, corrected for ties and for continuity.
 *
 * @param {number[]} a
 * @param {number[]} b
 * @returns {import('../types.js').Shift} how far a lies above b
 */
export function mannWhitney(a, b) {
  const [x, y] = [a, b].map((values) => [...values].sort((one, other) => one - other));
  const pairs = a.length * b.length;
  const below = (countShifts(x, y, 0, false) + countShifts(x, y, 0, true)) / 2;
  const smallerU = Math.min(below, pairs - below);
  const ties = tieSizes([...a, ...b]);
  const counted = ties.length === 0 && Math.max(a.length, b.length) <= COUNTED;
  const tail = counted
    ? countedTail(a.length, b.length)(smallerU)
    : normalTail(smallerU, a.length, b.length, ties);
  const rank = rankOfBound(a.length, b.length);
  return {
    low: rank === 0 ? -Infinity : shiftAt(x, y, rank),
    high: rank === 0 ? Infinity : shiftAt(x, y, pairs + 1 - rank),
    p: Math.min(1, 2 * tail),
  };
}

/**
 * The smallest p that the test can give: that of samples which do not overlap.
 *
 * @param {number} n
 * @param {number} m values on the other side
 * @returns {number} two-sided: 0.0079 for 5 and 5
 */
export const smallestP = (n, m) =>
  2 * (Math.max(n, m) > COUNTED ? normalTail(0, n, m, []) : countedTail(n, m)(0));

/**
 * @param {number} n
 * @param {number} m
 * @returns {number} which of the n · m shifts, from 1, is the lower bound; 0 where there are too few
 */
function rankOfBound(n, m) {
  if (Math.max(n, m) > COUNTED) {
    const z = studentCritical(1 - LEVEL, Infinity);
    return Math.floor((n * m) / 2 + 0.5 - z * deviationOfU(n, m, []));
  }
  const atMost = countedTail(n, m);
  let rank = 0;
  while (2 * atMost(rank) <= 1 - LEVEL) rank++;
  return rank;
}

/**
 * @param {number[]} x ascending
 * @param {number[]} y ascending
 * @param {number} rank from 1
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
 * @param {number[]} x ascending
 * @param {number[]} y ascending
 * @param {number} limit
 * @param {boolean} inclusive
 * @returns {number} how many of all x - y are below the limit, or at it
 */
function countShifts(x, y, limit, inclusive) {
  let place = 0;
  let count = 0;
  for (const value of x) {
    while (place < y.length && (inclusive ? y[place] < value - limit : y[place] <= value - limit)) place++;
    count += y.length - place;
  }
  return count;
}

/**
 * @param {number} n
 * @param {number} m
 * @returns {(u: number) => number} how likely a U of at most u is where there is no difference
 */
function countedTail(n, m) {
  const ways = waysOfU(n, m);
  const all = ways.reduce((sum, count) => sum + count, 0);
  return (u) => ways.slice(0, u + 1).reduce((sum, count) => sum + count, 0) / all;
}

/**
 * In how many ways n of n + m ranks can be chosen so that they give each U, adding one rank after the other.
 *
 * @param {number} n
 * @param {number} m
 * @returns {number[]} by U
 */
function waysOfU(n, m) {
  const ways = Array.from({ length: n + 1 }, () => new Array(n * m + 1).fill(0));
  ways[0][0] = 1;
  for (let rank = 1; rank <= n + m; rank++) {
    for (let chosen = Math.min(rank, n); chosen >= 1; chosen--) {
      // So many of the ranks below it are not chosen: those of the other side, which U counts.
      const others = rank - chosen;
      for (let u = n * m; u >= others; u--) ways[chosen][u] += ways[chosen - 1][u - others];
    }
  }
  return ways[n];
}

/**
 * @param {number} u
 * @param {number} n
 * @param {number} m
 * @param {number[]} ties how many values share each tied rank
 */
function normalTail(u, n, m, ties) {
  const deviation = deviationOfU(n, m, ties);
  return deviation === 0 ? 1 : normalBelow((u + 0.5 - (n * m) / 2) / deviation);
}

/**
 * @param {number} n
 * @param {number} m
 * @param {number[]} ties
 */
function deviationOfU(n, m, ties) {
  const count = n + m;
  const tied = ties.reduce((sum, size) => sum + size ** 3 - size, 0) / (count * (count - 1));
  return Math.sqrt(((n * m) / 12) * (count + 1 - tied));
}

/**
 * @param {number[]} values
 * @returns {number[]} how often each value that comes more than once does
 */
function tieSizes(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()].filter((count) => count > 1);
}
