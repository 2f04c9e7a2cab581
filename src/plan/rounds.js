import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mostSearchRuns } from './rate-search.js';

/** @import { Settings } from '../options/types.js' */

/**
 * How many rounds of runs there are at most.
 *
 * @param {Pick<Settings, 'runs' | 'untilStable' | 'maxRuns' | 'rateSearch'>} settings
 * @returns {number}
 */
export function mostRounds({ runs, untilStable, maxRuns, rateSearch }) {
  if (rateSearch !== undefined) return mostSearchRuns(rateSearch);
  return untilStable === undefined ? runs : maxRuns;
}

/**
 * The order of the cells in each round. What drifts on a machine (clock speed, neighbours, memory)
 * then falls on all cells alike instead of on the one that always runs last.
 *
 * @template T
 * @param {readonly T[]} cells of one group
 * @param {number} count of rounds
 * @param {number} seed
 * @returns {T[][]} for each round all cells, shuffled (Fisher-Yates)
 */
export function createRounds(cells, count, seed) {
  const random = xoroshiro128plus(seed);
  return Array.from({ length: count }, () => {
    const order = [...cells];
    for (let last = order.length - 1; last > 0; last--) {
      const pick = uniformInt(random, 0, last);
      [order[last], order[pick]] = [order[pick], order[last]];
    }
    return order;
  });
}
