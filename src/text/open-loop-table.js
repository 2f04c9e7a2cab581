import { openLoopRows } from './open-loop-rows.js';
import { ruledTable } from './ruled-table.js';

/**
 * How the cells of a group kept to their rates. The columns that do not fit are left out, from the right.
 *
 * @param {import('../types.js').CellResult[]} cells of one group
 * @param {import('../types.js').Comparison} comparison
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
