import { CLIENT_AXES } from './client.js';
import { machines, processes, SITUATION_AXES } from './conditions.js';
import { fault, idle } from './fault.js';
import { LOAD_AXES, step } from './open-loop.js';
import { SENDING_AXES } from './sending.js';
import { SERVER_AXES, topology } from './server.js';
import { argument, SIZE_AXES, workload } from './workload.js';

/** @import { Axis, AxisCell } from './types.js' */

/**
 * Every axis, in the order in which ids, names, titles and columns have them. A function gives axes that depend on the
 * cells. Whatever names, groups, compares or lists cells asks this list.
 * @type {(Axis | ((cells: AxisCell[]) => Axis[]))[]}
 */
export const AXES = [
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
  idle,
  fault,
  ...LOAD_AXES,
];

/** @param {AxisCell[]} cells @returns {Axis[]} */
export const axesOf = (cells) =>
  AXES.flatMap((each) => (typeof each === 'function' ? each(cells) : each)).map((axis) =>
    cells[0]?.compared?.includes(axis.id) ? asChoice(axis) : axis,
  );

/** Decided first, as it is what the user asks. @param {Axis} axis @returns {Axis} */
const asChoice = (axis) => ({
  ...axis,
  role: 'choice',
  advice: {
    order: -1,
    noun: axis.noun ?? axis.id,
    value: axis.row,
  },
});

/** @param {string} id @param {AxisCell[]} cells that have it */
export const axisNamed = (id, cells) => /** @type {Axis} */ (axesOf(cells).find((axis) => axis.id === id));

/** @param {AxisCell[]} cells @param {string[]} [except] ids of conditions to leave out @returns {Axis[]} */
export const conditionAxes = (cells, except = []) =>
  axesOf(cells).filter(({ id, role }) => role === 'condition' && !except.includes(id));
