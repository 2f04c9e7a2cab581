import { gridLines, painter } from '../../tables/grid.js';
import { wrap } from '../../words/wrap.js';
import { fittingColumns, p99Text } from './overview-columns.js';

/** @import { Pen } from '../../charts/plot.js' */
/** @import { Row } from '../../tables/types.js' */

/** Below this the columns would leave no room for names. */
const NARROW = 60;

/** @typedef {{heading: string, rows: Row[]}} RowGroup rows under a heading; an empty one is left out */

/** The cells of all groups in one table, a line each. @param {RowGroup[]} groups @param {Pen} pen @returns {string[]} lines */
export function overview(groups, pen) {
  const columns = columnsOf(groups, pen);
  if (columns === null) return stacked(groups, pen);
  const all = groups.flatMap(({ heading, rows }) =>
    rows.map((row, place) => ({ ...row, heading: place === 0 ? heading : '' })),
  );
  const rows = all.map(({ name, state, heading }, row) => ({
    name,
    state,
    heading,
    texts: columns.map(({ texts }) => texts[row]),
  }));
  return gridLines({ columns, rows }, { colors: pen.colors });
}

/** @param {RowGroup[]} groups @param {Pen} pen */
const columnsOf = (groups, pen) =>
  pen.width < NARROW
    ? null
    : fittingColumns(
        groups.map(({ rows }) => rows),
        pen,
      );

/** @param {RowGroup[]} groups @param {Pen} pen @returns {string[]} what the columns of the overview mean, where that is not plain */
export const signsOf = (groups, pen) => (columnsOf(groups, pen) ?? []).flatMap(({ sign = [] }) => sign);

/** For narrow terminals: two short lines a cell. @param {RowGroup[]} groups @param {Pen} pen @returns {string[]} */
const stacked = (groups, pen) =>
  groups.flatMap(({ heading, rows }) => [
    ...wrap(heading, pen.width).map(pen.colors.bold),
    ...rows.flatMap((row) => inTwoLines(row, pen)),
  ]);

/** @param {Row} row @param {Pen} pen @returns {string[]} */
function inTwoLines({ name, cell, columns, state }, { width, colors }) {
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
}
