import { gridOf, regionsOf } from '../../analysis/findings/map-regions.js';
import { axesOf } from '../../axes/all-axes.js';
import { dimensionsOf, placeIn } from '../../axes/dimensions.js';

/** @import { Gain, MapFinding, MapSide, Region } from '../../analysis/types.js' */
/** @import { Dimension } from '../../axes/dimensions.js' */
/** @import { Axis, AxisCell } from '../../axes/types.js' */
/** @import { CellResult } from '../../results/types.js' */
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
 * @returns {string} its values of the conditions in which these differ: `at 8 tasks and beside BLPOP 1s`
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
  const name = (/** @type {number} */ place) => axis.row(cellOf(examples[place]));
  if (first === last) return valueText(axis, cellOf(examples[first]));
  if (first === 0) return `up to ${name(last)}`;
  return last === end ? `from ${name(first)} on` : `from ${name(first)} to ${name(last)}`;
}

/** With more conditions nobody could say where. */
const MOST_CONDITIONS = 2;

/**
 * Under which conditions gains were shown.
 * @param {Gain[]} gains @param {Context} context
 * @returns {string} `from 8 tasks on`; empty where that is everywhere
 */
export function shownWhere(gains, { cell, measured }) {
  const shown = new Map(gains.map(({ better }) => [cell(better).group, cell(better)]));
  const all = new Map(measured.map((each) => [each.group, each]));
  if (shown.size === all.size) return '';
  const dimensions = dimensionsOf(measured);
  const counted = `under ${shown.size} of ${all.size} conditions`;
  if (dimensions.length === 0 || dimensions.length > MOST_CONDITIONS) return counted;
  const [rows, columns = { ...rows, examples: [measured[0]] }] = dimensions;
  const isSingle = dimensions.length === 1;
  const placeOf = (/** @type {CellResult} */ each) =>
    `${placeIn(rows, each)} ${isSingle ? 0 : placeIn(columns, each)}`;
  const [inside, known] = [shown, all].map((groups) => [...groups.values()].map(placeOf));
  const grid = gridOf(rows, columns);
  const regions = regionsOf(grid, (row, column) => {
    const place = `${row} ${column}`;
    if (inside.includes(place)) return 'in';
    return known.includes(place) ? 'out' : 'either';
  });
  return regionText(regions, { rows: sideOf(rows), columns: sideOf(columns) }, cell) ?? counted;
}

/** @param {Dimension} dimension of cells of a report @returns {MapSide} */
const sideOf = ({ axis, ordered, examples }) => ({
  axis: axis.id,
  ordered,
  examples: examples.map((example) => /** @type {CellResult} */ (example).id),
});
