import { nameChoices, nameOriginals } from '../../axes/cell-names.js';
import { cornersAmong, dimensionsOf, placeIn } from '../../axes/dimensions.js';
import { alike } from '../alike.js';
import { about } from './about.js';
import { decidePoint, firstSlices } from './decide-point.js';
import { aheadOf, bestIn, choicesOf, valuesOf } from './map-choices.js';
import { coverOf, membershipIn, regionsOf, sideOf } from './map-regions.js';

/** @import { Dimension } from '../../axes/dimensions.js' */
/** @import { AxisCell } from '../../axes/types.js' */
/** @import { CellResult, Run } from '../../results/types.js' */
/** @import { Finding, MapFinding, MapPoint } from '../types.js' */

/**
 * One for each value of a third condition; none if most cells were skipped.
 * @param {CellResult[]} cells @returns {(Finding & MapFinding)[]}
 */
export function mapFindings(cells) {
  const planned = cells.filter(({ skipped }) => skipped === null);
  const dimensions = dimensionsOf(planned);
  if (dimensions.length < 2) return [];
  // A terminal has more lines than it has room for columns.
  const bySize = dimensions.toSorted((a, b) => b.examples.length - a.examples.length);
  const [rows, columns, third] = bySize;
  if (third === undefined) return [mapOf(planned, rows, columns, null)];
  return third.examples.map((example) => {
    const value = third.axis.of(example);
    const own = planned.filter((cell) => third.axis.of(cell) === value);
    return mapOf(own, rows, columns, { axis: third.axis.id, example: own[0].id });
  });
}

/**
 * @param {CellResult[]} cells @param {Dimension} rows @param {Dimension} columns @param {MapFinding['third']} third
 * @returns {Finding & MapFinding}
 */
function mapOf(cells, rows, columns, third) {
  const points = pointsOf(cells, rows, columns);
  const names = nameChoices(cells);
  const nameOf = (/** @type {string} */ id) => names.get(id) ?? id;
  // Copies of a choice count as one.
  const originals = nameOriginals(cells);
  const originalOf = (/** @type {string} */ id) => originals.get(id) ?? id;
  const grid = { rows: sideOf(rows, cells), columns: sideOf(columns, cells) };
  const choices = choicesOf(cells, points, grid, nameOf);
  const examples = choices.map(({ cell }) => cell);
  return {
    kind: 'map',
    ...about(cells),
    ...grid,
    third,
    points,
    choices,
    advice: coverOf(examples, points, grid, originalOf),
    ahead: aheadOf(choices, points, originalOf),
    values: valuesOf(cells, points, grid),
    indifferent: regionsOf(grid, membershipIn(points, mattersLittle)),
  };
}

/** @param {CellResult[]} cells @param {Dimension} rows @param {Dimension} columns @returns {MapPoint[]} row by row */
function pointsOf(cells, rows, columns) {
  const leftOutAt = leftOutIn(cells);
  const unmeasured = cells.filter(({ runs }) => runs.length === 0).map(({ id }) => id);
  return alike(cells, ({ group }) => group)
    .map((own) => {
      const [{ group }] = own;
      const verdict = decidePoint(own);
      return {
        group,
        row: placeIn(rows, own[0]),
        column: placeIn(columns, own[0]),
        ...verdict,
        leftOut:
          verdict.state === 'not-measured' ? [] : leftOutAt(group).filter((id) => unmeasured.includes(id)),
        next: nextOf(verdict),
        isCold: own.some(({ warm, runs }) => warm === false && runs.length > 0),
      };
    })
    .sort((a, b) => a.row - b.row || a.column - b.column);
}

/** Whether at least half of the choices tie for best; null if unknown. @param {MapPoint} point */
function mattersLittle({ winners, standing, leftOut }) {
  const all = standing.length + leftOut.length;
  const open = standing.filter((each) => each.standing === 'open').length;
  if (winners.length > 1 && winners.length * 2 >= all) return true;
  return all > 0 && (winners.length + open) * 2 < all ? false : null;
}

/** @param {Pick<MapPoint, 'standing'>} verdict @returns {MapPoint['next']} */
function nextOf({ standing }) {
  const behind = standing.find((each) => each.standing === 'behind');
  if (behind === undefined) return null;
  return { cell: behind.cell, timesSlower: bestIn(standing) / behind.opsPerSecond };
}

/** @typedef {AxisCell & {id: string, group: string, runs: Run[], warm?: boolean}} MapCell */

/**
 * By slices of the first start, fastest against slowest. At all corners around a point it cannot be chance, and what
 * wins in between would have to catch up by as much and fall back.
 */
export const LEFT_OUT = 2.5;

/** Choices that are far behind at all corners around a point. @param {MapCell[]} cells @returns {(group: string) => string[]} ids */
export function leftOutIn(cells) {
  const names = nameChoices(cells);
  const points = [...new Map(cells.map((cell) => [cell.group, cell])).values()];
  const cornersAround = cornersAmong(points);
  const ofGroup = (/** @type {string} */ group) => cells.filter((cell) => cell.group === group);
  return (group) => {
    const [point] = ofGroup(group);
    const corners = cornersAround(point).map((corner) => corner.group);
    if (corners.length === 0 || corners.includes(group)) return [];
    const isBehind = behindAtAll(corners.map(ofGroup), names);
    return ofGroup(group).flatMap(({ id }) => (isBehind(names.get(id)) ? [id] : []));
  };
}

/** @param {MapCell[][]} points @param {Map<string, string>} names of cells */
function behindAtAll(points, names) {
  const behind = points.map((cells) => farBehind(cells).map(({ id }) => names.get(id)));
  return (/** @type {string | undefined} */ name) => behind.every((all) => all.includes(name));
}

/** @param {MapCell[]} cells of a point */
function farBehind(cells) {
  const measured = cells.flatMap((cell) => {
    const slices = firstSlices(cell);
    return slices === null ? [] : [{ id: cell.id, ...slices }];
  });
  const sure = Math.max(...measured.map(({ least }) => least));
  return measured.filter(({ most }) => most * LEFT_OUT < sure);
}
