import { axesOf, conditionAxes } from './all-axes.js';
import { client, copy, release, variant } from './client.js';
import { nameBy } from './define.js';

/** @import { Axis, AxisCell } from './types.js' */

/**
 * The shortest names that distinguish cells: client, scenario, and the other axes that vary.
 * @param {(AxisCell & {id: string})[]} cells
 * @param {string[]} [except] ids of axes that are named elsewhere, with the axes that belong to them
 * @returns {Map<string, string>} by cell id
 */
export function nameCells(cells, except = []) {
  const varying = varyingAxes(cells).filter(
    ({ id, partOf = id }) => !except.includes(id) && !except.includes(partOf),
  );
  return new Map(cells.map((cell) => [cell.id, nameBy(varying, cell, cells)]));
}

/** Steps of a search share one name. @param {(AxisCell & {id: string})[]} cells */
export const nameSubjects = (cells) => nameCells(cells, ['step']);

/** @param {AxisCell} cell @param {AxisCell[]} [cells] @returns {string} `redis@5.8.3:tuned`, `redis #2` */
export const clientName = (cell, cells = [cell]) => nameBy([client, release, variant, copy], cell, cells);

/**
 * What distinguishes some cells from the others: `pool of 10` for all clients with it, `2 ms round trip`.
 * @param {(AxisCell & {id: string})[]} some @param {(AxisCell & {id: string})[]} others
 * @returns {string[]} each name once, of the fewest axes; none if there are no others
 */
export function namesApart(some, others) {
  const all = [...some, ...others];
  if (others.length === 0) return [];
  const axes = varyingAxes(all).filter(({ partOf }) => partOf === undefined);
  const tells = (/** @type {string[]} */ except) => {
    const names = nameCells(all, except);
    const ofOthers = new Set(others.map(({ id }) => names.get(id)));
    return some.every(({ id }) => !ofOthers.has(names.get(id)));
  };
  const except = axes.reduce(
    (left, { id }) => (tells(left.concat(id)) ? left.concat(id) : left),
    /** @type {string[]} */ ([]),
  );
  const names = nameCells(all, except);
  return [...new Set(some.map(({ id }) => names.get(id) ?? id))];
}

/** Without conditions: cells that differ in those alone share a name. @param {(AxisCell & {id: string})[]} cells */
export const nameChoices = (cells) => nameCells(cells, conditionsIn(cells));

/**
 * @param {AxisCell} cell @param {AxisCell[]} cells @param {string[]} [except] ids of axes that are named elsewhere
 * @returns {string} the conditions in which these differ: `8 tasks`; empty where they share all
 */
export const conditionsOf = (cell, cells, except = []) => nameBy(conditionAxes(cells, except), cell, cells);

/** @param {AxisCell[]} cells @returns {string[]} of all conditions */
export const conditionsIn = (cells) => conditionAxes(cells).map(({ id }) => id);

/** @param {AxisCell[]} cells @returns {(cell: AxisCell) => string} names any cell among these, even one that is not in them */
export const namesBeside = (cells) => (cell) => {
  const all = [...cells, cell];
  return nameBy(axesOf(all), cell, all);
};

/** Filtered once, as most axes have one value in all cells. @param {AxisCell[]} cells */
function varyingAxes(cells) {
  return axesOf(cells).filter(
    (axis) =>
      cells.some((cell) => axis.always?.(cell)) || new Set(cells.map((cell) => axis.of(cell))).size > 1,
  );
}
