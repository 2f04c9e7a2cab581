import { nameSubjects } from '../../axes/cell-names.js';
import { cellText, figureOfCell, metricNamed, metricsIn } from '../../metrics/metric-values.js';
import { duration, whole } from '../words/figures.js';

/**
 * @import { Comparison, OpenLoopSummary, Summary } from '../../analysis/types.js'
 * @import { Metric } from '../../metrics/types.js'
 * @import { CellResult } from '../../results/types.js'
 */

/**
 * What shows whether a rate was held: medians over the runs, latencies from the scheduled start.
 *
 * @typedef {[title: string, text: (summary: Summary, openLoop: OpenLoopSummary) => string]} Column
 */

/** @param {Metric} metric @returns {Column} latencies may be microseconds or seconds: no unit fits them all */
const columnOf = (metric) => [
  metric.tables?.['open-loop'] ?? metric.title,
  (summary) => {
    const us = metric.unit === 'µs' ? figureOfCell(metric, summary) : null;
    return us == null ? cellText(metric, summary) : duration(us);
  },
];

/** What is no metric, behind the rate that was achieved. @type {Column[]} */
const ANSWERS = [
  ['held', heldText],
  ['EXISTS true/false', ({ answers }) => (answers ? `${whole(answers.true)}/${whole(answers.false)}` : '')],
];

/** @param {boolean} searched in a search the rate tells the cells apart @returns {Column[]} */
function columnsOf(searched) {
  const [achieved, ...others] = metricsIn('open-loop').map(columnOf);
  const rate = searched ? [columnOf(metricNamed('intendedPerSecond'))] : [];
  return [...rate, achieved, ...ANSWERS, ...others];
}

export const OPEN_LOOP_NOTE =
  'achieved/s: answered operations over the time of sending; p50, p99, max: counted from the planned start, p99 that of the median run; p99 sent: the same, from sending; late: from the planned start to sending; client, server: busy';

/**
 * @param {CellResult[]} cells of one group
 * @param {Comparison} comparison
 * @returns {{titles: string[], rows: {cell: CellResult, name: string, texts: string[]}[]}}
 */
export function openLoopRows(cells, { ranking }) {
  const names = nameSubjects(cells);
  const columns = columnsOf(cells.some(({ openLoop }) => openLoop?.search != null));
  const ranked = ranking.flatMap((place) => cells.filter(({ id }) => id === place.cell));
  const ordered = [...ranked, ...cells.filter((cell) => !ranked.includes(cell))];
  const texts = ordered.map((cell) =>
    columns.map(([, text], column) => {
      if (cell.summary?.openLoop) return text(cell.summary, cell.summary.openLoop);
      return column === 0 ? stateOf(cell) : '';
    }),
  );
  // Columns that no cell has are left out, such as the answers of EXISTS.
  const said = columns.map((_, column) => texts.some((row) => row[column] !== ''));
  return {
    titles: columns.map(([title]) => title).filter((_, column) => said[column]),
    rows: ordered.map((cell, row) => ({
      cell,
      name: names.get(cell.id) ?? cell.id,
      texts: texts[row].filter((_, column) => said[column]),
    })),
  };
}

/** @param {Summary} summary @param {OpenLoopSummary} openLoop */
function heldText({ runs }, { heldRuns }) {
  if (heldRuns === runs || heldRuns === 0) return heldRuns > 0 ? 'yes' : 'no';
  return `${heldRuns} of ${runs}`;
}

/** @param {CellResult} cell */
const stateOf = ({ skipped, runs }) =>
  skipped !== null ? 'skipped' : runs.length > 0 ? 'failed' : 'not run';
