import { defineAxis } from './define.js';

/** @import { AxisCell } from './types.js' */

/** Servers side by side: software or address, and settings. Null or missing for one server. */

export const server = defineAxis({
  id: 'server',
  role: 'choice',
  phrase: (cell) => cell.server ?? '',
  idPart: (cell) => inOneWord(cell.server),
  advice: { order: 8, noun: 'server' },
});

export const serverConfig = defineAxis({
  id: 'serverConfig',
  role: 'choice',
  phrase: (cell) => cell.serverConfig ?? '',
  idPart: (cell) => inOneWord(cell.serverConfig),
  advice: {
    order: 9,
    noun: 'server settings',
  },
});

/** A server may be compared with itself, as a client may. */
export const serverCopy = defineAxis({
  id: 'serverCopy',
  role: 'repetition',
  of: (cell) => cell.serverCopy ?? 1,
  phrase: (cell) => ((cell.serverCopy ?? 1) > 1 ? `server #${cell.serverCopy}` : ''),
  idPart: (cell) => serverCopy.row(cell).replace(' ', ''),
  columns: { serverCopy: (cell) => cell.serverCopy ?? '' },
});

export const topology = defineAxis({
  id: 'topology',
  role: 'condition',
  phrase: (cell) => cell.topology,
  title: (cell, { oneSlot }) =>
    cell.topology === 'standalone' ? '' : oneSlot ? `${cell.topology} (one slot)` : cell.topology,
  titledLast: true,
  notMeasured: {
    what: 'topologies',
  },
});

/** Of one server. @param {Pick<AxisCell, 'topology' | 'server' | 'serverConfig' | 'serverCopy'>} cell */
export const serverKey = (cell) =>
  [
    cell.topology,
    ...[server, serverConfig, serverCopy].map((axis) => axis.idPart(/** @type {AxisCell} */ (cell))),
  ]
    .filter(Boolean)
    .join('/');

/** @param {string | null | undefined} name @returns {string} `io-threads-4` */
const inOneWord = (name) => (name ?? '').replace(/[^\w.#:@[\]-]+/g, '-');

export const SERVER_AXES = [server, serverConfig, serverCopy];
