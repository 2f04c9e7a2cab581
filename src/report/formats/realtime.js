import { nameCells } from '../../axes/cell-names.js';
import { factText } from '../words/fact-words.js';
import { renderSections } from '../words/remarks.js';

/** @import { View } from '../../plugins/types.js' */
/** @import { CellResult, Report } from '../../results/types.js' */

const TITLES = new Map([
  ['open-and-close', 'Opening and Closing connections'],
  ['pool', 'Connection pool'],
  ['shared-connection', 'Reusing connections'],
]);

/** Operations in a fixed time, as the benchmark of ways to use connections printed them, a line a run. */
export default {
  id: 'realtime',
  summary: 'operations of each run and the time it really took, for runs of a fixed time',

  /** @param {Report} report @param {View} view */
  render(report, { width }) {
    const names = namesOf(report.cells);
    return renderSections(report, width, (group) => lines(group, names));
  },
};

/** @param {CellResult[]} cells of all groups, which have no titles here @returns {Map<string, string>} by cell id */
function namesOf(cells) {
  const severalTasks = new Set(cells.map(({ tasks }) => tasks).filter((tasks) => tasks > 1));
  return nameCells(cells, severalTasks.size > 1 ? [] : ['tasks']);
}

/** @param {CellResult[]} group @param {Map<string, string>} names */
function lines(group, names) {
  return group.flatMap((cell) => {
    const scenario = TITLES.get(cell.scenario) ?? cell.scenario;
    const title = `${cell.tasks > 1 ? 'Concurrent ' : ''}${scenario} (${names.get(cell.id)})`;
    if (cell.skipped !== null) return [`${title} skipped: ${factText(cell.skipped)}`];
    if (cell.runs.length === 0) return [`${title} not run`];
    return cell.runs.map(({ failed, operations, elapsedMs }) =>
      failed === null
        ? `${title} ${operations} realtime: ${Math.round(Number(elapsedMs))}`
        : `${title} failed: ${failed}`,
    );
  });
}
