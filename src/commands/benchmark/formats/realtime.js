import { nameCells } from '../../../axes/cell-names.js';
import { factText } from '../../../report/fact-words.js';
import { renderSections } from '../report/words/figures-only.js';

/** @import { FormatPlugin } from '../../../plugins/types.js' */
/** @import { CellResult } from '../../../store/types.js' */

const TITLES = new Map([
  ['open-and-close', 'Opening and Closing connections'],
  ['pool', 'Connection pool'],
  ['shared-connection', 'Reusing connections'],
]);

/** What the benchmark of ways to use connections printed. @satisfies {FormatPlugin} */
export default {
  summary: 'operations of each run and the time it really took, for runs of a fixed time',

  render(report, { width }) {
    const counts = new Set(report.cells.map(({ tasks }) => tasks).filter((tasks) => tasks > 1));
    // Groups have no titles here.
    const names = nameCells(report.cells, counts.size > 1 ? [] : ['tasks']);
    return renderSections(report, width, (group) => lines(group, names));
  },
};

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
