import { dimensionsOf } from './dimensions.js';

/**
 * @import { Dimension } from './dimensions.js'
 * @import { AxisCell, AxisValue } from './types.js'
 */

/**
 * @template {AxisCell} Any
 * @param {Any[]} points a cell of each point of a map
 * @returns {(cell: AxisCell) => Any[]} the corners that enclose its point; a corner itself has only itself
 */
export function cornersAmong(points) {
  const dimensions = dimensionsOf(points);
  return (cell) =>
    points.filter((point) =>
      dimensions.every((dimension) => endsAround(dimension, cell).includes(dimension.axis.of(point))),
    );
}

/** @param {Dimension} dimension @param {AxisCell} cell @returns {AxisValue[]} */
function endsAround({ axis, ordered, examples }, cell) {
  const own = axis.of(cell);
  const ends = [examples[0], examples[examples.length - 1]].map((each) => axis.of(each));
  // Between values that are no numbers there is nothing.
  return ordered && !ends.includes(own) ? ends : [own];
}
