import { UsageError } from '../core/errors.js';
import { codeCosts, codeDifference } from '../why/code-costs.js';
import { cellsNamed, findCell } from './assertions.js';
import { compareReports as compare } from './findings/compare-reports.js';
import { comparisonWithWords } from './report/tables/report-comparison.js';

/** @import { CodeCosts, CodeDifference } from '../why/code-costs.js' */
/** @import { ReportComparison } from './judge/types.js' */
/** @import { CellResult, Report } from '../core/store/types.js' */
/** @import { ProfileKind } from '../core/worker/types.js' */

/**
 * @param {Report} base @param {Report} next @param {{metric?: string}} [options]
 * @returns {Promise<ReportComparison>} by cell @throws {UsageError} if they share no cell, or the metric is unknown
 */
export const compareReports = async (base, next, { metric = 'opsPerSecond' } = {}) =>
  comparisonWithWords(compare(base, next, metric), base, next);

/**
 * Attributes a difference in cost per operation to code.
 * @param {Report} report @param {string} cell named as in assertions @param {string} than
 * @param {{kind?: ProfileKind}} [options]
 * @returns {Promise<{difference: CodeDifference, costs: [CodeCosts, CodeCosts]}>}
 * @throws {UsageError} if a cell is unknown or was not profiled
 */
export async function explainDifference(report, cell, than, { kind = 'cpu' } = {}) {
  const [first, second] = [cell, than].map((name) => findProfiled(name, report.cells, kind));
  for (const each of [first, second]) checkProfiled(each, kind);
  const difference = codeDifference(first, second, kind);
  const costs = /** @type {const} */ ([codeCosts(first, kind), codeCosts(second, kind)]);
  if (difference === null || costs[0] === null || costs[1] === null) {
    throw new UsageError(`'${cell}' or '${than}' has no result that its profile could belong to`);
  }
  return { difference, costs: [costs[0], costs[1]] };
}

/** @param {string} name @param {CellResult[]} cells @param {ProfileKind} kind @returns {CellResult} the profiled one */
function findProfiled(name, cells, kind) {
  const profiled = cellsNamed(name, cells).filter(({ profiles }) => profiles?.[kind] !== undefined);
  return findCell(name, profiled.length > 0 ? profiled : cells);
}

/** @type {Record<ProfileKind, string>} */
const TAKEN_BY = { cpu: '--profile', heap: '--profile heap' };

/** @param {CellResult} cell @param {ProfileKind} kind */
function checkProfiled({ id, profiles }, kind) {
  if (profiles?.[kind] !== undefined) return;
  throw new UsageError(
    `expected a profile of ${id}, and this result has none; measure it with ${TAKEN_BY[kind]}`,
  );
}
