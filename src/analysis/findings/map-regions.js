/**
 * @import { Dimension } from '../../axes/dimensions.js'
 * @import { Region } from '../types.js'
 */

/**
 * @typedef {object} Grid
 * @property {number} rows
 * @property {number} columns
 * @property {boolean} rowsOrdered where not, several rows are told only if they are all of them
 * @property {boolean} columnsOrdered
 *
 * @typedef {(row: number, column: number) => 'in' | 'out' | 'either' | 'unknown'} Membership `either`: in or out,
 *   whichever is told more easily; `unknown`: in only where what is known lies around it
 */

/** @param {Dimension} rows @param {Dimension} columns @returns {Grid} */
export const gridOf = (rows, columns) => ({
  rows: rows.examples.length,
  columns: columns.examples.length,
  rowsOrdered: rows.ordered,
  columnsOrdered: columns.ordered,
});

/**
 * Some points of a map as few rectangles that hold all of them and no others: a boundary that can be said in
 * words, "from 16 tasks on, or below 2 ms", is one or two of them. Those that hold most are taken first; of those
 * that hold as many the one with the fewest unknown points, and then the largest.
 *
 * @param {Grid} grid
 * @param {Membership} membership
 * @returns {Region[]} empty where no point is in
 */
export function regionsOf(grid, membership) {
  const rowRanges = rangesOf(grid.rows, grid.rowsOrdered);
  const columnRanges = rangesOf(grid.columns, grid.columnsOrdered);
  const possible = rowRanges
    .flatMap((rows) => columnRanges.map((columns) => /** @type {Region} */ ({ rows, columns })))
    .map((region) => ({ region, points: pointsIn(region) }))
    .filter(({ points }) => points.every(([row, column]) => membership(row, column) !== 'out'));
  const missing = new Set(
    pointsIn({ rows: [0, grid.rows - 1], columns: [0, grid.columns - 1] })
      .filter(([row, column]) => membership(row, column) === 'in')
      .map(String),
  );
  /** @type {Region[]} */
  const found = [];
  while (missing.size > 0) {
    const gain = (/** @type {typeof possible[number]} */ { points }) =>
      points.filter((point) => missing.has(String(point))).length;
    const unknown = (/** @type {typeof possible[number]} */ { points }) =>
      points.filter(([row, column]) => membership(row, column) === 'unknown').length;
    const [best] = possible.toSorted(
      (a, b) => gain(b) - gain(a) || unknown(a) - unknown(b) || b.points.length - a.points.length,
    );
    for (const point of best.points) missing.delete(String(point));
    found.push(best.region);
  }
  return found;
}

/** @param {number} count @param {boolean} ordered @returns {[number, number][]} */
function rangesOf(count, ordered) {
  const places = Array.from({ length: count }, (_, place) => place);
  return places.flatMap((first) =>
    places
      .slice(first)
      .filter((last) => ordered || first === last || (first === 0 && last === count - 1))
      .map((last) => /** @type {[number, number]} */ ([first, last])),
  );
}

/** @param {Region} region @returns {[row: number, column: number][]} */
const pointsIn = ({ rows, columns }) =>
  numbers(rows).flatMap((row) =>
    numbers(columns).map((column) => /** @type {[number, number]} */ ([row, column])),
  );

/** @param {[number, number]} range */
const numbers = ([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
