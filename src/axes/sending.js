/** @import { Axis } from './types.js' */

/** How commands are sent: joined in which way, and over what. */

/** @type {Axis} */
export const pipelining = {
  id: 'pipelining',
  role: 'choice',
  of: (cell) => cell.pipelining,
  idPart: (cell) => cell.pipelining,
  row: (cell) => cell.pipelining,
  advice: {
    order: 6,
    noun: 'pipelining mode',
    value: (cell) => cell.pipelining,
    imperative: (cell) => `use the pipelining mode '${cell.pipelining}'`,
  },
};

/** @type {Record<string, string>} */
const OVER = { tcp: 'TCP', unix: 'the unix socket', tls: 'TLS' };

/** @type {Axis} */
export const transport = {
  id: 'transport',
  role: 'choice',
  of: (cell) => cell.transport,
  idPart: (cell) => cell.transport,
  row: (cell) => cell.transport,
  advice: {
    order: 5,
    noun: 'transport',
    value: (cell) => cell.transport,
    imperative: (cell) => `connect over ${OVER[cell.transport] ?? cell.transport}`,
  },
  notMeasured: {
    what: 'transports',
    other: (cell) => cell.transport.toUpperCase(),
    held: (cell) => OVER[cell.transport] ?? cell.transport,
  },
};
