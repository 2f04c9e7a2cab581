import { median } from 'simple-statistics';
import { axesOf } from '../../axes/all-axes.js';
import { about } from './about.js';

/** @import { CellResult } from '../../core/store/types.js' */
/** @import { Finding } from '../judge/types.js' */

/** What the advice does not cover. @param {CellResult[]} cells @param {boolean} partial @returns {Finding} */
export function notMeasured(cells, partial) {
  const measured = cells.filter(({ summary }) => summary !== null);
  return {
    kind: 'not-measured',
    ...about(measured),
    constant: axesOf(measured).flatMap((axis) => {
      const values = new Set(measured.map((cell) => axis.of(cell)));
      return axis.notMeasured && values.size === 1
        ? [{ axis: axis.id, value: axis.of(measured[0]) ?? null }]
        : [];
    }),
    planned: cells.length,
    skipped: cells.filter((cell) => cell.skipped !== null).length,
    failed: cells.filter((cell) => cell.skipped === null && cell.summary === null).length,
    partial,
    ...repliesOf(measured),
  };
}

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
