import { fittingTable } from './fitting-columns.js';
import { ratedRows } from './rated-rows.js';

/**
 * @import { Comparison } from '../../analysis/types.js'
 * @import { CellResult } from '../../results/types.js'
 */

/**
 * How the cells of a group kept to their rates. Of the columns that do not fit, from the right, only the
 * titles are given.
 *
 * @param {CellResult[]} cells of one group
 * @param {Comparison} comparison
 * @param {number} width
 * @returns {string}
 */
export function openLoopTable(cells, comparison, width) {
  const { titles, rows } = ratedRows(cells, comparison);
  return fittingTable(
    titles,
    rows.map(({ name, texts }, index) => ({ name: name === rows[index - 1]?.name ? '' : name, texts })),
    width,
  );
}
