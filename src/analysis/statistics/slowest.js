import { sum } from 'simple-statistics';

/** @import { Slowest } from '../../results/types.js' */

const MOST = 10;

/** @param {Slowest[]} all of slices, processes or runs @returns {Slowest} */
export function slowestOf(all) {
  /** @type {Slowest['covered']} */
  const covered = {};
  for (const [what, lengths] of all.flatMap((each) => Object.entries(each.covered))) {
    const sums = covered[what] ?? {};
    for (const [upToMs, ms] of Object.entries(lengths)) sums[upToMs] = (sums[upToMs] ?? 0) + ms;
    covered[what] = sums;
  }
  return {
    watchedMs: sum(all.map(({ watchedMs }) => watchedMs)),
    operations: all
      .flatMap(({ operations }) => operations)
      .sort((a, b) => b.ms - a.ms)
      .slice(0, MOST),
    covered,
  };
}

/** How likely so many of them happen, or more. @param {number[]} chances of independent events @param {number} least */
export function chanceOf(chances, least) {
  let byCount = [1];
  for (const chance of chances) {
    byCount = [...byCount, 0].map((p, count) => p * (1 - chance) + (byCount[count - 1] ?? 0) * chance);
  }
  return sum(byCount.slice(least));
}
