/** @import { Axis, AxisCell } from './types.js' */

/**
 * What breaks in a run. Null where nothing is meant to; older results do not say so.
 *
 * @type {Axis}
 */
export const fault = {
  id: 'fault',
  role: 'condition',
  of: ({ fault: broken }) => broken?.name ?? null,
  idPart: ({ fault: broken }) => (broken ? `fault-${broken.name}` : ''),
  row: (cell) => (cell.fault ? faultText(cell) : 'nothing breaks'),
  title: faultText,
  columns: { fault: (cell) => fault.of(cell) },
  notMeasured: {
    what: 'faults',
    other: (cell) => cell.fault?.name ?? '',
    held: faultText,
  },
};

/**
 * Whether a fault needs a relay between clients and server. In a failover of a single server it is the relay that
 * leads clients to the new one, as a virtual address or a name does.
 *
 * @param {Pick<AxisCell, 'fault' | 'topology'>} cell
 */
export const isByRelay = ({ fault: broken, topology }) =>
  broken?.by === 'relay' || (broken?.kind === 'failover' && topology === 'standalone');

/** @param {AxisCell} cell @returns {string} `server stalled for 2 s after 3 s` */
export function faultText({ fault: broken }) {
  if (broken === undefined) return '';
  const { kind, atMs } = broken;
  if (kind === 'none') return TEXTS.none(broken);
  return `${TEXTS[kind](broken)} after ${seconds(atMs)}`;
}

/** @typedef {NonNullable<AxisCell['fault']>} Fault */

/** @type {Record<Fault['kind'], (fault: Fault) => string>} */
const TEXTS = {
  none: () => 'nothing breaks',
  cut: () => 'all connections cut',
  'half-open': () => 'connections silently dead',
  slow: ({ byMs, lastsMs }) => `${byMs} ms slower for ${seconds(lastsMs)}`,
  stall: ({ lastsMs }) => `server stalled for ${seconds(lastsMs)}`,
  restart: ({ lastsMs, keepsData }) =>
    `server killed, back ${keepsData ? 'with its data' : 'empty'} after ${seconds(lastsMs)},`,
  loading: ({ lastsMs }) => `server killed, loading for ${seconds(lastsMs)},`,
  maxclients: ({ lastsMs }) => `all disconnected, and no connections taken for ${seconds(lastsMs)},`,
  oom: ({ lastsMs }) => `server out of memory for ${seconds(lastsMs)}`,
  failover: ({ lastsMs }) => `primary killed, replica promoted ${seconds(lastsMs)} later,`,
};

/** @param {number | null} ms */
const seconds = (ms) => `${Number((Number(ms) / 1000).toPrecision(3))} s`;
