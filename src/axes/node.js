/** @import { Axis } from './types.js' */

/** The Node that the workers run on, where one was asked for. @type {Axis} */
export const node = {
  id: 'node',
  role: 'choice',
  of: (cell) => cell.node,
  idPart: (cell) => (cell.node ? `node-${cell.node}` : ''),
  row: (cell) => (cell.node ? `Node ${cell.node}` : ''),
  advice: {
    order: 7,
    noun: 'release of Node',
    value: (cell) => `Node ${cell.node}`,
    imperative: (cell) => `run on Node ${cell.node}`,
  },
};
