import { axesOf, conditionAxes } from './all-axes.js';
import { client, copy, release, variant } from './client-and-server.js';
import { nameBy } from './define.js';

/** @import { AxisCell } from './types.js' */
/** @import { Report } from '../store/types.js' */

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

/** @param {AxisCell} cell @returns {string} how to get its variant; empty where there is nothing to say */
export function variantNote(cell) {
  const name = clientName({ ...cell, copy: 1 });
  const { code, variant: what } = cell.words ?? {};
  if (!code || !what) return code ? `${name} is ${code}` : what ? `${name}: ${what}` : '';
  const [, options = code] = /\((.*)\)$/s.exec(code) ?? [];
  return `${name}: ${what}, ${options}`;
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

/**
 * @param {AxisCell[]} cells @param {Report['settings']} settings @param {string[]} [except] ids of axes that are named elsewhere
 * @returns {string[]} the conditions that all of these share, as a title says them
 */
export const sharedConditions = (cells, settings, except = []) =>
  conditionAxes(cells).flatMap((axis) =>
    !axis.title || except.includes(axis.id) || new Set(cells.map((cell) => axis.of(cell))).size > 1
      ? []
      : axis.title(cells[0], settings) || [],
  );

/** @param {AxisCell[]} cells @returns {(cell: AxisCell) => string} names any cell among these, even one that is not in them */
export const createCellNamer = (cells) => (cell) => {
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
