import { median } from 'simple-statistics';
import { axesOf } from '../../axes/all-axes.js';
import { spanText, whole } from '../../core/report/figures.js';
import { about } from './about.js';
import { defineFinding } from './define.js';

/** @import { CellResult } from '../../core/store/types.js' */

/**
 * What the advice does not cover. `constant`: what had the same value in all cells with a result; `replyBytes`: of an operation of
 * the user's commands, which the tool knows nothing of.
 */
export default defineFinding({
  id: 'not-measured',
  place: 'details',

  find({ cells, partial }) {
    const measured = cells.filter(({ summary }) => summary !== null);
    if (measured.length === 0) return [];
    const constant = axesOf(measured).flatMap((axis) => {
      const values = new Set(measured.map((cell) => axis.of(cell)));
      return axis.notMeasured && values.size === 1
        ? [{ axis: axis.id, value: axis.of(measured[0]) ?? null }]
        : [];
    });
    return [
      {
        ...about(measured),
        constant,
        planned: cells.length,
        skipped: cells.filter((cell) => cell.skipped !== null).length,
        failed: cells.filter((cell) => cell.skipped === null && cell.summary === null).length,
        partial,
        ...repliesOf(measured),
      },
    ];
  },

  say({ cells: [id], constant, replyBytes }, { cell, settings }) {
    const ids = constant.map(({ axis }) => axis);
    const others = axesOf([cell(id)]).flatMap(({ id: axis, notMeasured }) => {
      const other = ids.includes(axis) ? (notMeasured?.other(cell(id), settings) ?? '') : '';
      return other === '' ? [] : [`${notMeasured?.what} other than ${other}`];
    });
    const notMeasured = `Not measured: ${[...others, 'other machines'].join(', ')}.`;
    if (replyBytes === undefined) return notMeasured;
    const bytes = spanText(whole(replyBytes.low), whole(replyBytes.high));
    return [notMeasured, `Replies had ${bytes} bytes.`];
  },
});

/** @param {CellResult[]} cells @returns {{replyBytes?: {low: number, high: number}}} where a user's command is sent and the server counted */
function repliesOf(cells) {
  const own = cells.filter(({ chosen }) => chosen?.workload.madeBy !== undefined);
  const bytes = own.flatMap(({ runs }) => {
    // New connections get other replies too.
    const counted = runs.flatMap(({ server, operations }) =>
      server?.netOutputBytes && server.connections === 0 ? server.netOutputBytes / operations : [],
    );
    return counted.length === 0 ? [] : median(counted);
  });
  return bytes.length === 0 ? {} : { replyBytes: { low: Math.min(...bytes), high: Math.max(...bytes) } };
}
