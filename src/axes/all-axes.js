import { present } from '../collections.js';
import { COMMAND_AXES } from '../commands/axes.js';
import { CLIENT_AXES, SERVER_AXES, topology } from './client-and-server.js';
import { LOAD_AXES, machines, processes, SITUATION_AXES, step } from './conditions.js';
import { SENDING_AXES } from './sending.js';
import { argument, SIZE_AXES, workload } from './workload.js';

/** @import { Axis, AxisCell, AxisValue } from './types.js' */

/** @typedef {Axis | ((cells: AxisCell[]) => Axis[])} AxisOrMaker a function gives axes that depend on the cells */

/** @type {AxisOrMaker[]} */
const AXES_OF_ALL = [
  ...CLIENT_AXES,
  ...SERVER_AXES,
  ...SENDING_AXES,
  processes,
  machines,
  step,
  workload,
  argument,
  topology,
  ...SIZE_AXES,
  ...SITUATION_AXES,
  ...LOAD_AXES,
];

/** @param {AxisOrMaker} axis */
const behind = (axis) => COMMAND_AXES.filter(({ after }) => typeof axis === 'object' && after === axis.id);

/**
 * Every axis, in the order in which ids, names, titles and columns have them. Whatever names, groups, compares or lists
 * cells asks this list.
 */
export const AXES = AXES_OF_ALL.flatMap((axis) => [axis, ...behind(axis)]);

/** @param {AxisCell[]} cells @returns {Axis[]} */
export const axesOf = (cells) =>
  AXES.flatMap((each) => (typeof each === 'function' ? each(cells) : each)).map((axis) =>
    cells[0]?.compared?.includes(axis.id) ? asChoice(axis) : axis,
  );

/** Decided first, as it is what the user asks. @param {Axis} axis @returns {Axis} */
const asChoice = (axis) => ({
  ...axis,
  role: 'choice',
  advice: { order: -1, noun: axis.noun ?? axis.id, value: axis.row },
});

/** @param {string} id @param {AxisCell[]} cells that have it */
export const axisNamed = (id, cells) => present(axesOf(cells).find((axis) => axis.id === id));

/** @param {AxisCell[]} cells @param {string[]} [except] ids of conditions to leave out @returns {Axis[]} */
export const conditionAxes = (cells, except = []) =>
  axesOf(cells).filter(({ id, role }) => role === 'condition' && !except.includes(id));

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
  // Where two follow from each other, the one that titles tell stays.
  const titlesOf = (/** @type {Axis} */ { title }) =>
    new Set(cells.map((cell) => title?.(cell, {}) ?? '')).size;
  const candidates = [...varying].sort((a, b) => titlesOf(a) - titlesOf(b));
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
  return { axis, ordered, examples: inOrder.map((value) => present(examples.get(value))) };
}

/** @param {Dimension} dimension @param {AxisCell} cell @returns {number} the index of its value */
export const placeIn = ({ axis, examples }, cell) =>
  examples.findIndex((example) => axis.of(example) === axis.of(cell));
