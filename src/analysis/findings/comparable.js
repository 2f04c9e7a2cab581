/**
 * @import { CellResult } from '../../results/types.js'
 * @import { MeasuredCell } from './compare-group.js'
 */

/**
 * @param {CellResult[]} cells
 * @returns {MeasuredCell[]} those whose runs were long enough to mean something
 */
export const comparable = (cells) =>
  cells.flatMap((cell) =>
    cell.summary && !cell.summary.tooShort ? [{ ...cell, summary: cell.summary }] : [],
  );
