import { isByRelay } from './fault.js';
import { whole } from './number-words.js';

/**
 * @import { Distance } from '../relay/types.js'
 * @import { Axis, AxisCell } from './types.js'
 */

/** How far away the server seems to be. Both are null where it is reached without a relay. */

/** The round trip that the relay adds. @type {Axis} */
export const rtt = {
  id: 'rtt',
  role: 'condition',
  of: ({ distance }) => distance?.rttMs ?? null,
  // Through the relay or not: its connections stay open while it moves.
  ofProcess: ({ distance }) => distance !== undefined,
  idPart: ({ distance }) => (distance ? `rtt-${distance.rttMs === 0 ? 'relay' : `${distance.rttMs}ms`}` : ''),
  row: (cell) => roundTripText(cell) || 'no added distance',
  title: roundTripText,
  columns: { rttMs: (cell) => rtt.of(cell) },
  notMeasured: {
    what: 'round trips',
    other: ({ distance }) =>
      distance === undefined
        ? "the server's own"
        : distance.rttMs === 0
          ? "the relay's own"
          : lengthText(distance),
    held: roundTripText,
  },
};

/** @type {Axis} */
export const jitter = {
  id: 'jitter',
  role: 'condition',
  of: ({ distance }) => distance?.jitterPercent || null,
  ofProcess: () => null,
  idPart: ({ distance }) => (distance?.jitterPercent ? `jitter-${distance.jitterPercent}%` : ''),
  idGlue: ' ',
  row: ({ distance }) => (distance?.jitterPercent ? `± ${distance.jitterPercent} %` : ''),
  columns: { jitterPercent: (cell) => jitter.of(cell) },
};

/**
 * @param {Pick<AxisCell, 'distance' | 'fault' | 'topology'>} cell
 * @returns {boolean} whether a relay stands between its clients and the server
 */
export const isRelayed = (cell) => cell.distance !== undefined || isByRelay(cell);

/** @param {AxisCell} cell @returns {string} `2 ms round trip (± 10 %)` */
function roundTripText({ distance }) {
  if (distance === undefined) return '';
  if (distance.rttMs === 0) return 'relay without delay';
  return lengthText(distance, ' round trip');
}

/** @param {Distance} distance @param {string} [what] @returns {string} `2 ms (± 10 %)` */
const lengthText = ({ rttMs, jitterPercent }, what = '') =>
  `${rttMs < 1000 ? rttMs : whole(rttMs)} ms${what}${jitterPercent > 0 ? ` (± ${jitterPercent} %)` : ''}`;
