import { contrastFamily } from '../../src/analysis/statistics/contrasts.js';
import { readResult } from '../../src/results/read.js';
import { createRandom } from '../helpers/random.js';

/** @import { CellResult } from '../../src/results/types.js' */

/** Of a cell: what a benchmark counts unless --starts says otherwise. */
const STARTS = 3;
const DRAWS = 2000;
/** Differences whose finding is counted; 0 is that of equal cells. */
const PERCENTS = [0, 1, 2, 3];

/** @param {Pick<CellResult, 'counted'>} cell @returns {number[]} instructions per operation of each start */
export const countsOf = ({ counted = [] }) => counted.map((start) => Number(start.counted.instructionsPerOp));

/** @param {string[]} files results of equal cells @returns {Promise<Map<string, number[]>>} the counts by client */
export async function countsIn(files) {
  /** @type {Map<string, number[]>} */
  const all = new Map();
  for (const file of files) {
    for (const cell of (await readResult(file)).cells) {
      const client = `${cell.client}:${cell.variant}`;
      all.set(client, [...(all.get(client) ?? []), ...countsOf(cell)]);
    }
  }
  return all;
}

/** @param {number[]} one @param {number[]} other @returns {boolean} whether a report would claim a difference */
export function isClaimed(one, other) {
  const [a, b] = [one, other].map((values) =>
    values.map((value, index) => ({ value, round: index + 1, start: index + 1 })),
  );
  const [{ between }] = contrastFamily([{ pairs: [[a, b]], inRounds: false }]);
  return between(a, b)?.differs ?? false;
}

/**
 * Prints how often a difference is claimed between cells of so many of these starts, drawn at random, and how often where
 * one of the cells executes 1, 2 or 3 % more: starts of one cell may change places, so few starts make many benchmarks.
 * @param {string} client @param {number[]} counts of equal starts
 */
export function tellDrawn(client, counts) {
  const { uniform } = createRandom(1);
  for (const starts of [STARTS, STARTS + 2]) {
    if (counts.length < 2 * starts) continue;
    const shares = PERCENTS.map((percent) => {
      const claims = Array.from({ length: DRAWS }, () => {
        const drawn = counts
          .map((value) => ({ value, key: uniform() }))
          .sort((a, b) => a.key - b.key)
          .map(({ value }) => value);
        const more = drawn.slice(0, starts).map((value) => value * (1 + percent / 100));
        return isClaimed(more, drawn.slice(starts, 2 * starts));
      });
      return `${percent} % more: ${((claims.filter(Boolean).length / DRAWS) * 100).toFixed(0)} %`;
    });
    console.log(
      `${client}, ${starts} of ${counts.length} starts each, claimed where one has ${shares.join(', ')}`,
    );
  }
}
