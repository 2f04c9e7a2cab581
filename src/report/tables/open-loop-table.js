import { openLoopRows } from './open-loop-rows.js';
import { ruledTable } from './ruled-table.js';

/**
 * @import { Comparison } from '../../analysis/types.js'
 * @import { CellResult } from '../../results/types.js'
 */

/**
 * How the cells of a group kept to their rates. The columns that do not fit are left out, from the right.
 *
 * @param {CellResult[]} cells of one group
 * @param {Comparison} comparison
 * @param {number} width
 * @returns {string}
 */
export function openLoopTable(cells, comparison, width) {
  const { titles, rows } = openLoopRows(cells, comparison);
  let used = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const fitting = titles.filter((title, index) => {
    used += Math.max(title.length, ...rows.map(({ texts }) => texts[index].length)) + 2;
    return used <= width;
  });
  return ruledTable(
    ['', ...fitting],
    ['left', ...fitting.map(() => /** @type {const} */ ('right'))],
    rows.map(({ name, texts }, index) => [
      name === rows[index - 1]?.name ? '' : name,
      ...texts.slice(0, fitting.length),
    ]),
  );
}
