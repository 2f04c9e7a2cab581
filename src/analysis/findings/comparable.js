/**
 * @import { CellResult } from '../../results/types.js'
 * @import { MeasuredCell } from './compare-group.js'
 */

/**
 * @param {CellResult[]} cells
 * @returns {MeasuredCell[]} those that were warm, and whose runs were long enough to mean something
 */
export const comparable = (cells) =>
  cells.flatMap((cell) =>
    cell.summary && !cell.summary.tooShort && cell.warm !== false ? [{ ...cell, summary: cell.summary }] : [],
  );
