import { isMostlyIdle } from '../../judge/costs.js';
import { defineCause } from '../define.js';

/** @import { MeasuredCell } from '../../judge/compare-group.js' */
/** @import { Pair } from '../../judge/costs.js' */

export default defineCause({
  id: 'opens-connections',
  isRoot: true,
  find: (pair) => (opensMore(pair) ? { connectionsPerCommand: openedBy(pair.cell) } : null),
  // Over a network opening takes round trips, and hardly anything else takes time. Elsewhere its CPU time says how much it costs.
  times: (_, { cell }) => (waitsFar(cell) ? Number.POSITIVE_INFINITY : 1),
  alone: ({ cell }) => waitsFar(cell),
  say: () => 'it opens a connection for each operation',
});

/** A cell with more connections per command opens them as part of its work. */
const OPENS = 0.01;

/** @param {Pair} pair */
export const opensMore = ({ cell, than }) => openedBy(cell) > OPENS && openedBy(than) <= OPENS;

/** @param {MeasuredCell} cell */
const openedBy = ({ summary: { server } }) => (server.connections ?? 0) / (server.commands ?? 1);

/** @param {MeasuredCell} cell */
const waitsFar = (cell) => Number(cell.distance?.rttMs) > 0 && isMostlyIdle(cell);
