import { duration } from '../../../core/report/figures.js';
import { filledColumns } from '../../../core/report/grid.js';
import { NO_BREAK_BLANK } from '../../../core/report/wrap.js';
import { metricNamed } from '../../../core/store/metrics.js';
import { metricColumn } from './group-grids.js';
import { headedRows, rowColumn, runsInLine } from './result-rows.js';

/** @import { Metric } from '../../../core/store/types.js' */
/** @import { HeadedGroup } from './result-rows.js' */
/** @import { Bar, ColumnOf, Grid, Row } from '../../../core/report/types.js' */

/** So many stay on a first screen that has no room for all. */
const MOST_ROWS = 4;

/** How fast each cell was. @param {HeadedGroup[]} groups in a closed loop @returns {Grid} */
export function mainGrid(groups) {
  const rows = headedRows(groups);
  const figures = filledColumns(rows, FIGURES);
  const longest = new Map(
    groups.map(({ comparison, rows: own }) => [comparison.group, Math.max(...own.map(mostOf))]),
  );
  return {
    columns: [{ title: '', align: 'left' }, ...figures],
    rows: rows.map((row) => ({
      name: row.name,
      state: row.state,
      heading: row.heading,
      texts: [barOf(row, Number(longest.get(row.cell.group))), ...figures.map(({ text }) => text(row))],
    })),
    most: MOST_ROWS,
  };
}

/** @param {Row} row */
const mostOf = ({ cell: { summary } }) =>
  Math.max(summary?.opsPerSecond ?? 0, summary?.intervals.opsPerSecond?.high ?? 0);

/** @param {Row} row @param {number} most @returns {Bar | string} */
function barOf({ cell: { summary } }, most) {
  if (summary === null || summary.tooShort) return '';
  const { low, high } = summary.intervals.opsPerSecond ?? {};
  return { value: summary.opsPerSecond, low, high, most };
}

/** @type {ColumnOf<Row>[]} */
const FIGURES = [
  rowColumn('ops/s'),
  { ...rowColumn('±'), rank: 1 },
  rowColumn('behind'),
  { ...rowColumn('of raw'), rank: 2 },
  { ...metricColumn(metricNamed('cacheHitRate'), 'cache hits'), rank: 2 },
  { ...metricColumn(metricNamed('replicaReadShare'), 'by replicas'), rank: 2 },
  {
    title: metricNamed('p99Us').title,
    rank: 1,
    text: ({ cell: { summary } }) => (summary?.latency ? duration(summary.latency.p99Us) : ''),
  },
  {
    title: 'runs, ms (spread)',
    align: 'left',
    rank: 1,
    // They stay in one line.
    text: ({ cell }) => (cell.skipped === null ? runsInLine(cell.runs).replaceAll(' ', NO_BREAK_BLANK) : ''),
  },
];
