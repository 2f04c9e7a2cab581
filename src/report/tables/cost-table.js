import { nameCells } from '../../axes/names.js';
import { cellText, metricsIn } from '../../metrics/figures.js';
import { ruledTable } from './ruled-table.js';

/** @import { CellResult } from '../../results/types.js' */

/**
 * What the cells of a group cost.
 *
 * @param {CellResult[]} cells of one group
 * @param {string[]} order names, as the table of results has them
 * @param {number} width the columns that do not fit are left out, from the right
 * @returns {string} empty when no cell gave a result
 */
export function costTable(cells, order, width) {
  const names = nameCells(cells);
  const measured = cells
    .flatMap(({ id, summary }) => (summary ? [{ name: names.get(id) ?? id, summary }] : []))
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  if (measured.length === 0) return '';
  const metrics = metricsIn('cost').filter((metric) =>
    measured.some(({ summary }) => cellText(metric, summary) !== ''),
  );
  const texts = measured.map(({ summary }) => metrics.map((metric) => cellText(metric, summary)));
  const titles = metrics.map(({ tables }) => String(tables?.cost));
  const nameWidth = Math.max(...measured.map(({ name }) => name.length));
  let used = nameWidth + 2;
  const fitting = titles.filter((title, index) => {
    used += Math.max(title.length, ...texts.map((row) => row[index].length)) + 2;
    return used <= width;
  });
  return ruledTable(
    ['', ...fitting],
    ['left', ...fitting.map(() => /** @type {const} */ ('right'))],
    measured.map(({ name }, row) => [name, ...texts[row].slice(0, fitting.length)]),
  );
}
