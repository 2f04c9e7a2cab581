/** @import { ComparisonFinding } from '../types.js' */

/** Ratios nearer to 1 than this need no warning: machines drift that much from minute to minute. */
const NOTABLE = 0.05;
/** Two cells move the same way by chance every other time. */
const FEWEST_CELLS = 3;

/**
 * Signs that the machine changed between two reports rather than what was measured: the tests know how much
 * runs vary within a report, not how much a machine varies from one report to the next.
 *
 * @param {{cell: string, ratio: number, floor: boolean}[]} cells
 * @param {number} geometricMean of their ratios
 * @returns {ComparisonFinding[]}
 */
export function driftOf(cells, geometricMean) {
  const moved = cells.filter(({ ratio }) => Math.abs(Math.log(ratio)) >= NOTABLE);
  const floor = moved.find((cell) => cell.floor);
  if (floor) return [{ kind: 'floor-moved', cell: floor.cell, ratio: floor.ratio }];
  // A cell that stayed where it was speaks against the machine as well.
  const sameWay = moved.filter(({ ratio }) => ratio > 1 === geometricMean > 1);
  if (cells.length < FEWEST_CELLS || sameWay.length < cells.length) return [];
  return [{ kind: 'all-moved', cells: cells.map(({ cell }) => cell), ratio: geometricMean }];
}
