import { defineAxis } from './define.js';

/** @import { AxisCell } from './types.js' */

/** When a fault strikes, as a part of the run: before it there must be something to compare with. */
const STRIKES_AFTER = 0.3;

/** What breaks in a run. Null where nothing is meant to; older results do not say so. */
export const fault = defineAxis({
  id: 'fault',
  role: 'condition',
  of: ({ fault: broken }) => broken?.name ?? null,
  asked: ({ fault: faults, faultAtMs, durationMs }) =>
    faults?.map((each) => ({
      fault: { ...each, atMs: faultAtMs ?? Math.round(Number(durationMs) * STRIKES_AFTER) },
    })) ?? [{}],
  stored: { fault: { $ref: '#/definitions/FaultPlan' } },
  phrase: faultText,
  idPart: ({ fault: broken }) => (broken ? `fault-${broken.name}` : ''),
  usual: 'nothing breaks',
  columns: { fault: (cell) => fault.of(cell) },
  notMeasured: { what: 'faults', other: (cell) => cell.fault?.name ?? '' },
});

/**
 * @param {Pick<AxisCell, 'distance' | 'fault' | 'topology'>} cell
 * @returns {boolean} whether a relay stands between its clients and the server. In a failover of a single server it is
 *   the relay that leads clients to the new one, as a virtual address or a name does.
 */
export const isRelayed = ({ distance, fault: broken, topology }) =>
  distance !== undefined ||
  broken?.by === 'relay' ||
  (broken?.kind === 'failover' && topology === 'standalone');

/** @param {AxisCell} cell @returns {string} `server stalled for 2 s after 3 s` */
function faultText({ fault: broken }) {
  if (broken === undefined) return '';
  const text = TEXTS[broken.kind](broken);
  return broken.kind === 'none' ? text : `${text} after ${seconds(broken.atMs)}`;
}

/** @typedef {NonNullable<AxisCell['fault']>} Fault */

/** @type {Record<Fault['kind'], (fault: Fault) => string>} */
const TEXTS = {
  none: () => 'nothing breaks',
  cut: () => 'all connections cut',
  'half-open': () => 'connections silently dead',
  slow: ({ byMs, lastsMs }) => `${byMs} ms slower for ${seconds(lastsMs)}`,
  stall: ({ lastsMs }) => `server stalled for ${seconds(lastsMs)}`,
  freeze: ({ lastsMs }) => `client frozen for ${seconds(lastsMs)}`,
  restart: ({ lastsMs, keepsData }) =>
    `server killed, back ${keepsData ? 'with its data' : 'empty'} after ${seconds(lastsMs)},`,
  loading: ({ lastsMs }) => `server killed, loading for ${seconds(lastsMs)},`,
  maxclients: ({ lastsMs }) => `all disconnected, and no connections taken for ${seconds(lastsMs)},`,
  oom: ({ lastsMs }) => `server out of memory for ${seconds(lastsMs)}`,
  failover: ({ lastsMs }) => `primary killed, replica promoted ${seconds(lastsMs)} later,`,
};

/** @param {number | null} ms */
const seconds = (ms) => `${Number((Number(ms) / 1000).toPrecision(3))} s`;
