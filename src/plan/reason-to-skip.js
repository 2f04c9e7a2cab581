import semver from 'semver';
import { FORGETS, isRelayed } from '../axes/fault.js';
import { repliesOf } from '../axes/sending.js';
import { hasOwnKeys } from '../axes/workload.js';
import { namesServer } from '../options/option-table.js';
import { loadConflict, requestOf, shareConflict, waysFor } from './loads.js';

/** @import { Release } from '../machine/types.js' */
/** @import { Settings, Topology, Transport } from '../options/types.js' */
/** @import { Cell, CellPoint, SkipReason } from './types.js' */
/** @import { Catalogue, ClientPlugin } from '../plugins/types.js' */

/**
 * @param {CellPoint & Pick<Cell, 'release' | 'chosen'>} cell @param {Catalogue} catalogue
 * @param {Transport[]} transports that the server offers @param {Settings} settings
 * @returns {SkipReason | null} why the cell cannot be measured, if so
 */
export function reasonToSkip(cell, catalogue, transports, settings) {
  const conflict =
    topologyConflict(cell, settings) ??
    distanceConflict(cell) ??
    accountConflict(cell, catalogue) ??
    faultConflict(cell, catalogue, settings) ??
    messageConflict(cell, catalogue) ??
    readingConflict(cell, catalogue) ??
    batchConflict(cell.chosen, catalogue) ??
    requestConflict(cell, catalogue) ??
    repliesConflict(cell, catalogue) ??
    speedConflict(cell) ??
    shareConflict(cell) ??
    loadConflict(cell, catalogue);
  if (conflict !== null) return conflict;
  if (!transports.includes(cell.transport)) {
    return { kind: 'not-offered', transport: cell.transport, offered: transports };
  }
  if (cell.encode === 'msgpack' && catalogue.packages.msgpackr === undefined) {
    return { kind: 'not-installed', package: 'msgpackr' };
  }
  if (cell.bundle === 'esbuild' && catalogue.packages.esbuild === undefined) {
    return { kind: 'not-installed', package: 'esbuild' };
  }
  const client = catalogue.clients.get(cell.client);
  if (client?.package && cell.release === null) {
    return { kind: 'not-installed', package: client.package };
  }
  const ofScenario = catalogue.scenarios.get(cell.scenario)?.conflict?.(cell.scenarioOptions) ?? null;
  if (ofScenario !== null) return { kind: 'scenario-conflict', own: [ofScenario] };
  return whatClientLacks(client, cell, neededBy(cell, catalogue, settings));
}

/** @param {CellPoint & Pick<Cell, 'chosen'>} cell @returns {SkipReason | null} why it has no recorded speed */
const speedConflict = ({ openLoop, chosen: { workload } }) =>
  openLoop?.speed === undefined || workload.data !== undefined
    ? null
    : { kind: 'no-recorded-times', workload: workload.id };

/**
 * @param {Cell['chosen']} chosen @param {Catalogue} catalogue
 * @returns {SkipReason | null} why its operations cannot go out in batches
 */
function batchConflict({ workload, pipelining }, catalogue) {
  const batches = catalogue.pipelining.get(pipelining.id)?.batchSize !== undefined;
  if (!batches) return null;
  const names = { workload: workload.id, pipelining: pipelining.id };
  if (requestOf(workload, catalogue)) return { kind: 'requests-in-batches', ...names };
  return catalogue.workloads.get(workload.id)?.iterate ? { kind: 'computes-between', ...names } : null;
}

/** @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue @returns {SkipReason | null} */
function requestConflict({ keys, way, topology, chosen: { workload } }, catalogue) {
  if (topology === 'cluster' && catalogue.workloads.get(workload.id)?.ofOneNode)
    return { kind: 'of-one-node', workload: workload.id };
  const request = requestOf(workload, catalogue);
  if (request === undefined) return null;
  const able = waysFor(request.kind, catalogue);
  if (!able.includes(`${way}`)) return { kind: 'way-for-keys', way: `${way}`, able };
  return request.count > keys ? { kind: 'few-keys', keys, count: request.count } : null;
}

/** @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue @returns {SkipReason | null} */
function repliesConflict(cell, catalogue) {
  const { id } = cell.chosen.workload;
  const { open, iterate, receive, tellsWrites } = catalogue.workloads.get(id) ?? {};
  const isOwn = (open ?? iterate ?? receive) !== undefined;
  if (cell.replies !== undefined && isOwn) return { kind: 'reads-own-replies', workload: id };
  const { encode = 'none' } = cell;
  if (encode === 'none') return null;
  if (!tellsWrites && requestOf(cell.chosen.workload, catalogue)?.kind.many === undefined)
    return { kind: 'encodes-none', workload: id };
  return cell.replies === 'string' && repliesOf({ encode }) === 'buffer'
    ? { kind: 'encoded-as-bytes', encode }
    : null;
}

/** @param {CellPoint} cell @param {Settings} settings @returns {SkipReason | null} why its topology is impossible */
function topologyConflict(cell, { topology, ...server }) {
  if (cell.topology === 'standalone') return null;
  if (cell.transport === 'unix') return { kind: 'cluster-over-unix', topology: cell.topology };
  return topology.length > 1 && namesServer(server) ? { kind: 'external-standalone' } : null;
}

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue
 * @returns {SkipReason | null} why its messages cannot be sent that way
 */
function messageConflict({ chosen, beside }, { workloads, pipelining }) {
  if (workloads.get(chosen.workload.id)?.receive === undefined) return null;
  if (beside.some((part) => !part.byOthers)) return { kind: 'messages-with-load' };
  const mode = pipelining.get(chosen.pipelining.id);
  return mode?.batchSize === undefined && mode?.wrap === undefined
    ? null
    : { kind: 'messages-held-back', pipelining: chosen.pipelining.id };
}

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue @param {Settings} settings
 * @returns {string[]} what its client must be capable of
 */
function neededBy({ topology, transport, distance, fault, chosen, ...cell }, catalogue, { tlsCert }) {
  const relayed = isRelayed({ topology, distance, fault });
  const way = catalogue.ways.get(cell.way ?? '');
  return [
    ...(fault === undefined ? [] : ['recovery']),
    ...(catalogue.scenarios.get(cell.scenario)?.requires?.(cell.scenarioOptions, topology) ?? []),
    ...(catalogue.pipelining.get(chosen.pipelining.id)?.requires ?? []),
    ...(catalogue.workloads.get(chosen.workload.id)?.requires ?? []),
    ...(way?.requires ?? []),
    ...(transport === 'tcp' ? [] : [transport]),
    ...readingNeeds({ topology, ...cell }),
    ...(repliesOf(cell) === 'buffer' ? ['buffers', ...(way?.requiresForBuffers ?? [])] : []),
    ...(topology === 'standalone' ? [] : [topology]),
    ...(topology === 'standalone' || !relayed ? [] : ['address-map']),
    ...(cell.bundle === 'esbuild' ? ['bundling'] : []),
    ...(tlsCert === undefined ? [] : ['client-certificate']),
  ];
}

/**
 * @param {ClientPlugin | undefined} client
 * @param {Pick<Cell, 'client' | 'variant' | 'ownVariant' | 'release'>} cell @param {string[]} needed
 * @returns {SkipReason | null}
 */
function whatClientLacks(client, cell, needed) {
  const missing = needed.filter((capability) => !client?.capabilities.has(capability));
  if (missing.length > 0) {
    const own = missing.map((capability) => client?.lacks?.[capability] ?? `no ${capability}`);
    return { kind: 'client-lacks', client: cell.client, own };
  }
  return (
    cell.release && releaseLacks(client, cell.release, [cell.ownVariant?.base ?? cell.variant, ...needed])
  );
}

/**
 * @param {ClientPlugin | undefined} client @param {Release} release @param {string[]} needed
 * @returns {SkipReason | null}
 */
function releaseLacks(client, { version }, needed) {
  for (const what of needed) {
    const since = client?.since?.[what];
    if (client && since && semver.lt(version, since)) {
      return { kind: 'release-lacks', client: client.id, version, what, since };
    }
  }
  return null;
}

/** @param {Pick<CellPoint, 'distance' | 'transport'>} cell @returns {SkipReason | null} why it is impossible */
const distanceConflict = ({ distance, transport }) =>
  distance !== undefined && transport === 'unix' ? { kind: 'distance-over-unix' } : null;

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue
 * @returns {SkipReason | null} why its operations cannot be accounted for
 */
function accountConflict({ fault, chosen, keys }, { workloads }) {
  const { id: workload } = chosen.workload;
  const { grows, startsProcesses, receive } = workloads.get(workload) ?? {};
  if (fault === undefined) return grows ? { kind: 'only-with-fault', workload } : null;
  if (startsProcesses || receive) return { kind: 'not-with-fault', workload };
  const isTooMany = hasOwnKeys({ fault, chosen }) && keys > MOST_OWN_KEYS;
  return isTooMany ? { kind: 'fault-keys', keys, most: MOST_OWN_KEYS } : null;
}

/** Each is known to the worker, and looked at when the run is over. */
const MOST_OWN_KEYS = 200_000;
/** Each operation is followed by itself, which takes memory and time. */
const MOST_PER_SECOND = 20_000;
/** What changes a cluster. */
const OF_CLUSTERS = ['slots', 'join', 'leave', 'promote', 'dead-seed'];
/** What can be done to several servers: to all connections, to the first node or the primary, or to clients. */
const OF_SEVERAL = ['none', 'cut', 'half-open', ...FORGETS, 'slow', 'stall', 'freeze', 'failover'];
/** @type {Partial<Record<Topology, string[]>>} */
const ABLE = { cluster: [...OF_SEVERAL, ...OF_CLUSTERS], sentinel: [...OF_SEVERAL, 'switchover'] };

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue @param {Settings} settings
 * @returns {SkipReason | null} why it is impossible
 */
function faultConflict({ fault, openLoop, chosen, ...cell }, catalogue, { idle = [], ...server }) {
  if (fault === undefined) return null;
  const { name, kind, by } = fault;
  if (by === 'server' && namesServer(server)) return { kind: 'fault-of-managed', fault: name };
  if (cell.machines !== undefined) return { kind: 'fault-with-agents' };
  if (kind === 'switchover' && cell.topology !== 'sentinel')
    return { kind: 'fault-of-sentinels', fault: name };
  if (OF_CLUSTERS.includes(kind) && cell.topology !== 'cluster')
    return { kind: 'fault-of-cluster', fault: name };
  const able = ABLE[cell.topology];
  if (able && !able.includes(kind))
    return { kind: 'fault-of-single', fault: kind, able, topology: cell.topology };
  if (cell.transport === 'unix' && isRelayed({ fault, topology: cell.topology })) {
    return { kind: 'fault-over-unix', fault: kind };
  }
  if (catalogue.pipelining.get(chosen.pipelining.id)?.batchSize !== undefined) {
    return { kind: 'fault-in-batches', pipelining: cell.pipelining };
  }
  // Beside a longer pause, a shorter one shows what changes.
  if (FORGETS.includes(kind) && Math.max(0, ...idle) <= Number(fault.byMs))
    return { kind: 'fault-idle', fault: name };
  const isTooFast = Number(openLoop?.ratePerSecond) > MOST_PER_SECOND;
  return isTooFast ? { kind: 'fault-rate', most: MOST_PER_SECOND } : null;
}

/** Which write a reply is of stands in its last characters; the first ones tell keys apart. */
const SHORTEST_VALUE = 16;

/**
 * @param {Pick<CellPoint, 'readFrom' | 'topology'>} cell
 * @returns {string[]} what its client must be capable of, to read from where it was asked to
 */
const readingNeeds = ({ readFrom, topology }) =>
  readFrom === 'replica' ? [topology === 'cluster' ? 'replicas' : `${topology}-replicas`] : [];

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue
 * @returns {SkipReason | null} why stale replies could not be distinguished from wrong ones
 */
function readingConflict({ readFrom, chosen, shortestValue }, { workloads }) {
  if (readFrom === undefined) return null;
  const able = [...workloads.values()].filter(({ tellsWrites }) => tellsWrites).map(({ id }) => id);
  if (!able.includes(chosen.workload.id)) return { kind: 'writes-unnumbered', able };
  return shortestValue < SHORTEST_VALUE ? { kind: 'values-too-short', least: SHORTEST_VALUE } : null;
}
