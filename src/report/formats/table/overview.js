import { gridLines, painter } from '../../tables/grid.js';
import { wrap } from '../../words/wrap.js';
import { fittingColumns, p99Text } from './overview-columns.js';

/** @import { Pen } from '../../charts/plot.js' */
/** @import { Row } from '../../tables/types.js' */

/** Below this the columns would leave no room for names. */
const NARROW = 60;

/** The cells of a group, a line each. @param {Row[]} rows @param {Pen} pen @returns {string[]} lines */
export function overview(rows, pen) {
  const columns = pen.width < NARROW ? null : fittingColumns(rows, pen);
  if (columns === null) return stacked(rows, pen);
  const grid = {
    columns,
    rows: rows.map(({ name, state }, row) => ({
      name,
      state,
      texts: columns.map(({ texts }) => texts[row]),
    })),
  };
  return gridLines(grid, { colors: pen.colors });
}

/**
 * @param {Row[]} rows @param {Pen} pen
 * @returns {string[]} what the columns of the overview mean, where that is not plain
 */
export function signsOf(rows, pen) {
  const columns = pen.width < NARROW ? null : fittingColumns(rows, pen);
  return (columns ?? []).flatMap(({ sign = [] }) => sign);
}

/** For narrow terminals: two short lines a cell. @param {Row[]} rows @param {Pen} pen */
function stacked(rows, { width, colors }) {
  return rows.flatMap(({ name, cell, columns, state }) => {
    const facts = [
      columns['ops/s'] && `${columns['ops/s']} ops/s ${columns['±'] && `± ${columns['±']}`}`.trim(),
      columns.slower,
      columns['of raw'] && `${columns['of raw']} of raw`,
      cell.summary && p99Text(cell.summary) && `p99 ${p99Text(cell.summary)}`,
    ].filter(Boolean);
    return [
      ...wrap(name, width).map(painter(state, colors)),
      ...wrap(facts.join(', '), width - 2).map((line) => `  ${line}`),
    ];
  });
}
