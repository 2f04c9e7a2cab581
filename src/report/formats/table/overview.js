import { ruledTable } from '../../tables/ruled-table.js';
import { runsInLine } from '../../tables/runs-in-line.js';
import { wrap } from '../../words/wrap.js';
import { fittingColumns, p99Text } from './overview-columns.js';
import { painter } from './painter.js';

/**
 * @import { Pen } from '../../charts/plot.js'
 * @import { Row } from '../../tables/result-rows.js'
 */

/** Below this the columns would leave no room for names. */
const NARROW = 60;

/**
 * The cells of a group, a line each, however many runs there are.
 *
 * @param {Row[]} rows
 * @param {Pen} pen
 * @returns {string}
 */
export function overview(rows, pen) {
  const columns = pen.width < NARROW ? null : fittingColumns(rows, pen);
  if (columns === null) return stacked(rows, pen);
  return ruledTable(
    ['', ...columns.map(({ title }) => title)],
    ['left', ...columns.map(({ align }) => align ?? 'right')],
    rows.map(({ name, state }, index) => {
      const paint = painter(state, pen.colors);
      return [paint(name), ...columns.map(({ texts }) => paint(texts[index]))];
    }),
  );
}

/**
 * @param {Row[]} rows
 * @param {Pen} pen
 * @returns {string[]} what the columns of the overview mean, where that is not plain
 */
export function signsOf(rows, pen) {
  const columns = pen.width < NARROW ? null : fittingColumns(rows, pen);
  return (columns ?? []).flatMap(({ sign = [] }) => sign);
}

const RUNS = 'runs, ms: ';

/**
 * For narrow terminals: two or more short lines a cell.
 *
 * @param {Row[]} rows
 * @param {Pen} pen
 */
function stacked(rows, { width, colors }) {
  return rows
    .flatMap(({ name, cell, columns, state }) => {
      const runs = cell.skipped === null ? runsInLine(cell.runs) : [];
      const shown = runs.find((text) => text.length <= width - RUNS.length - 2) ?? runs.at(-1);
      const facts = [
        columns['ops/s'] && `${columns['ops/s']} ops/s ${columns['±'] && `± ${columns['±']}`}`.trim(),
        columns.slower,
        columns['of raw'] && `${columns['of raw']} of raw`,
        cell.summary && p99Text(cell.summary) && `p99 ${p99Text(cell.summary)}`,
      ].filter(Boolean);
      return [
        ...wrap(name, width).map(painter(state, colors)),
        ...[facts.join(', '), shown ? `${RUNS}${shown}` : '']
          .filter((text) => text !== '')
          .flatMap((text) => wrap(text, width - 2).map((line) => `  ${line}`)),
      ];
    })
    .join('\n');
}
