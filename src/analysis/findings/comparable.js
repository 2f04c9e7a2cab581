import { warmRuns } from './warm-runs.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { MeasuredCell } from './compare-group.js'
 */

/**
 * @param {CellResult[]} cells
 * @returns {MeasuredCell[]} those that were warm, with the runs of their warm starts, and whose runs were long enough
 *   to mean something
 */
export const comparable = (cells) =>
  cells.flatMap((cell) =>
    cell.summary && !cell.summary.tooShort && cell.warm !== false
      ? [{ ...cell, runs: warmRuns(cell.runs), summary: cell.summary }]
      : [],
  );
