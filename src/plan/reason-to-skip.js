import semver from 'semver';
import { isRelayed } from '../axes/fault.js';
import { loadConflict, shareConflict } from './loads.js';

/** @import { Release } from '../machine/types.js' */
/** @import { Settings, Transport } from '../options/types.js' */
/** @import { Cell, CellPoint } from './types.js' */
/** @import { Catalogue, ClientPlugin } from '../plugins/types.js' */

/**
 * @param {CellPoint & Pick<Cell, 'release' | 'chosen'>} cell @param {Catalogue} catalogue
 * @param {Transport[]} transports that the server offers @param {Settings} settings
 * @returns {string | null} why the cell cannot be measured, if so
 */
export function reasonToSkip(cell, catalogue, transports, settings) {
  const conflict =
    topologyConflict(cell, settings) ??
    distanceConflict(cell) ??
    faultConflict(cell, catalogue, settings) ??
    messageConflict(cell, catalogue) ??
    readingConflict(cell, catalogue) ??
    batchConflict(cell.chosen, catalogue) ??
    speedConflict(cell) ??
    shareConflict(cell) ??
    loadConflict(cell, catalogue);
  if (conflict !== null) return conflict;
  if (!transports.includes(cell.transport)) {
    return `the server was given by its ${transports.join(' and ')} address, so ${cell.transport} is not available`;
  }
  const client = catalogue.clients.get(cell.client);
  if (client?.package && cell.release === null) {
    return `not installed: npm install ${client.package}`;
  }
  const ofScenario = catalogue.scenarios.get(cell.scenario)?.conflict?.(cell.scenarioOptions) ?? null;
  return ofScenario ?? whatClientLacks(client, cell, neededBy(cell, catalogue, settings));
}

/** @param {CellPoint & Pick<Cell, 'chosen'>} cell @returns {string | null} why it has no recorded speed */
const speedConflict = ({ openLoop, chosen: { workload } }) =>
  openLoop?.speed === undefined || workload.data !== undefined
    ? null
    : `--speed keeps the times of a profile, and ${workload.id} has none`;

/**
 * @param {Cell['chosen']} chosen @param {Catalogue} catalogue
 * @returns {string | null} why its operations cannot go out in batches
 */
function batchConflict({ workload, pipelining }, catalogue) {
  const batches = catalogue.pipelining.get(pipelining.id)?.batchSize !== undefined;
  if (!batches || catalogue.workloads.get(workload.id)?.iterate === undefined) return null;
  return `${workload.id} computes between its commands, so they cannot go out in the batches of ${pipelining.id}`;
}

/** @param {CellPoint} cell @param {Settings} settings @returns {string | null} why its topology is impossible */
function topologyConflict(cell, { topology, url, socket }) {
  if (cell.topology === 'standalone') return null;
  if (cell.transport === 'unix') return 'a cluster is reached by host and port, not by a unix socket';
  if (topology.length > 1 && (url ?? socket) !== undefined) {
    return 'an external server counts as standalone here; for a cluster use --topology cluster alone';
  }
  return null;
}

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue
 * @returns {string | null} why its messages cannot be sent that way
 */
function messageConflict({ chosen, beside }, { workloads, pipelining }) {
  if (workloads.get(chosen.workload.id)?.receive === undefined) return null;
  if (beside.length > 0) return '--beside cannot be combined with message workloads';
  const mode = pipelining.get(chosen.pipelining.id);
  return mode?.batchSize === undefined && mode?.wrap === undefined
    ? null
    : `messages are sent one by one, and ${chosen.pipelining.id} delays or joins commands`;
}

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue @param {Settings} settings
 * @returns {string[]} what its client must be capable of
 */
function neededBy({ topology, transport, distance, fault, chosen, ...cell }, catalogue, { tlsCert }) {
  const relayed = isRelayed({ topology, distance, fault });
  return [
    ...(fault === undefined ? [] : ['recovery']),
    ...(catalogue.scenarios.get(cell.scenario)?.requires?.(cell.scenarioOptions, topology) ?? []),
    ...(catalogue.pipelining.get(chosen.pipelining.id)?.requires ?? []),
    ...(catalogue.workloads.get(chosen.workload.id)?.requires ?? []),
    ...(transport === 'tcp' ? [] : [transport]),
    ...readingNeeds({ topology, ...cell }),
    ...(topology === 'standalone' ? [] : [topology]),
    ...(topology === 'standalone' || !relayed ? [] : ['address-map']),
    ...(tlsCert === undefined ? [] : ['client-certificate']),
  ];
}

/**
 * @param {ClientPlugin | undefined} client
 * @param {Pick<Cell, 'client' | 'variant' | 'ownVariant' | 'release'>} cell @param {string[]} needed
 * @returns {string | null}
 */
function whatClientLacks(client, cell, needed) {
  const missing = needed.filter((capability) => !client?.capabilities.has(capability));
  if (missing.length > 0) {
    const reasons = missing.map((capability) => client?.lacks?.[capability] ?? `no ${capability}`);
    return `${cell.client} has ${reasons.join(', ')}`;
  }
  const tooNew = [cell.ownVariant?.base ?? cell.variant, ...needed].find((name) =>
    isNewerThan(client?.since?.[name], cell.release),
  );
  return tooNew === undefined
    ? null
    : `${cell.client} ${cell.release?.version} has no ${tooNew}: that came with ${client?.since?.[tooNew]}`;
}

/** @param {string | undefined} since the first release that has it @param {Release | null} release */
const isNewerThan = (since, release) =>
  since !== undefined && release !== null && semver.lt(release.version, since);

/** @param {Pick<CellPoint, 'distance' | 'transport'>} cell @returns {string | null} why it is impossible */
const distanceConflict = ({ distance, transport }) =>
  distance !== undefined && transport === 'unix'
    ? 'a unix socket has no distance; use --rtt with tcp or tls'
    : null;

/** Each operation is followed by itself, which takes memory and time. */
const MOST_PER_SECOND = 20_000;
/** What can be done to a cluster: to all connections, or to its first node. */
const OF_CLUSTER = ['none', 'cut', 'half-open', 'slow', 'stall', 'failover'];

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue @param {Settings} settings
 * @returns {string | null} why it is impossible
 */
function faultConflict({ fault, openLoop, chosen, ...cell }, catalogue, { url, socket }) {
  if (fault === undefined) return null;
  const { name, kind, by } = fault;
  if (by === 'server' && (url ?? socket) !== undefined) {
    return `'${name}' is only done to a managed server, never to yours; leave --url and --socket out, or use cut, half-open or slow`;
  }
  if (cell.machines !== undefined) {
    return '--fault needs workers, relay and server on one machine; leave --agents out';
  }
  if (cell.topology === 'cluster' && !OF_CLUSTER.includes(kind)) {
    return `'${kind}' is for a single server; a cluster has ${OF_CLUSTER.join(', ')}`;
  }
  if (cell.transport === 'unix' && isRelayed({ fault, topology: cell.topology })) {
    return `'${kind}' needs a relay, which unix sockets do not support; use tcp or tls`;
  }
  if (catalogue.pipelining.get(chosen.pipelining.id)?.batchSize !== undefined) {
    return `--fault follows each operation, but those of a batch (${cell.pipelining}) fail together; use implicit, auto, none or window`;
  }
  if (Number(openLoop?.ratePerSecond) > MOST_PER_SECOND) {
    return `--fault follows each operation, so --rate may be at most ${MOST_PER_SECOND}`;
  }
  return null;
}

/** Which write a reply is of stands in its last characters; the first ones tell keys apart. */
const SHORTEST_VALUE = 16;

/**
 * @param {Pick<CellPoint, 'readFrom' | 'topology'>} cell
 * @returns {string[]} what its client must be capable of, to read where it is told to
 */
const readingNeeds = ({ readFrom, topology }) =>
  readFrom === 'replica' ? [topology === 'cluster' ? 'replicas' : 'standalone-replicas'] : [];

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue
 * @returns {string | null} why stale replies could not be told from wrong ones
 */
function readingConflict({ readFrom, chosen, shortestValue }, { workloads }) {
  if (readFrom === undefined) return null;
  const able = [...workloads.values()].filter(({ tellsWrites }) => tellsWrites).map(({ id }) => id);
  if (!able.includes(chosen.workload.id)) {
    return `--read-from needs values that number their writes, as in the workloads ${able.join(', ')}`;
  }
  if (shortestValue >= SHORTEST_VALUE) return null;
  return `--read-from numbers each value, so values need at least ${SHORTEST_VALUE} characters`;
}
