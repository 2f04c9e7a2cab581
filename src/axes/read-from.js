/** @import { Axis, AxisCell } from './types.js' */

/**
 * Where a client is told to send its reads, if it was told: to the primaries, or to replicas. Ids of benchmarks
 * without that choice stay what they were.
 *
 * @type {Axis}
 */
export const readFrom = {
  id: 'readFrom',
  role: 'choice',
  of: (cell) => cell.readFrom ?? null,
  idPart: (cell) => (cell.readFrom ? `read-from-${cell.readFrom}` : ''),
  row: readFromText,
  advice: {
    order: 10,
    noun: 'server to read from',
    value: readFromText,
    imperative: (cell) => (cell.readFrom === 'replica' ? 'read from replicas' : 'read from the primary'),
  },
};

/** @param {AxisCell} cell */
function readFromText({ readFrom: from }) {
  return from ? `reads from ${from === 'replica' ? 'replicas' : 'the primary'}` : '';
}
