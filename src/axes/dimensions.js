import { conditionAxes } from './all-axes.js';

/** @import { Axis, AxisCell } from './types.js' */

/**
 * @typedef {object} Dimension a condition that has several values
 * @property {Axis} axis
 * @property {boolean} ordered whether its values are numbers
 * @property {AxisCell[]} examples a cell of each value, in order
 */

/**
 * The conditions in which cells differ. One that follows from another, as the key's length from `--size`, is left out.
 * @param {AxisCell[]} cells @returns {Dimension[]} in the order of the axes
 */
export function dimensionsOf(cells) {
  const varying = conditionAxes(cells).filter((axis) => new Set(cells.map((cell) => axis.of(cell))).size > 1);
  // Of two that follow from each other, the one in titles stays.
  const candidates = [...varying].sort((a, b) => Number(Boolean(a.title)) - Number(Boolean(b.title)));
  const kept = new Set(varying);
  for (const axis of candidates) {
    if ([...kept].some((other) => other !== axis && follows(axis, other, cells))) kept.delete(axis);
  }
  return varying.filter((axis) => kept.has(axis)).map((axis) => dimensionOf(axis, cells));
}

/** @param {Axis} axis @param {Axis} other @param {AxisCell[]} cells @returns {boolean} whether it follows from the other */
function follows(axis, other, cells) {
  const known = new Map(cells.map((cell) => [other.of(cell), axis.of(cell)]));
  return cells.every((cell) => known.get(other.of(cell)) === axis.of(cell));
}

/** @param {Axis} axis @param {AxisCell[]} cells @returns {Dimension} */
function dimensionOf(axis, cells) {
  const examples = new Map([...cells].reverse().map((cell) => [axis.of(cell), cell]));
  const values = [...new Set(cells.map((cell) => axis.of(cell)))];
  // No value is the least: no distance, no work.
  const ordered = values.every((value) => value === null || typeof value === 'number');
  const inOrder = ordered ? values.toSorted((a, b) => Number(a ?? -1) - Number(b ?? -1)) : values;
  return { axis, ordered, examples: inOrder.map((value) => /** @type {AxisCell} */ (examples.get(value))) };
}

/** @param {Dimension} dimension @param {AxisCell} cell @returns {number} the index of its value */
export const placeIn = ({ axis, examples }, cell) =>
  examples.findIndex((example) => axis.of(example) === axis.of(cell));
