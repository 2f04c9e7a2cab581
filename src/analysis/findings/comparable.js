/**
 * @import { CellResult } from '../../results/types.js'
 * @import { MeasuredCell } from './compare-group.js'
 */

/**
 * @param {CellResult[]} cells
 * @returns {MeasuredCell[]} those with runs that were long enough to tell something
 */
export const comparable = (cells) =>
  cells.flatMap((cell) =>
    cell.summary && !cell.summary.tooShort ? [{ ...cell, summary: cell.summary }] : [],
  );
