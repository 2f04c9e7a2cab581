import { membershipIn, planeOf, regionsOf } from '../../analysis/findings/map-regions.js';
import { axisNamed } from '../../axes/all-axes.js';
import { dimensionsOf } from '../../axes/dimensions.js';

/** @import { Gain, MapFinding, MapSide, Region } from '../../analysis/types.js' */
/** @import { Axis, AxisCell } from '../../axes/types.js' */
/** @import { Context } from './findings.js' */

/** @typedef {(id: string) => AxisCell} CellOf */

const MOST_PARTS = 3;

/**
 * Where something holds: `from 16 tasks on, or at 1 task with no added distance`, `everywhere`; null where it takes too many words.
 * @param {Region[]} regions @param {Pick<MapFinding, 'rows' | 'columns'>} map @param {CellOf} cellOf
 */
export function regionText(regions, { rows, columns }, cellOf) {
  if (regions.length === 0 || regions.length > MOST_PARTS) return null;
  return regions
    .map((region, index) => {
      const texts = [rangeText(region.rows, rows, cellOf), rangeText(region.columns, columns, cellOf)];
      const text = texts.filter(Boolean).join(' and ') || 'everywhere';
      return index > 0 && index === regions.length - 1 ? `or ${text}` : text;
    })
    .join(', ');
}

/** Where these cells differ: `at 8 tasks and with background BLPOP 1s`. @param {AxisCell} cell @param {AxisCell[]} cells */
export const conditionsText = (cell, cells) =>
  dimensionsOf(cells)
    .map(({ axis }) => valueText(axis, cell))
    .filter(Boolean)
    .join(' and ');

/** @param {Axis} axis @param {AxisCell} cell */
function valueText(axis, cell) {
  const name = axis.row(cell);
  if (axis.place) return axis.place(cell);
  // What has no place on a scale, such as no distance.
  return name === '' ? '' : `${typeof axis.of(cell) === 'number' ? 'at' : 'with'} ${name}`;
}

/**
 * `at 2 ms round trip`, `from 8 tasks on`; empty for all values.
 * @param {[number, number]} range @param {MapSide} side @param {CellOf} cellOf
 */
export function rangeText([first, last], { axis: id, examples }, cellOf) {
  const end = examples.length - 1;
  if (first === 0 && last === end) return '';
  const axis = axisNamed(id, [cellOf(examples[0])]);
  const name = (/** @type {number} */ index) => axis.row(cellOf(examples[index]));
  if (first === last) return valueText(axis, cellOf(examples[first]));
  if (first === 0) return `up to ${name(last)}`;
  return last === end ? `from ${name(first)} on` : `from ${name(first)} to ${name(last)}`;
}

/** @param {Gain[]} gains @param {Context} context @returns {string} where they were shown: `from 8 tasks on`; empty for everywhere */
export function shownWhere(gains, { cell, measured }) {
  const shown = new Map(gains.map(({ better }) => [cell(better).group, cell(better)]));
  const all = new Map(measured.map((each) => [each.group, each]));
  if (shown.size === all.size) return '';
  const counted = `under ${shown.size} of ${all.size} conditions`;
  const plane = planeOf(measured);
  if (plane === null) return counted;
  const points = [...all]
    .map(([group, each]) => ({ ...plane.placeOf(each), isIn: shown.has(group) }))
    // Of groups at one place, one is enough.
    .sort((a, b) => Number(a.isIn) - Number(b.isIn));
  const membership = membershipIn(points, ({ isIn }) => isIn);
  return regionText(regionsOf(plane.sides, membership), plane.sides, cell) ?? counted;
}
