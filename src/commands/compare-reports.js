import { cellsNamed, findCell } from '../analysis/assertions/references.js';
import { codeCosts } from '../analysis/findings/code-costs.js';
import { codeDifference } from '../analysis/findings/code-difference.js';
import { compareReports as compare } from '../analysis/findings/compare-reports.js';
import { UsageError } from '../errors.js';
import { comparisonWithWords } from '../report/words/comparison-words.js';

/** @import * as api from '../api.js' */
/** @import { CellResult } from '../results/types.js' */
/** @import { ProfileKind } from '../worker/types.js' */

/** @type {typeof api.compareReports} */
export const compareReports = async (base, next, { metric = 'opsPerSecond' } = {}) =>
  comparisonWithWords(compare(base, next, metric), base, next);

/** @type {typeof api.explainDifference} */
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
