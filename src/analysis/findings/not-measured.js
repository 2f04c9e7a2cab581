import { axesOf } from '../../axes/all-axes.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { Finding } from '../types.js'
 */

/**
 * What the advice does not cover: all that was not varied, and what gave no result.
 *
 * @param {CellResult[]} cells
 * @param {boolean} partial
 * @returns {Finding}
 */
export function notMeasured(cells, partial) {
  // What was skipped or failed was not measured either.
  const measured = cells.filter(({ summary }) => summary !== null);
  return {
    kind: 'not-measured',
    group: null,
    cells: measured.map(({ id }) => id),
    constant: axesOf(measured).flatMap((axis) => {
      const values = new Set(measured.map((cell) => axis.of(cell)));
      return axis.notMeasured && values.size === 1
        ? [{ axis: axis.id, value: axis.of(measured[0]) ?? null }]
        : [];
    }),
    planned: cells.length,
    skipped: cells.filter((cell) => cell.skipped !== null).length,
    failed: cells.filter((cell) => cell.skipped === null && cell.summary === null).length,
    partial,
  };
}
