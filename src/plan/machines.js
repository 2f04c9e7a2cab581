import { share } from './loads.js';

/** @import { CellPoint } from './types.js' */

/**
 * @param {Pick<CellPoint, 'processes' | 'machines'>} cell
 * @returns {number} worker processes on all machines
 */
export const workersOf = ({ processes, machines = 1 }) => processes * machines;

/**
 * @param {Pick<CellPoint, 'tasks' | 'machines'>} cell
 * @returns {number[]} the tasks of each process on each machine; together exactly those of the cell
 */
export const taskShares = ({ tasks, machines = 1 }) =>
  Array.from({ length: machines }, (_, index) => share(tasks, { index, count: machines }));

/**
 * @param {Pick<CellPoint, 'tasks' | 'machines'>} cell
 * @returns {string | null} why its tasks cannot be shared
 */
export const shareConflict = ({ tasks, machines = 1 }) =>
  tasks >= machines ? null : `${tasks} tasks cannot be shared by ${machines} machines: each needs one`;
