import { UsageError } from '../../errors.js';

/** @import { ComparedCell, ReportComparison } from '../types.js' */

/**
 * The cells that have become worse by at least so much: those of which the statistics carry that they
 * differ, and those of which they do not.
 *
 * @param {ReportComparison} comparison
 * @param {number} percent
 * @throws {UsageError} for a metric of which neither more nor less is better
 * @returns {Record<'certain' | 'unsure', (ComparedCell & {worseBy: number})[]>} worseBy in percent
 */
export function findRegressions({ cells, metric, moreIsBetter }, percent) {
  if (moreIsBetter === null) {
    throw new UsageError(
      `--fail-on: neither more nor less ${metric} is worse; use a metric that 'list' calls better in one direction`,
    );
  }
  const worse = cells
    .map((cell) => ({ ...cell, worseBy: (moreIsBetter ? 1 - cell.ratio : cell.ratio - 1) * 100 }))
    .filter(({ worseBy }) => worseBy >= percent);
  return {
    certain: worse.filter(({ contrast }) => contrast?.differs),
    unsure: worse.filter(({ contrast }) => !contrast?.differs),
  };
}
