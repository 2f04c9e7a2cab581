import { FIRST_NINES, latencyCurve } from '../../analysis/statistics/latency.js';
import { ninesText, ninesTicks } from './nines.js';
import { drawPlane, planeColumns } from './plane.js';

/**
 * @import { Pen } from './plot.js'
 * @import { LetteredRow } from './run-strips.js'
 */

/** Columns that a tick's text takes. */
const TICK = 8;

/**
 * Latency by percentile, each further nine taking the same room; a line for each cell, drawn with its
 * letter.
 *
 * @param {LetteredRow[]} rows the fastest first
 * @param {Pen} pen
 * @returns {string[]} lines; none where no latency was recorded
 */
export function percentilePlot(rows, { width, unicode }) {
  const curves = rows.flatMap(({ cell, letter, paint }) => {
    const points = cell.summary?.latency ? latencyCurve(cell.summary.latency.hdr) : [];
    return points.length > 1 ? [{ mark: paint(letter), points }] : [];
  });
  if (curves.length === 0) return [];
  const columns = planeColumns(width);
  const last = Math.max(...curves.map(({ points }) => Number(points.at(-1)?.nines)));
  const ninesAt = (/** @type {number} */ column) =>
    FIRST_NINES + (column / (columns - 1)) * (last - FIRST_NINES);
  const columnOf = (/** @type {number} */ nines) =>
    Math.round(((nines - FIRST_NINES) / (last - FIRST_NINES)) * (columns - 1));
  return drawPlane(
    curves.map(({ mark, points }) => ({ mark, points: inEachColumn(points, columns, ninesAt) })),
    {
      columns,
      unicode,
      ticks: ninesTicks(last, columns / TICK).map((nines) => [columnOf(nines), ninesText(nines)]),
    },
  );
}

/**
 * @param {{nines: number, us: number}[]} points
 * @param {number} columns
 * @param {(column: number) => number} ninesAt
 * @returns {[column: number, us: number][]}
 */
const inEachColumn = (points, columns, ninesAt) =>
  Array.from({ length: columns }, (_, column) => column).flatMap((column) => {
    const point = points.find(({ nines }) => nines >= ninesAt(column) - 1e-9);
    return point ? [/** @type {[number, number]} */ ([column, point.us])] : [];
  });
