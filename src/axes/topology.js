/** @import { Axis } from './types.js' */

/** @type {Axis} */
export const topology = {
  id: 'topology',
  role: 'condition',
  of: (cell) => cell.topology,
  idPart: (cell) => cell.topology,
  row: (cell) => cell.topology,
  title: (cell, { oneSlot }) =>
    cell.topology === 'standalone' ? '' : oneSlot ? `${cell.topology} (one slot)` : cell.topology,
  titledLast: true,
  notMeasured: {
    what: 'topologies',
    other: (cell) => cell.topology,
    held: (cell) => cell.topology,
  },
};
