import { client, copy, release, variant } from './client.js';
import { axesOf } from './list.js';
import { nameBy } from './name-by.js';

/** @import { Axis, AxisCell } from './types.js' */

/**
 * Names for cells that stand beside each other, as short as tells them apart: client and scenario, and of
 * the other axes those that vary among them.
 *
 * @param {(AxisCell & {id: string})[]} cells
 * @param {string[]} [except] ids of axes that are told elsewhere, with what belongs to them
 * @returns {Map<string, string>} by cell id
 */
export function nameCells(cells, except = []) {
  const varying = varyingAxes(cells).filter(
    ({ id, partOf = id }) => !except.includes(id) && !except.includes(partOf),
  );
  return new Map(cells.map((cell) => [cell.id, nameBy(varying, cell, cells)]));
}

/**
 * The same where all steps of a search are one subject: its rates have a place of their own.
 *
 * @param {(AxisCell & {id: string})[]} cells
 */
export const nameSubjects = (cells) => nameCells(cells, ['step']);

/**
 * @param {AxisCell} cell
 * @param {AxisCell[]} [cells] that it stands beside
 * @returns {string} `redis`, `redis@5.8.3:tuned`; `redis #2` where it is compared with itself
 */
export const clientName = (cell, cells = [cell]) => nameBy([client, release, variant, copy], cell, cells);

/**
 * Names without the conditions, which are told beside them: cells that differ in those alone share one.
 *
 * @param {(AxisCell & {id: string})[]} cells
 */
export const nameChoices = (cells) => nameCells(cells, conditionsIn(cells));

/**
 * @param {AxisCell} cell
 * @param {AxisCell[]} cells that it stands beside
 * @returns {string} the conditions in which these differ: `8 tasks`; empty where they share all
 */
export const conditionsOf = (cell, cells) =>
  nameBy(
    axesOf(cells).filter(({ role }) => role === 'condition'),
    cell,
    cells,
  );

/** @param {AxisCell[]} cells @returns {string[]} ids of all conditions */
export const conditionsIn = (cells) =>
  axesOf(cells).flatMap(({ id, role }) => (role === 'condition' ? id : []));

/**
 * @param {AxisCell[]} cells
 * @returns {(cell: AxisCell) => string} names any cell beside these, which it need not be one of
 */
export const namesBeside = (cells) => (cell) => {
  const all = [...cells, cell];
  return nameBy(axesOf(all), cell, all);
};

/**
 * @param {AxisCell[]} cells
 * @returns {Axis[]} those that can be named: of many cells most axes have one value, which is asked for once
 */
function varyingAxes(cells) {
  return axesOf(cells).filter(
    (axis) =>
      cells.some((cell) => axis.always?.(cell)) || new Set(cells.map((cell) => axis.of(cell))).size > 1,
  );
}
