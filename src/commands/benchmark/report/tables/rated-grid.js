import { duration, whole } from '../../../../report/figures.js';
import { filledColumns, gridOf } from '../../../../report/grid.js';
import { cellText, figureOfCell, isOfEnough, metricNamed, metricsIn } from '../../../../store/metrics.js';
import { headOf } from './rows.js';

/** @import { Grid } from '../../../../report/types.js' */
/** @import { Metric } from '../../../../store/types.js' */
/** @import { Column, HeadedGroup, Row } from './rows.js' */

const MAIN = ['p50Us', 'medianRunP99Us', 'maxUs'];

/**
 * The cells that ran at a given rate: how they kept to it.
 * @param {HeadedGroup[]} groups @param {boolean} [inShort] only the columns that explain themselves @returns {Grid}
 */
export function ratedGrid(groups, inShort = false) {
  const rows = groups.flatMap((group) => group.rows);
  const [achieved, ...others] = metricsIn('open-loop');
  const isSearched = rows.some(({ cell }) => cell.openLoop?.search != null);
  // In a search the rate tells the cells apart.
  const first = [...(isSearched ? [metricNamed('intendedPerSecond')] : []), achieved].map(rateColumn);
  const possible = [
    ...first,
    ...answerColumns(rows[0].cell.openLoop?.sloMs ?? null),
    ...others.filter(({ id }) => !inShort || MAIN.includes(id)).map(rateColumn),
  ];
  const isMeasured = (/** @type {Row} */ { cell }) => Boolean(cell.summary?.openLoop);
  const filled = filledColumns(rows.filter(isMeasured), possible);
  const columns = (filled.length === 0 ? first : filled).map((column, index) => ({
    ...column,
    text: (/** @type {Row} */ row) =>
      isMeasured(row) ? column.text(row) : index === 0 ? String(row.state) : '',
  }));
  const grid = gridOf(rows, headOf, columns);
  return isSearched && inShort ? { ...grid, most: MOST_OF_SEARCH } : grid;
}

const MOST_OF_SEARCH = 8;

export const RATED = [
  'achieved/s: answered operations over the time of sending; client, server: how busy they were',
  'p50, p99, max: from the scheduled start, the p99 of the median run; p99 sent: the same, from sending',
  'late: from the scheduled start to sending',
];

/** @param {Metric} metric @returns {Column} latencies may be microseconds or seconds: no unit fits them all */
const rateColumn = (metric) => ({
  title: metric.tables?.['open-loop'] ?? metric.title,
  text({ cell: { summary } }) {
    if (summary === null) return '';
    const us = metric.unit === 'µs' && isOfEnough(metric, summary) ? figureOfCell(metric, summary) : null;
    return us == null ? cellText(metric, summary) : duration(us);
  },
});

/** Columns that are no metric. A rate is sustained against an SLO. @type {(sloMs: number | null) => Column[]} */
const answerColumns = (sloMs) => [
  {
    title: sloMs === null ? 'kept up' : `sustained (SLO ${duration(sloMs * 1000)})`,
    text: ({ cell: { summary } }) => {
      const { runs = 0, openLoop } = summary ?? {};
      const held = openLoop?.heldRuns ?? 0;
      return held === 0 ? 'no' : held === runs ? 'yes' : `${held} of ${runs}`;
    },
  },
  {
    title: 'EXISTS true/false',
    text: ({ cell: { summary } }) =>
      summary?.answers ? `${whole(summary.answers.true)}/${whole(summary.answers.false)}` : '',
  },
];
