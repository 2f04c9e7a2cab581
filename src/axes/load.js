import { count, whole } from './number-words.js';

/** @import { Axis } from './types.js' */

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
  title: (cell) => (cell.processes > 1 ? count(cell.processes, 'process', 'processes') : ''),
  titledLast: true,
};

/** A condition: where the load comes from agents. @type {Axis} */
export const machines = {
  id: 'machines',
  role: 'condition',
  of: (cell) => cell.machines ?? null,
  idPart: (cell) => (cell.machines === undefined ? '' : count(cell.machines, 'machine')),
  row: (cell) => (cell.machines === undefined ? '' : count(cell.machines, 'machine')),
  title: (cell) => (cell.machines === undefined ? '' : `from ${count(cell.machines, 'machine')}`),
  titledLast: true,
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
