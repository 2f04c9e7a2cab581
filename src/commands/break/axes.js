import { defineAxis } from '../../axes/define.js';
import { askedDuration } from '../../numbers.js';

/** @import { AxisCell } from '../../axes/types.js' */

/** The part of a run before it: there must be something to compare with. */
export const STRIKES_AFTER = 0.3;

const fault = defineAxis({
  id: 'fault',
  after: 'jitter',
  role: 'condition',
  of: ({ fault: broken }) => broken?.name ?? null,
  asked: ({ fault: faults, faultAtMs, durationMs }) =>
    faults?.map((each) => ({
      fault: {
        ...each,
        atMs: faultAtMs ?? Math.round(Number(each.durationMs ?? durationMs) * STRIKES_AFTER),
      },
    })) ?? [{}],
  phrase: faultText,
  idPart: ({ fault: broken }) => (broken ? `fault-${broken.name}` : ''),
  usual: 'nothing breaks',
  notMeasured: 'faults',
  otherThan: (cell) => cell.fault?.name ?? '',
});

/** @param {AxisCell} cell */
const idleText = ({ idleMs }) => (idleMs === undefined ? '' : `${askedDuration(idleMs * 1000)} idle`);

const idle = defineAxis({
  id: 'idle',
  after: 'jitter',
  role: 'condition',
  of: ({ idleMs }) => idleMs ?? null,
  asked: ({ idle: pauses }) => pauses?.map((idleMs) => (idleMs === 0 ? {} : { idleMs })) ?? [{}],
  phrase: idleText,
  idPart: ({ idleMs }) => (idleMs === undefined ? '' : `idle-${idleMs}ms`),
  title: (cell) =>
    cell.idleMs === undefined ? '' : `${idleText(cell)} after ${seconds(Number(cell.fault?.atMs))}`,
  usual: 'no pause',
  columns: { idleMs: (cell) => cell.idleMs },
  notMeasured: 'pauses',
});

/**
 * When a single server fails over, the relay leads clients to the new one, as a virtual address or a name does.
 * @param {Pick<AxisCell, 'distance' | 'fault' | 'topology'>} cell @returns {boolean}
 */
export const isRelayed = ({ distance, fault: broken, topology }) =>
  distance !== undefined ||
  broken?.by === 'relay' ||
  (broken?.kind === 'failover' && topology === 'standalone');

/** @param {AxisCell} cell @returns {string} `server stalled for 2 s after 3 s` */
function faultText({ fault: broken, idleMs, topology }) {
  if (broken === undefined) return '';
  const text = ((topology === 'sentinel' && TEXTS_OF_SENTINEL[broken.kind]) || TEXTS[broken.kind])(broken);
  if (broken.kind === 'none' || FORGETS.includes(broken.kind)) return text;
  return idleMs === undefined ? `${text} after ${seconds(broken.atMs)}` : `${text} meanwhile`;
}

/** @typedef {NonNullable<AxisCell['fault']>} Fault */

/** What a network does to an idle connection. @type {Fault['kind'][]} */
export const FORGETS = ['idle-drop', 'idle-reset'];

/** @type {Record<Fault['kind'], (fault: Fault) => string>} */
const TEXTS = {
  none: () => 'nothing breaks',
  cut: () => 'all connections cut',
  'half-open': () => 'connections silently dead',
  'idle-drop': ({ byMs }) => `connections silently dropped when idle for ${seconds(byMs)}`,
  'idle-reset': ({ byMs }) => `connections idle for ${seconds(byMs)} reset at their next packet`,
  slow: ({ byMs, lastsMs }) => `${byMs} ms slower for ${seconds(lastsMs)}`,
  stall: ({ lastsMs }) => `server stalled for ${seconds(lastsMs)}`,
  freeze: ({ lastsMs }) => `client frozen for ${seconds(lastsMs)}`,
  restart: ({ lastsMs, keepsData }) =>
    `server killed, back ${keepsData ? 'with its data' : 'empty'} after ${seconds(lastsMs)},`,
  loading: ({ lastsMs }) => `server killed, loading for ${seconds(lastsMs)},`,
  maxclients: ({ lastsMs }) => `all disconnected, and no connections taken for ${seconds(lastsMs)},`,
  oom: ({ lastsMs }) => `server out of memory for ${seconds(lastsMs)}`,
  failover: ({ lastsMs }) => `primary killed, replica promoted ${seconds(lastsMs)} later,`,
  switchover: () => 'SENTINEL FAILOVER',
};

/** @param {string} name @returns {name is Fault['kind']} */
export const isKind = (name) => Object.hasOwn(TEXTS, name);
export const KINDS = Object.keys(TEXTS).filter(isKind);

/** Sentinels decide about promotion. @type {Partial<typeof TEXTS>} */
const TEXTS_OF_SENTINEL = {
  failover: ({ lastsMs }) => `primary killed, Sentinels act when it is down for ${seconds(lastsMs)},`,
  stall: ({ lastsMs }) => `primary stalled for ${seconds(lastsMs)}`,
};

/** @param {number | null} ms */
const seconds = (ms) => `${Number((Number(ms) / 1000).toPrecision(3))} s`;

export const AXES = [idle, fault];

/**
 * Whether keys identify its operations.
 * @param {Pick<AxisCell, 'fault' | 'chosen'>} cell
 */
export const hasOwnKeys = ({ fault: broken, chosen }) =>
  broken !== undefined && (chosen?.workload.ownKeys ?? chosen?.workload.id === 'append');
