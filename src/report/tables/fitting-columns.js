import { wrap } from '../words/wrap.js';
import { ruledTable } from './ruled-table.js';

/**
 * A table of as many columns as fit, and the titles of the others.
 *
 * @param {string[]} titles of the columns behind the names
 * @param {{name: string, texts: string[]}[]} rows
 * @param {number} width
 * @returns {string}
 */
export function fittingTable(titles, rows, width) {
  let used = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const fitting = titles.filter((title, index) => {
    used += Math.max(title.length, ...rows.map(({ texts }) => texts[index].length)) + 2;
    return used <= width;
  });
  const table = ruledTable(
    ['', ...fitting],
    ['left', ...fitting.map(() => /** @type {const} */ ('right'))],
    rows.map(({ name, texts }) => [name, ...texts.slice(0, fitting.length)]),
  );
  const missing = titles.slice(fitting.length);
  if (missing.length === 0) return table;
  return [table, ...wrap(`in wider terminals also: ${missing.join(', ')}`, width)].join('\n');
}
