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
    other: (cell) => roundTripText(cell) || "the server's own",
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

/** @param {AxisCell} cell @returns {string} `2 ms round trip (± 10 %)` */
function roundTripText({ distance }) {
  if (distance === undefined) return '';
  if (distance.rttMs === 0) return 'relay without delay';
  return `${msText(distance)} ms round trip${distance.jitterPercent > 0 ? ` (± ${distance.jitterPercent} %)` : ''}`;
}

/** @param {Distance} distance */
const msText = ({ rttMs }) => (rttMs < 1000 ? String(rttMs) : whole(rttMs));
