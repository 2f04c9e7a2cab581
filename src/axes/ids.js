import { axesOf, conditionAxes } from './all-axes.js';

/** @import { Axis, AxisCell, AxisValue } from './types.js' */
/** @import { Cell } from '../core/plan/types.js' */

/** The same in every benchmark. @param {AxisCell} cell */
export const idOf = (cell) => joinParts(axesOf([cell]), cell);

/** The conditions of a cell. @param {AxisCell} cell @param {string[]} [except] ids */
export const groupOf = (cell, except = []) => joinParts(conditionAxes([cell], except), cell);

/** @param {Axis[]} axes @param {AxisCell} cell */
const joinParts = (axes, cell) =>
  axes.reduce((text, { idPart, idGlue = '/' }) => {
    const part = idPart(cell);
    if (part === '') return text;
    return text === '' ? part : `${text}${idGlue}${part}`;
  }, '');

/**
 * Which cells differ in these axes alone. Repetitions count as the same cell.
 * @param {string[]} differing ids of axes, including those that belong to them @param {AxisCell[]} cells
 * @returns {(cell: AxisCell) => string} equal texts for such cells
 */
export function sameBut(differing, cells) {
  const axes = axesOf(cells);
  const compared = axes.filter(
    ({ id, role, partOf = id }) =>
      role !== 'repetition' && !differing.includes(id) && !differing.includes(partOf),
  );
  return (cell) => JSON.stringify(compared.map((axis) => axis.of(cell) ?? null));
}

/**
 * @typedef {object} AxisColumn
 * @property {string} name
 * @property {string} longName where the name is taken
 * @property {(cell: AxisCell) => AxisValue} of
 */

/** The value of the later axis counts where two share a column. @param {AxisCell[]} cells @returns {AxisColumn[]} */
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
