/** @import { Axis, AxisCell } from './types.js' */

/** @type {Axis} */
export const workload = {
  id: 'workload',
  role: 'condition',
  of: (cell) => cell.workload,
  idPart: (cell) => cell.workload,
  row: workloadName,
  title: workloadName,
  notMeasured: { what: 'workloads', other: workloadName, held: workloadName },
};

/**
 * @param {AxisCell} cell
 * @returns {string} what its plugin calls it, `SET beside EXISTS`; otherwise `SET + GET`, with its argument
 *   as written, because case and hyphens matter in a command
 */
function workloadName({ workload: written, chosen }) {
  if (chosen?.workload.title !== undefined) return chosen.workload.title;
  const [id, ...argument] = written.split(':');
  return [id.toUpperCase().replaceAll('-', ' + '), ...argument].join(':');
}
