import { percent, said, whole } from '../../../../report/figures.js';
import { filledColumns, gridOf } from '../../../../report/grid.js';
import { figureOfCell, metricNamed, metricsIn } from '../../../../store/metrics.js';

/** @import { Bar, ColumnOf, Grid } from '../../../../report/types.js' */
/** @import { CellResult } from '../../../../store/types.js' */
/** @import { HeadedGroup, Row } from './rows.js' */

/** On a first screen without room for all, but for the best of each condition. */
const MOST_ROWS = 4;
/** Without a relay, what is unread is part of there and back. @param {Pick<Row, 'cell'>[]} rows */
export const legendOf = (rows) =>
  rows.some(({ cell }) => cell.summary?.breakdown?.p99.unreadUs != null)
    ? '█ in client · ▓ there and back · ▒ unread · ░ handled, at the p99'
    : '█ in client · ▓ there and back · ░ handled, at the p99';

/** A relay that waits less for CPU is not worth a line. */
const SHORT_OF_CPU = 0.1;

/** What the pass cost, and what its relay lacked. @param {CellResult[]} cells @returns {string[]} */
export function passNotes(cells) {
  const passes = cells.flatMap(({ summary }) => summary?.breakdown ?? []);
  const waited = Math.max(0, ...passes.map(({ relayWaitedShare }) => relayWaitedShare ?? 0));
  const ratios = passes.flatMap(({ cpuRatio }) => cpuRatio ?? []);
  return said([
    ratios.length > 0 &&
      `The pass took ${moreText(Math.min(...ratios), Math.max(...ratios))} CPU per operation.`,
    waited > SHORT_OF_CPU &&
      `Its relay waited for CPU up to ${percent(waited)} of the time, which counts as there and back.`,
  ]);
}

/** @param {number} least @param {number} most both over 1 where it is more @returns {string} */
function moreText(least, most) {
  const [low, high] = [least, most].map((ratio) => Math.round((ratio - 1) * 100));
  if (low === high) return low < 0 ? `${-low} % less` : `${low} % more`;
  if (high <= 0) return `${-high} to ${-low} % less`;
  return low < 0 ? `${-low} % less to ${high} % more` : `${low} to ${high} % more`;
}

/**
 * Of the cells that have one, where the time of their operations goes.
 * @param {HeadedGroup[]} groups
 * @param {string[]} [named] ids of cells of which a line below it speaks: their rows are never left out
 * @returns {Grid | undefined}
 */
export function breakdownGrid(groups, named = []) {
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
  const longest = Math.max(...rows.map((row) => partsOf(row).reduce((sum, part) => sum + part, 0)));
  /** @type {ColumnOf<Row, string | Bar>} */
  const bar = {
    title: '',
    align: 'left',
    legend: legendOf(rows),
    text(row) {
      const parts = partsOf(row);
      const value = parts.reduce((sum, part) => sum + part, 0);
      return { value, low: value, high: value, most: longest, parts };
    },
  };
  const columns = metricsIn('breakdown').map(({ id, tables }) => ({
    title: String(tables?.breakdown),
    text: (/** @type {Row} */ row) =>
      [textOf(row, id), textOf(row, id.replace('p50', 'p99'))].filter(Boolean).join(' · '),
  }));
  const most = Math.max(MOST_ROWS, rows.filter(({ rank }) => rank === 0).length);
  const shown = rows.toSorted((a, b) => a.rank - b.rank).slice(0, most);
  const added = rows.filter((row) => named.includes(row.cell.id) && !shown.includes(row));
  const headOf = (/** @type {typeof rows[number]} */ row) => ({
    name: row.name,
    heading: row.heading,
    rank: added.includes(row) ? 0 : row.rank,
  });
  return { ...gridOf(rows, headOf, [bar, ...filledColumns(rows, columns)]), most: most + added.length };
}
