import { mostRounds } from './rounds.js';

/**
 * @import { Settings } from '../options/types.js'
 * @import { Cell, Start } from './types.js'
 */

/** What starting and warming may take: so many workers of a group, one after the other. */
const WORKERS = 24;
/** One start of each cell does not show how much starts differ; more than the most bring little more. */
const BETWEEN = { fewest: 2, most: 5 };

/**
 * How the rounds of a group are divided among starts of its cells: what the JIT compiler and memory make of a
 * process differs from start to start, and more runs of the same process do not show that.
 *
 * @param {Pick<Settings, 'starts' | 'runs' | 'untilStable' | 'maxRuns' | 'rateSearch' | 'smoke'>} settings
 * @param {Pick<Cell, 'openLoop'>[]} cells of the group
 * @returns {Start[]}
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

/**
 * @param {Pick<Settings, 'starts' | 'rateSearch' | 'smoke'>} settings
 * @param {Pick<Cell, 'openLoop'>[]} cells
 */
function countOf({ starts, rateSearch, smoke }, cells) {
  if (rateSearch !== undefined) return 1;
  if (starts !== 'auto') return starts;
  // A given rate is held or not, whatever a start adds to the CPU time.
  if (smoke || cells.some(({ openLoop }) => openLoop !== null)) return 1;
  return Math.min(BETWEEN.most, Math.max(BETWEEN.fewest, Math.floor(WORKERS / cells.length)));
}
