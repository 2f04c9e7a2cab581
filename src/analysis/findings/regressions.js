import { UsageError } from '../../errors.js';

/** @import { ComparedCell, ReportComparison } from '../types.js' */

/**
 * The cells that became worse by at least this much: those where the statistics carry the difference, and
 * those where they do not. Cells that waited for CPU are not judged.
 *
 * @param {ReportComparison} comparison
 * @param {number} percent
 * @throws {UsageError} for a metric that has no better direction
 * @returns {Record<'certain' | 'unsure', (ComparedCell & {worseBy: number})[]> & {disturbed: ComparedCell[]}} worseBy in
 *   percent
 */
export function findRegressions({ cells, metric, moreIsBetter, findings }, percent) {
  if (moreIsBetter === null) {
    throw new UsageError(
      `--fail-on: neither more nor less ${metric} is worse; use a metric that 'list' calls better in one direction`,
    );
  }
  const ids = findings.flatMap((finding) => (finding.kind === 'disturbed' ? finding.cells : []));
  const worse = cells
    .filter(({ cell }) => !ids.includes(cell))
    .map((cell) => ({ ...cell, worseBy: (moreIsBetter ? 1 - cell.ratio : cell.ratio - 1) * 100 }))
    .filter(({ worseBy }) => worseBy >= percent);
  return {
    certain: worse.filter(({ contrast }) => contrast?.differs),
    unsure: worse.filter(({ contrast }) => !contrast?.differs),
    disturbed: cells.filter(({ cell }) => ids.includes(cell)),
  };
}
