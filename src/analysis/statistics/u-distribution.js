import { sum } from 'simple-statistics';
import { normalBelow, studentCritical } from './distributions.js';

/** Up to this many values a side the distribution of U is counted; beyond that the normal one is as good. */
const COUNTED = 20;

/**
 * How likely a Mann-Whitney U of at most u is where there is no difference. Without ties it is exact
 * up to 20 values a side; else it is the normal approximation, corrected for ties and for continuity.
 *
 * @param {number} u
 * @param {number} n values on one side
 * @param {number} m values on the other
 * @param {number[]} [ties] how many values share each tied rank
 * @returns {number}
 */
export function tailOfU(u, n, m, ties = []) {
  if (ties.length > 0 || Math.max(n, m) > COUNTED) return normalTail(u, n, m, ties);
  const ways = waysOfU(n, m);
  return sum(ways.slice(0, u + 1)) / sum(ways);
}

/**
 * The smallest p that the test can give: that of samples which do not overlap.
 *
 * @param {number} n
 * @param {number} m
 * @returns {number} two-sided: 0.0079 for 5 and 5
 */
export const smallestP = (n, m) => 2 * tailOfU(0, n, m);

/**
 * How many values of U, from 0 on, are so rare that both tails of them together stay within p.
 *
 * @param {number} p
 * @param {number} n
 * @param {number} m
 * @returns {number}
 */
export function rareUs(p, n, m) {
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
      // The ranks below it that are not chosen belong to the other side, which U counts.
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
 * @param {number[]} ties
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
  const tied = sum(ties.map((size) => size ** 3 - size)) / (count * (count - 1));
  return Math.sqrt(((n * m) / 12) * (count + 1 - tied));
}
