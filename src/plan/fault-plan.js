import { isRelayed } from './distances.js';

/**
 * @import { Settings } from '../options/types.js'
 * @import { Catalogue } from '../plugins/types.js'
 * @import { Cell, CellPoint } from './types.js'
 */

/** When a fault strikes, as a part of the run: before it there must be something to compare with. */
const STRIKES_AFTER = 0.3;
/** Each operation is told apart from the others, which takes memory and time. */
const MOST_PER_SECOND = 20_000;
/** What can be done to a cluster: to all connections, or to its first node. */
const OF_CLUSTER = ['none', 'cut', 'half-open', 'slow', 'stall', 'failover'];

/**
 * @param {Settings} settings
 * @returns {Pick<CellPoint, 'fault'>[]} one for each fault that was asked for; empty where none was
 */
export const faultsOf = ({ fault, faultAtMs, durationMs }) =>
  fault === undefined
    ? [{}]
    : fault.map((each) => ({
        fault: { ...each, atMs: faultAtMs ?? Math.round(Number(durationMs) * STRIKES_AFTER) },
      }));

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell
 * @param {Catalogue} catalogue
 * @param {Settings} settings
 * @returns {string | null} why it is impossible
 */
export function faultConflict({ fault, openLoop, chosen, ...cell }, catalogue, { url, socket }) {
  if (fault === undefined) return null;
  const { name, kind, by } = fault;
  if (by === 'server' && (url ?? socket) !== undefined) {
    return `'${name}' is done to a server of this tool's own, never to yours; leave --url and --socket out, or use cut, half-open or slow`;
  }
  if (cell.machines !== undefined) {
    return 'with --fault the workers run beside the server and the relay that break; leave --agents out';
  }
  if (cell.topology === 'cluster' && !OF_CLUSTER.includes(kind)) {
    return `'${kind}' is for a single server; a cluster has ${OF_CLUSTER.join(', ')}`;
  }
  if (cell.transport === 'unix' && isRelayed({ fault, topology: cell.topology })) {
    return `'${kind}' is done by a relay, which a unix socket does not have; use tcp or tls`;
  }
  if (catalogue.pipelining.get(chosen.pipelining.id)?.batchSize !== undefined) {
    return `with --fault each operation is told apart, and those of a batch (${cell.pipelining}) fail together; use implicit, auto, none or window`;
  }
  if (Number(openLoop?.ratePerSecond) > MOST_PER_SECOND) {
    return `with --fault each operation is told apart, so --rate may be ${MOST_PER_SECOND} at most`;
  }
  return null;
}
