import { whole } from '../../../../report/figures.js';
import { filledColumns, gridOf } from '../../../../report/grid.js';
import { figureOfCell, metricNamed, metricsIn } from '../../../../store/metrics.js';

/** @import { Bar, ColumnOf, Grid } from '../../../../report/types.js' */
/** @import { HeadedGroup, Row } from './grids.js' */

/** On a first screen without room for all, but for the best of each condition. */
const MOST_ROWS = 4;
/** Without a relay, what is unread is part of there and back. @param {Pick<Row, 'cell'>[]} rows */
export const legendOf = (rows) =>
  rows.some(({ cell }) => cell.summary?.breakdown?.p99.unreadUs != null)
    ? '█ in client · ▓ there and back · ▒ unread · ░ handled, at the p99'
    : '█ in client · ▓ there and back · ░ handled, at the p99';

/**
 * Of the cells that have one, where the time of their operations goes.
 * @param {HeadedGroup[]} groups
 * @returns {Grid | undefined}
 */
export function breakdownGrid(groups) {
  const rows = groups.flatMap((group) =>
    group.rows
      .filter(({ cell }) => cell.summary?.breakdown)
      .map((row, index) => ({ ...row, heading: index === 0 ? group.heading : '', rank: index })),
  );
  if (rows.length === 0) return undefined;
  const p99 = metricsIn('breakdown').map(({ id }) => metricNamed(id.replace('p50', 'p99')));
  /** @param {Row} row @param {string} id @returns {string} empty where it is part of another */
  const textOf = ({ cell: { summary } }, id) => {
    const us = summary && figureOfCell(metricNamed(id), summary);
    return us == null ? '' : whole(us);
  };
  /** @param {Row} row */
  const partsOf = ({ cell: { summary } }) =>
    p99.slice(0, -1).map((metric) => Number((summary && figureOfCell(metric, summary)) ?? 0));
  const most = Math.max(...rows.map((row) => partsOf(row).reduce((sum, part) => sum + part, 0)));
  /** @type {ColumnOf<Row, string | Bar>} */
  const bar = {
    title: '',
    align: 'left',
    legend: legendOf(rows),
    text(row) {
      const parts = partsOf(row);
      const value = parts.reduce((sum, part) => sum + part, 0);
      return { value, low: value, high: value, most, parts };
    },
  };
  const columns = metricsIn('breakdown').map(({ id, tables }) => ({
    title: String(tables?.breakdown),
    text: (/** @type {Row} */ row) =>
      [textOf(row, id), textOf(row, id.replace('p50', 'p99'))].filter(Boolean).join(' · '),
  }));
  const grid = gridOf(rows, ({ name, heading, rank }) => ({ name, heading, rank }), [
    bar,
    ...filledColumns(rows, columns),
  ]);
  return { ...grid, most: Math.max(MOST_ROWS, rows.filter(({ rank }) => rank === 0).length) };
}
