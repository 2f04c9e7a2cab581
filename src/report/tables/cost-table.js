import { nameCells } from '../../axes/cell-names.js';
import { cellText, metricsIn } from '../../metrics/metric-values.js';
import { fittingTable } from './fitting-columns.js';

/** @import { CellResult } from '../../results/types.js' */

/**
 * What the cells of a group cost.
 *
 * @param {CellResult[]} cells of one group
 * @param {string[]} order names, as the table of results has them
 * @param {number} width of the columns that do not fit, from the right, only the titles are given
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
  return fittingTable(
    metrics.map(({ tables }) => String(tables?.cost)),
    measured.map(({ name, summary }) => ({
      name,
      texts: metrics.map((metric) => cellText(metric, summary)),
    })),
    width,
  );
}
