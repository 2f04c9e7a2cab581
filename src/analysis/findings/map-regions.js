import { dimensionsOf, placeIn } from '../../axes/dimensions.js';

/** @import { Dimension } from '../../axes/dimensions.js' */
/** @import { AxisCell } from '../../axes/types.js' */
/** @import { MapFinding, MapPoint, MapSide, Region } from '../types.js' */

/**
 * @typedef {Record<'rows' | 'columns', {ordered: boolean, examples: ArrayLike<unknown>}>} Grid of rows that are not
 *   ordered, regions have one or all
 *
 * @typedef {boolean | null | undefined} IsIn undefined: whichever is simpler; null: only if surrounded by what is in
 *
 * @typedef {(row: number, column: number) => IsIn} Membership
 */

/** @param {Dimension} dimension @param {(AxisCell & {id: string})[]} cells @returns {MapSide} */
export const sideOf = ({ axis, ordered, examples }, cells) => ({
  axis: axis.id,
  ordered,
  examples: examples.map((example) => cells.find((cell) => axis.of(cell) === axis.of(example))?.id ?? ''),
});

/** One or two conditions as a map. @param {(AxisCell & {id: string})[]} cells */
export function planeOf(cells) {
  const [rows, second, ...more] = dimensionsOf(cells);
  // Three conditions fit no plane.
  if (rows === undefined || more.length > 0) return null;
  const columns = second ?? { ...rows, examples: cells.slice(0, 1) };
  return {
    sides: { rows: sideOf(rows, cells), columns: sideOf(columns, cells) },
    placeOf: (/** @type {AxisCell} */ cell) => ({
      row: placeIn(rows, cell),
      column: second === undefined ? 0 : placeIn(columns, cell),
    }),
  };
}

/**
 * The points that are in, as few rectangles without others: words for a boundary such as "from 16 tasks on, or below 2
 * ms". Greedy: most points first, then fewest unknown ones, then the largest.
 * @param {Grid} grid @param {Membership} membership @returns {Region[]}
 */
export function regionsOf(grid, membership) {
  const [rowRanges, columnRanges] = [grid.rows, grid.columns].map(rangesOf);
  const possible = rowRanges
    .flatMap((rows) => columnRanges.map((columns) => /** @type {Region} */ ({ rows, columns })))
    .map((region) => ({ region, points: pointsIn(region) }))
    .filter(({ points }) => points.every(([row, column]) => membership(row, column) !== false));
  const missing = new Set(
    pointsIn({ rows: [0, grid.rows.examples.length - 1], columns: [0, grid.columns.examples.length - 1] })
      .filter(([row, column]) => membership(row, column) === true)
      .map(String),
  );
  /** @type {Region[]} */
  const found = [];
  while (missing.size > 0) {
    const gain = (/** @type {typeof possible[number]} */ { points }) =>
      points.filter((point) => missing.has(String(point))).length;
    const unknown = (/** @type {typeof possible[number]} */ { points }) =>
      points.filter(([row, column]) => membership(row, column) === null).length;
    const [best] = possible.toSorted(
      (a, b) => gain(b) - gain(a) || unknown(a) - unknown(b) || b.points.length - a.points.length,
    );
    for (const point of best.points) missing.delete(String(point));
    found.push(best.region);
  }
  return found;
}

/** @param {Grid['rows']} side @returns {[number, number][]} */
function rangesOf({ ordered, examples: { length: count } }) {
  const places = numbers([0, count - 1]);
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

/** @typedef {Pick<MapPoint, 'row' | 'column' | 'state' | 'winners'> & Partial<Pick<MapPoint, 'standing'>>} PlacedPoint */

/**
 * Where nothing could be combined, either will do.
 * @template {Pick<MapPoint, 'row' | 'column'>} Point @param {Point[]} points @param {(point: Point) => IsIn} isIn @returns {Membership}
 */
export function membershipIn(points, isIn) {
  const known = new Map(points.map((point) => [`${point.row} ${point.column}`, isIn(point)]));
  return (row, column) => known.get(`${row} ${column}`);
}

/**
 * The fewest choices that cover all decided points (greedy).
 * @param {string[]} choices a cell of each @param {PlacedPoint[]} points @param {Grid} grid
 * @param {(id: string) => string} nameOf @returns {MapFinding['advice']}
 */
export function coverOf(choices, points, grid, nameOf) {
  const names = choices.map(nameOf);
  const hasWon = (/** @type {string} */ name, /** @type {PlacedPoint} */ { winners }) =>
    winners.some((id) => nameOf(id) === name);
  let missing = points.filter(({ winners }) => winners.length > 0);
  /** @type {MapFinding['advice']} */
  const cover = [];
  while (missing.length > 0) {
    const counts = names.map((name) => missing.filter((point) => hasWon(name, point)).length);
    const choice = counts.indexOf(Math.max(...counts));
    const wins = (/** @type {PlacedPoint} */ point) => hasWon(names[choice], point);
    const mine = missing.filter(wins);
    const isMine = (/** @type {PlacedPoint} */ point) => {
      if (wins(point)) return mine.includes(point) || undefined;
      return point.state === 'decided' ? false : null;
    };
    const region = regionsOf(grid, membershipIn(points, isMine));
    cover.push({ choice, region, points: mine.length });
    const mayWin = (/** @type {PlacedPoint} */ { standing = [] }) =>
      standing.some((each) => each.standing === 'open' && nameOf(each.cell) === names[choice]);
    missing = missing.filter((point) => !mine.includes(point) && !mayWin(point));
  }
  return cover;
}
