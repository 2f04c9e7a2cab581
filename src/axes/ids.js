import { axesOf, conditionAxes } from './all-axes.js';

/** @import { Axis, AxisCell, AxisValue } from './types.js' */
/** @import { Cell } from '../plan/types.js' */

/** Identifies a cell, the same way in every benchmark that has it. @param {AxisCell} cell */
export const idOf = (cell) => joinParts(axesOf([cell]), cell);

/**
 * What is the same for all cells that are compared with each other: their conditions.
 * @param {AxisCell} cell @param {string[]} [except] ids of conditions to leave out
 */
export const groupOf = (cell, except = []) => joinParts(conditionAxes([cell], except), cell);

/** @param {Axis[]} axes @param {AxisCell} cell */
const joinParts = (axes, cell) =>
  axes.reduce((text, { idPart, idGlue = '/' }) => {
    const part = idPart(cell);
    if (part === '') return text;
    return text === '' ? part : `${text}${idGlue}${part}`;
  }, '');

/**
 * Cells for which this is the same are measured in the same rounds: those of a group, and of groups that are compared
 * against each other.
 * @param {AxisCell} cell
 */
export const roundsOf = (cell) =>
  JSON.stringify(
    conditionAxes([cell])
      .filter(({ sharesRounds = false }) => !sharesRounds)
      .map(({ id, of }) => [id, of(cell) ?? null]),
  );

/**
 * What must be equal in two cells if they are to differ in these axes only. Repetitions of a cell count as
 * the same cell.
 * @param {string[]} differing ids of the axes in which they may differ; axes that belong to one of these may
 *   differ too
 * @param {AxisCell[]} cells that are looked at
 * @returns {(cell: AxisCell) => string} equal texts for cells that differ in those alone
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
 * @property {string} longName with what it belongs to, for tables where the short name is taken
 * @property {(cell: AxisCell) => AxisValue} of
 */

/**
 * The columns of a cell's axes in tables for programs. Two axes may share a column, as the bound of a closed
 * loop and that of an open one do: a cell has the value of the later one.
 * @param {AxisCell[]} cells @returns {AxisColumn[]}
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

/**
 * What the worker process of a cell is bound to: another cell can have it after this one if this is the same.
 * @param {Cell} cell
 */
export const processOf = (cell) => boundTo(cell, axesOf([cell]));

/** The part of it that all cells of a group have in common. @param {Cell} cell */
export const processesOfGroup = (cell) => boundTo(cell, conditionAxes([cell]));

/** @param {Cell} cell @param {Axis[]} axes */
const boundTo = (cell, axes) =>
  JSON.stringify(axes.map(({ id, of, ofProcess = of }) => [id, ofProcess(cell) ?? null]));
