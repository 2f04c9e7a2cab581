import { median } from 'simple-statistics';
import { reach } from '../statistics/interval.js';

/**
 * @import { Scatter } from '../types.js'
 * @import { MeasuredCell } from './compare-group.js'
 */

/**
 * How much the runs of cells vary.
 *
 * @param {MeasuredCell[]} cells at least one of them with two runs
 * @returns {Scatter}
 */
export function scatterOf(cells) {
  const counts = cells.map(({ summary }) => summary.runs);
  const variations = cells.flatMap(({ summary }) => summary.variation ?? []);
  const reaches = cells.flatMap(({ summary: { intervals, opsPerSecond } }) =>
    intervals.opsPerSecond ? [reach(intervals.opsPerSecond, opsPerSecond)] : [],
  );
  return {
    fewestRuns: Math.min(...counts),
    mostRuns: Math.max(...counts),
    medianVariationShare: median(variations),
    widestReachShare: Math.max(...reaches),
  };
}
