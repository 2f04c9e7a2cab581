import { perSecond, whole } from '../../words/figures.js';
import { rowChart } from './row-chart.js';

/** @import { Row } from '../../tables/types.js' */

/** Pixels from the first run of a cell down to the last. */
const RUNS_DEPTH = 18;
/** With more runs of a cell than this points are smaller; with five times as many smaller still, and without titles. */
const MANY = 20;

/** Every run, the first above and the last below, with the cell's median and its interval. @param {Row[]} results of one group */
export function runsChart(results) {
  const rows = results.filter(({ cell }) => cell.runs.length > 0).map(runsOf);
  const most = Math.max(...rows.map(({ points }) => points.length));
  const small = { r: most > MANY * 5 ? 1.2 : 2, ...(most > MANY * 5 && { title: null }) };
  return rowChart('Operations per second of every run, a row for each cell', rows, {
    depth: RUNS_DEPTH,
    dots: most > MANY ? small : { r: 3.2, stroke: 'var(--page)', strokeWidth: 0.8 },
    tickText: whole,
  });
}

/** @param {Row} row */
function runsOf(row) {
  const { name, cell, columns, state } = row;
  const strong = state === 'fastest' || state === 'close';
  const color = strong ? 'var(--accent)' : 'var(--mark)';
  const { summary } = cell;
  const interval = summary?.intervals.opsPerSecond;
  return {
    name,
    strong,
    notes: [columns['ops/s'], columns.slower],
    band: interval ? { ...interval, color } : undefined,
    line: summary ? { value: summary.opsPerSecond } : undefined,
    points: cell.runs.flatMap(({ failed, opsPerSecond, round }) => {
      const title = `${name}, run ${round}: ${perSecond(opsPerSecond)} operations per second`;
      return failed === null && opsPerSecond ? [{ value: opsPerSecond, fill: color, title }] : [];
    }),
  };
}
