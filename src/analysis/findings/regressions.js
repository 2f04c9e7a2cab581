/** @import { ComparedCell, ReportComparison } from '../types.js' */

/**
 * The cells that have become worse by at least so much: those of which the statistics carry that they
 * differ, and those of which they do not.
 *
 * @param {ReportComparison} comparison
 * @param {number} percent
 * @returns {Record<'certain' | 'unsure', (ComparedCell & {worseBy: number})[]>} worseBy in percent
 */
export function findRegressions({ cells, moreIsBetter }, percent) {
  const worse = cells
    .map((cell) => ({ ...cell, worseBy: (moreIsBetter ? 1 - cell.ratio : cell.ratio - 1) * 100 }))
    .filter(({ worseBy }) => worseBy >= percent);
  return {
    certain: worse.filter(({ contrast }) => contrast?.differs),
    unsure: worse.filter(({ contrast }) => !contrast?.differs),
  };
}
