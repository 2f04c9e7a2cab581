import { dot, ruleX, ruleY } from '@observablehq/plot';
import { logDomain } from '../../charts/scales.js';
import { whole } from '../../words/figures.js';
import { rowChart } from './row-layout.js';

/** @import { Row } from '../../tables/types.js' */
/** @import { Markup } from './markup.js' */

/** Pixels from the first run of a cell down to the last. */
const DEPTH = 18;
/** With this many runs of a cell points are smaller; with five times as many smaller still, and without titles. */
const MANY = 20;

/**
 * Every run of every cell as a point, the first above and the last below, with the cell's median and its interval.
 * @param {Row[]} results of one group @returns {Markup | null} null where no run succeeded
 */
export function runsChart(results) {
  const rows = results.filter(({ cell }) => cell.runs.length > 0).map(rowOf);
  const figures = rows.flatMap(({ runs, interval }) => [
    ...runs.map(({ opsPerSecond }) => opsPerSecond),
    ...(interval ? [interval.low, interval.high] : []),
  ]);
  if (figures.length === 0) return null;
  const label = 'Operations per second of every run, a row for each cell';
  return rowChart(label, rows, { depth: DEPTH, domain: logDomain(figures), tickText: whole, marksOf });
}

/** @param {Row} row */
function rowOf({ name, cell, columns, state }) {
  const runs = cell.runs.flatMap(({ failed, opsPerSecond, round }) =>
    failed === null && opsPerSecond ? [{ opsPerSecond, round }] : [],
  );
  const strong = state === 'fastest' || state === 'close';
  return {
    name,
    runs,
    strong,
    median: cell.summary?.opsPerSecond ?? null,
    interval: cell.summary?.intervals.opsPerSecond ?? null,
    color: strong ? 'var(--accent)' : 'var(--mark)',
    notes: [columns['ops/s'], columns.slower],
  };
}

/** @param {(ReturnType<typeof rowOf> & {y: number})[]} placed */
function marksOf(placed) {
  const most = Math.max(...placed.map(({ runs }) => runs.length));
  const spans = placed.flatMap(({ interval, y, color }) => (interval ? [{ ...interval, y, color }] : []));
  const medians = placed.flatMap(({ median, y }) =>
    median === null ? [] : [{ median, top: y - DEPTH / 2 - 4, bottom: y + DEPTH / 2 + 4 }],
  );
  return [
    ruleY(spans, {
      x1: 'low',
      x2: 'high',
      y: 'y',
      stroke: 'color',
      strokeOpacity: 0.25,
      strokeWidth: DEPTH + 8,
    }),
    ruleX(medians, { x: 'median', y1: 'top', y2: 'bottom', stroke: 'var(--ink)', strokeWidth: 2 }),
    dot(placed.flatMap(pointsOf), {
      x: 'opsPerSecond',
      y: 'y',
      fill: 'color',
      ...(most > MANY
        ? { r: most > MANY * 5 ? 1.2 : 2 }
        : { r: 3.2, stroke: 'var(--page)', strokeWidth: 0.8 }),
      ...(most > MANY * 5 ? {} : { title: 'title' }),
    }),
  ];
}

/** @param {ReturnType<typeof rowOf> & {y: number}} row @returns {{}[]} its runs, in order from above to below */
const pointsOf = ({ runs, y, color, name }) =>
  runs.map(({ opsPerSecond, round }, index) => ({
    opsPerSecond,
    color,
    y: y + (runs.length === 1 ? 0 : (index / (runs.length - 1) - 0.5) * DEPTH),
    title: `${name}, run ${round}: ${whole(opsPerSecond)} operations per second`,
  }));
