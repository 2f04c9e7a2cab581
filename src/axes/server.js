/** @import { Axis, AxisCell } from './types.js' */

/**
 * On what it is measured, where several servers stand side by side: which software or address, and with which
 * settings. All of these are null or missing where there is one server, so that ids stay what they were.
 */

/** @type {Axis} */
export const server = {
  id: 'server',
  role: 'choice',
  of: (cell) => cell.server ?? null,
  idPart: (cell) => inOneWord(cell.server),
  row: (cell) => cell.server ?? '',
  advice: {
    order: 8,
    noun: 'server',
    value: (cell) => cell.server ?? '',
    imperative: (cell) => `run ${cell.server}`,
  },
};

/** @type {Axis} */
export const serverConfig = {
  id: 'serverConfig',
  role: 'choice',
  of: (cell) => cell.serverConfig ?? null,
  idPart: (cell) => inOneWord(cell.serverConfig),
  row: (cell) => cell.serverConfig ?? '',
  advice: {
    order: 9,
    noun: "set of the server's settings",
    value: (cell) => cell.serverConfig ?? '',
    imperative: (cell) =>
      cell.serverConfig === NO_SETTINGS
        ? "keep the server's default settings"
        : `set '${cell.serverConfig}' on the server`,
  },
};

/** How options name the set without any. */
const NO_SETTINGS = 'default settings';

/**
 * A server that is named twice is compared with itself, as a client may be.
 *
 * @type {Axis}
 */
export const serverCopy = {
  id: 'serverCopy',
  role: 'repetition',
  of: (cell) => cell.serverCopy ?? 1,
  idPart: (cell) => ((cell.serverCopy ?? 1) > 1 ? `server#${cell.serverCopy}` : ''),
  row: (cell) => ((cell.serverCopy ?? 1) > 1 ? `server #${cell.serverCopy}` : ''),
  columns: { serverCopy: (cell) => cell.serverCopy ?? '' },
};

/**
 * @param {Pick<AxisCell, 'topology' | 'server' | 'serverConfig' | 'serverCopy'>} cell
 * @returns {string} the same for all that is measured on one server
 */
export const serverKey = (cell) =>
  [
    cell.topology,
    ...[server, serverConfig, serverCopy].map((axis) => axis.idPart(/** @type {AxisCell} */ (cell))),
  ]
    .filter(Boolean)
    .join('/');

/** @param {string | null | undefined} name @returns {string} `io-threads-4` */
const inOneWord = (name) => (name ?? '').replace(/[^\w.#:@[\]-]+/g, '-');
