import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mostSearchRuns } from './rate-search.js';

/** @import { Settings } from '../options/types.js' */
/** @import { Cell, Start } from './types.js' */

/** @param {Pick<Settings, 'runs' | 'untilStable' | 'maxRuns' | 'rateSearch'>} settings */
export function mostRounds({ runs, untilStable, maxRuns, rateSearch }) {
  if (rateSearch !== undefined) return mostSearchRuns(rateSearch);
  return untilStable === undefined ? runs : maxRuns;
}

/**
 * The order of the cells in each round (Fisher-Yates). What drifts on a machine (clock speed, neighbours, memory) then
 * affects all cells alike, not always the last.
 * @template T @param {readonly T[]} cells of one group @param {number} count of rounds @param {number} seed @returns {T[][]}
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

/** Starting and warming may take as long as for so many workers of a group, one after the other. */
const WORKERS = 24;
/** A single start does not show how much starts differ; more than the most show little more. */
const BETWEEN = { fewest: 2, most: 5 };

/**
 * Divides the rounds of a group among starts of its cells: the JIT compiler and memory make starts differ, and more runs
 * of one process do not show that.
 * @param {Pick<Settings, 'starts' | 'runs' | 'untilStable' | 'maxRuns' | 'rateSearch' | 'smoke'>} settings
 * @param {Pick<Cell, 'openLoop'>[]} cells of the group @returns {Start[]}
 */
export function startsOf(settings, cells) {
  const { runs } = settings;
  const count = Math.min(countOf(settings, cells), runs);
  const upTo = (/** @type {number} */ start) => Math.floor((start * runs) / count);
  return Array.from({ length: count }, (_, index) => ({
    start: index + 1,
    first: upTo(index) + 1,
    // Rounds that are added until all is stable need no new start.
    last: index === count - 1 ? mostRounds(settings) : upTo(index + 1),
    isLast: index === count - 1,
  }));
}

/** @param {Pick<Settings, 'starts' | 'rateSearch' | 'smoke'>} settings @param {Pick<Cell, 'openLoop'>[]} cells */
function countOf({ starts, rateSearch, smoke }, cells) {
  if (rateSearch !== undefined) return 1;
  if (starts !== 'auto') return starts;
  // A given rate is sustained or not, whatever a start adds to the CPU time.
  if (smoke || cells.some(({ openLoop }) => openLoop !== null)) return 1;
  return Math.min(BETWEEN.most, Math.max(BETWEEN.fewest, Math.floor(WORKERS / cells.length)));
}
