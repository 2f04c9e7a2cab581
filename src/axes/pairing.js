import { axesOf } from './list.js';

/** @import { AxisCell } from './types.js' */

/**
 * What must be equal in two cells so that they differ in nothing but some axes. Repetitions of a cell are
 * the same cell.
 *
 * @param {string[]} differing ids of the axes in which they may differ; what belongs to one of them changes with it
 * @param {AxisCell[]} cells that are looked at
 * @returns {(cell: AxisCell) => string} the same text for cells that differ in those alone
 */
export function sameBut(differing, cells) {
  const axes = axesOf(cells);
  const held = axes.filter(
    ({ id, role, partOf = id }) =>
      role !== 'repetition' && !differing.includes(id) && !differing.includes(partOf),
  );
  return (cell) => JSON.stringify(held.map((axis) => axis.of(cell) ?? null));
}
