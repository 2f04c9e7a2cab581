import { dimensionsOf, placeIn } from '../../../axes/dimensions.js';

/** @import { Gain } from '../../judge/types.js' */
/** @import { Dimension } from '../../../axes/dimensions.js' */
/** @import { Axis, AxisCell } from '../../../axes/types.js' */
/** @import { Context } from './findings.js' */

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

/** @param {Gain[]} gains @param {Context} context @returns {string} where they were shown: `from 8 tasks on`; empty for everywhere */
export function shownWhere(gains, { cell, measured }) {
  const shown = [...new Map(gains.map(({ better }) => [cell(better).group, cell(better)])).values()];
  const all = new Set(measured.map(({ group }) => group)).size;
  if (shown.length === all) return '';
  const ranges = dimensionsOf(measured).map((dimension) => rangeOf(dimension, shown));
  const enclosed = ranges.reduce((product, { values }) => product * values, 1);
  return enclosed === shown.length && ranges.every(({ isWhole }) => isWhole)
    ? ranges
        .map(({ text }) => text)
        .filter(Boolean)
        .join(' and ')
    : `under ${shown.length} of ${all} conditions`;
}

/**
 * The values of a condition in some cells.
 * @param {Dimension} dimension @param {AxisCell[]} cells
 * @returns {{values: number, isWhole: boolean, text: string}} `isWhole`: whether words can say which: one, all, or a range of numbers
 */
function rangeOf(dimension, cells) {
  const { axis, ordered, examples } = dimension;
  const places = [...new Set(cells.map((cell) => placeIn(dimension, cell)))].sort((a, b) => a - b);
  const [first, last, end] = [places[0], places[places.length - 1], examples.length - 1];
  const name = (/** @type {number} */ place) => axis.row(examples[place]);
  return {
    values: places.length,
    isWhole:
      places.length === 1 ||
      places.length === examples.length ||
      (ordered && last - first === places.length - 1),
    text: textOf(),
  };

  function textOf() {
    if (first === 0 && last === end) return '';
    if (first === last) return valueText(axis, examples[first]);
    if (first === 0) return `up to ${name(last)}`;
    return last === end ? `from ${name(first)} on` : `from ${name(first)} to ${name(last)}`;
  }
}
