import { membershipIn, planeOf, regionsOf } from '../../analysis/findings/map-regions.js';
import { axesOf } from '../../axes/all-axes.js';
import { dimensionsOf } from '../../axes/dimensions.js';

/** @import { Gain, MapFinding, MapSide, Region } from '../../analysis/types.js' */
/** @import { Axis, AxisCell } from '../../axes/types.js' */
/** @import { Context } from './findings.js' */

/** @typedef {(id: string) => AxisCell} CellOf */

/** More parts than these are no boundary that anyone remembers. */
const MOST_PARTS = 3;

/**
 * Where something holds, in words.
 * @param {Region[]} regions @param {Pick<MapFinding, 'rows' | 'columns'>} map @param {CellOf} cellOf
 * @returns {string | null} `from 16 tasks on, or at 1 task with no added distance`; `everywhere`; null where it
 *   takes too many words
 */
export function regionText(regions, { rows, columns }, cellOf) {
  if (regions.length === 0 || regions.length > MOST_PARTS) return null;
  const parts = regions.map((region) => {
    const texts = [rangeText(region.rows, rows, cellOf), rangeText(region.columns, columns, cellOf)];
    return texts.filter((text) => text !== '').join(' and ') || 'everywhere';
  });
  return parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')}, or ${parts[parts.length - 1]}`;
}

/**
 * @param {number} place @param {MapSide} side @param {CellOf} cellOf
 * @returns {string} `at 2 ms round trip`, `with no added distance`
 */
export const placeText = (place, side, cellOf) => rangeText([place, place], side, cellOf);

/**
 * @param {AxisCell} cell @param {AxisCell[]} cells
 * @returns {string} its values of the conditions in which these differ: `at 8 tasks and with background BLPOP 1s`
 */
export const conditionsText = (cell, cells) =>
  dimensionsOf(cells)
    .map(({ axis }) => valueText(axis, cell))
    .filter((text) => text !== '')
    .join(' and ');

/** @param {Axis} axis @param {AxisCell} cell */
function valueText(axis, cell) {
  const name = axis.row(cell);
  if (axis.place) return axis.place(cell);
  // What has no place on a scale, such as no distance.
  return name === '' ? '' : `${typeof axis.of(cell) === 'number' ? 'at' : 'with'} ${name}`;
}

/**
 * @param {[number, number]} range @param {MapSide} side @param {CellOf} cellOf
 * @returns {string} empty for all of its values
 */
function rangeText([first, last], { axis: id, examples }, cellOf) {
  const end = examples.length - 1;
  if (first === 0 && last === end) return '';
  const axis = /** @type {Axis} */ (axesOf([cellOf(examples[0])]).find((each) => each.id === id));
  const name = (/** @type {number} */ index) => axis.row(cellOf(examples[index]));
  if (first === last) return valueText(axis, cellOf(examples[first]));
  if (first === 0) return `up to ${name(last)}`;
  return last === end ? `from ${name(first)} on` : `from ${name(first)} to ${name(last)}`;
}

/**
 * Under which conditions gains were shown.
 * @param {Gain[]} gains @param {Context} context @returns {string} `from 8 tasks on`; empty where that is everywhere
 */
export function shownWhere(gains, { cell, measured }) {
  const shown = new Map(gains.map(({ better }) => [cell(better).group, cell(better)]));
  const all = new Map(measured.map((each) => [each.group, each]));
  if (shown.size === all.size) return '';
  const plane = planeOf(measured);
  const counted = `under ${shown.size} of ${all.size} conditions`;
  if (plane === null) return counted;
  const points = [...all]
    .map(([group, each]) => ({ ...plane.placeOf(each), isIn: shown.has(group) }))
    // Of groups at one place, one is enough.
    .sort((a, b) => Number(a.isIn) - Number(b.isIn));
  const membership = membershipIn(points, ({ isIn }) => isIn);
  return regionText(regionsOf(plane.grid, membership), plane.sides, cell) ?? counted;
}
