import { count, whole } from './number-words.js';

/** @import { Axis, AxisCell } from './types.js' */

/** Who works at the same time: tasks in a process, processes, and machines. */

/**
 * A condition: two processes are never compared with one.
 *
 * @type {Axis}
 */
export const processes = {
  id: 'processes',
  role: 'condition',
  of: (cell) => cell.processes,
  idPart: (cell) => (cell.processes > 1 ? `${cell.processes} processes` : ''),
  row: (cell) => count(cell.processes, 'process', 'processes'),
  title: processesText,
  titledLast: true,
  notMeasured: {
    what: 'numbers of processes',
    other: (cell) => (cell.processes > 1 ? whole(cell.processes) : ''),
    held: processesText,
  },
};

/** A condition: where the load comes from agents. @type {Axis} */
export const machines = {
  id: 'machines',
  role: 'condition',
  of: (cell) => cell.machines ?? null,
  idPart: (cell) => (cell.machines === undefined ? '' : count(cell.machines, 'machine')),
  row: (cell) => (cell.machines === undefined ? '' : count(cell.machines, 'machine')),
  title: machinesText,
  titledLast: true,
  notMeasured: {
    what: 'numbers of machines',
    other: (cell) => (cell.machines === undefined ? '' : whole(cell.machines)),
    held: machinesText,
  },
};

/** @type {Axis} */
export const tasks = {
  id: 'tasks',
  role: 'condition',
  of: (cell) => cell.tasks,
  ofProcess: () => null,
  idPart: (cell) => String(cell.tasks),
  row: (cell) => count(cell.tasks, 'task'),
  title: (cell) => count(cell.tasks, 'task'),
  notMeasured: {
    what: 'numbers of tasks',
    other: (cell) => whole(cell.tasks),
    held: (cell) => count(cell.tasks, 'task'),
  },
};

/** @param {AxisCell} cell */
function processesText({ processes: number }) {
  return number > 1 ? count(number, 'process', 'processes') : '';
}

/** @param {AxisCell} cell */
function machinesText({ machines: number }) {
  return number === undefined ? '' : `from ${count(number, 'machine')}`;
}
