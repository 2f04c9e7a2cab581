import { axesOf } from './all-axes.js';

/** @import { AxisCell } from './types.js' */

/**
 * What must be equal in two cells if they are to differ in these axes only. Repetitions of a cell count as
 * the same cell.
 *
 * @param {string[]} differing ids of the axes in which they may differ; axes that belong to one of these may
 *   differ too
 * @param {AxisCell[]} cells that are looked at
 * @returns {(cell: AxisCell) => string} equal texts for cells that differ in those alone
 */
export function sameBut(differing, cells) {
  const axes = axesOf(cells);
  const held = axes.filter(
    ({ id, role, partOf = id }) =>
      role !== 'repetition' && !differing.includes(id) && !differing.includes(partOf),
  );
  return (cell) => JSON.stringify(held.map((axis) => axis.of(cell) ?? null));
}
