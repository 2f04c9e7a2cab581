import { regionsOf } from './map-regions.js';

/**
 * @import { MapFinding, MapPoint } from '../types.js'
 * @import { Grid, Membership } from './map-regions.js'
 */

/** @typedef {Pick<MapPoint, 'row' | 'column' | 'state' | 'winners'> & Partial<Pick<MapPoint, 'standing'>>} PlacedPoint */

/**
 * @template {PlacedPoint} Point
 * @param {Point[]} points
 * @param {(point: Point) => boolean | null} isIn null where that is not known
 * @returns {Membership}
 */
export function membershipIn(points, isIn) {
  const known = new Map(points.map((point) => [`${point.row} ${point.column}`, isIn(point)]));
  return (row, column) => {
    const found = known.get(`${row} ${column}`);
    // Nothing could be combined there.
    if (found === undefined) return 'either';
    if (found === null) return 'unknown';
    return found ? 'in' : 'out';
  };
}

/**
 * The fewest choices of which one is good, or not known not to be, at each point where one is known to be (greedy).
 *
 * @param {string[]} choices a cell of each
 * @param {PlacedPoint[]} points
 * @param {Grid} grid
 * @param {(id: string) => string} nameOf
 * @returns {MapFinding['advice']}
 */
export function coverOf(choices, points, grid, nameOf) {
  let missing = points.filter(({ winners }) => winners.length > 0);
  /** @type {MapFinding['advice']} */
  const cover = [];
  while (missing.length > 0) {
    const winsAt =
      (/** @type {string} */ cell) =>
      (/** @type {PlacedPoint} */ { winners }) =>
        winners.some((id) => nameOf(id) === nameOf(cell));
    const counts = choices.map((choice) => missing.filter(winsAt(choice)).length);
    const choice = counts.indexOf(Math.max(...counts));
    const wins = winsAt(choices[choice]);
    const mine = missing.filter(wins);
    const membership = membershipIn(
      points,
      (point) => wins(point) || (point.state === 'decided' ? false : null),
    );
    const region = regionsOf(grid, (row, column) =>
      membership(row, column) === 'in' && !mine.some((point) => point.row === row && point.column === column)
        ? 'either'
        : membership(row, column),
    );
    cover.push({ choice, region, points: mine.length });
    const mayWin = (/** @type {PlacedPoint} */ { standing = [] }) =>
      standing.some((each) => each.standing === 'open' && nameOf(each.cell) === nameOf(choices[choice]));
    missing = missing.filter((point) => !mine.includes(point) && !mayWin(point));
  }
  return cover;
}
