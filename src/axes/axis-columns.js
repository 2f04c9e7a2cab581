import { axesOf } from './all-axes.js';

/** @import { AxisCell, AxisValue } from './types.js' */

/**
 * @typedef {object} AxisColumn
 * @property {string} name
 * @property {string} longName with what it belongs to, for tables where the short name is taken
 * @property {(cell: AxisCell) => AxisValue} of
 */

/**
 * The columns of a cell's axes in tables for programs. Two axes may share a column, as the bound of a closed
 * loop and that of an open one do: a cell has the value of the later one.
 *
 * @param {AxisCell[]} cells
 * @returns {AxisColumn[]}
 */
export function axisColumns(cells) {
  /** @type {Map<string, AxisColumn>} */
  const columns = new Map();
  for (const { id, of, partOf, columns: own = { [id]: of } } of axesOf(cells)) {
    for (const [name, value] of Object.entries(own)) {
      const before = columns.get(name);
      columns.set(name, {
        name,
        longName: before?.longName ?? `${partOf ?? id}.${name}`,
        of: (cell) => value(cell) ?? before?.of(cell),
      });
    }
  }
  return [...columns.values()];
}
