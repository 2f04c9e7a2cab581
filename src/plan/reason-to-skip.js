import semver from 'semver';
import { distanceConflict, isRelayed } from './distances.js';
import { faultConflict } from './fault-plan.js';
import { loadConflict, sendingOf } from './loads.js';
import { shareConflict, workersOf } from './machines.js';
import { readingConflict, readingNeeds } from './reading.js';

/**
 * @import { Release } from '../machine/types.js'
 * @import { Settings, Transport } from '../options/types.js'
 * @import { Catalogue, ClientPlugin } from '../plugins/types.js'
 * @import { Cell, CellPoint } from './types.js'
 */

/**
 * Why a cell cannot be measured, if so.
 *
 * @param {CellPoint & Pick<Cell, 'release' | 'chosen'>} cell
 * @param {Catalogue} catalogue
 * @param {Transport[]} transports that the server offers
 * @param {Settings} settings
 * @returns {string | null}
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
    (cell.openLoop && loadConflict(cell.openLoop, workersOf(cell), sendingOf(cell.chosen, catalogue)));
  if (conflict !== null) return conflict;
  if (!transports.includes(cell.transport)) {
    return `the server was named by its ${transports.join(' and ')} address, which has no ${cell.transport}`;
  }
  const client = catalogue.clients.get(cell.client);
  if (client?.package && cell.release === null) {
    return `not installed: npm install ${client.package}`;
  }
  const ofScenario = catalogue.scenarios.get(cell.scenario)?.conflict?.(cell.scenarioOptions) ?? null;
  return ofScenario ?? whatClientLacks(client, cell, neededBy(cell, catalogue, settings));
}

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell
 * @returns {string | null} why it has no recorded speed
 */
const speedConflict = ({ openLoop, chosen: { workload } }) =>
  openLoop?.speed === undefined || workload.data !== undefined
    ? null
    : `--speed keeps the times of a profile, and ${workload.id} has none`;

/**
 * @param {Cell['chosen']} chosen
 * @param {Catalogue} catalogue
 * @returns {string | null} why its operations cannot go out in batches
 */
function batchConflict({ workload, pipelining }, catalogue) {
  const batches = catalogue.pipelining.get(pipelining.id)?.batchSize !== undefined;
  if (!batches || catalogue.workloads.get(workload.id)?.iterate === undefined) return null;
  return `${workload.id} computes between its commands, so they cannot go out in the batches of ${pipelining.id}`;
}

/**
 * @param {CellPoint} cell
 * @param {Settings} settings
 * @returns {string | null} why its topology is impossible
 */
function topologyConflict(cell, { topology, url, socket }) {
  if (cell.topology === 'standalone') return null;
  if (cell.transport === 'unix') return 'a cluster is reached by host and port, not by a unix socket';
  if (topology.length > 1 && (url ?? socket) !== undefined) {
    return 'a server named by its address is taken for a standalone one; for a cluster use --topology cluster';
  }
  return null;
}

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell
 * @param {Catalogue} catalogue
 * @returns {string | null} why its messages cannot be sent that way
 */
function messageConflict({ chosen, beside }, { workloads, pipelining }) {
  if (workloads.get(chosen.workload.id)?.receive === undefined) return null;
  if (beside.length > 0) return 'messages stand beside nothing else: --beside is for other workloads';
  const mode = pipelining.get(chosen.pipelining.id);
  return mode?.batchSize === undefined && mode?.wrap === undefined
    ? null
    : `a message is sent by itself, and ${chosen.pipelining.id} holds commands back or joins them`;
}

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell
 * @param {Catalogue} catalogue
 * @param {Settings} settings
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
 * @param {Pick<Cell, 'client' | 'variant' | 'ownVariant' | 'release'>} cell
 * @param {string[]} needed
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

/**
 * @param {string | undefined} since the first release that has it
 * @param {Release | null} release
 */
const isNewerThan = (since, release) =>
  since !== undefined && release !== null && semver.lt(release.version, since);
