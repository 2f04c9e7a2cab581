import { share } from './loads.js';

/**
 * @import { Catalogue, Chosen } from '../plugins/types.js'
 * @import { CellPoint } from './types.js'
 */

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
  tasks >= machines
    ? null
    : `${tasks} ${tasks === 1 ? 'task' : 'tasks'} cannot be shared by ${machines} machines: each needs one`;

/**
 * @param {Chosen} workload
 * @param {Pick<Catalogue, 'workloads'>} catalogue
 * @returns {number} how many processes it needs at least, each with a role of its own
 */
export const rolesOf = ({ id, parameter }, { workloads }) => workloads.get(id)?.processes?.(parameter) ?? 1;

/**
 * @param {Chosen} workload
 * @param {Pick<Catalogue, 'workloads'>} catalogue
 * @returns {boolean} whether one process sends messages and another receives them
 */
export const arePairs = (workload, catalogue) =>
  rolesOf(workload, catalogue) === 2 && catalogue.workloads.get(workload.id)?.receive !== undefined;
