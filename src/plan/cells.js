import semver from 'semver';
import { groupOf, idOf } from '../axes/ids.js';
import { inlineText } from '../options/inline-options.js';
import { sizesOf } from './choose-sizes.js';
import { chooseClients, readNames } from './clients.js';
import { distanceConflict, distancesOf } from './distances.js';
import { faultConflict, faultsOf, isByRelay } from './fault-plan.js';
import { boundLoad, loadConflict, loadsOf, sendingOf } from './loads.js';
import { rolesOf, shareConflict, workersOf } from './machines.js';
import { longestValue } from './own-sizes.js';
import { product } from './product.js';
import { readingConflict, readingNeeds } from './reading.js';
import { expandScenario } from './scenario-axes.js';
import { underWayIn } from './under-way.js';

/**
 * @import { CellWords } from '../axes/types.js'
 * @import { Release } from '../machine/types.js'
 * @import { Settings, Transport } from '../options/types.js'
 * @import { Catalogue, Chosen, ClientPlugin, OwnData } from '../plugins/types.js'
 * @import { Cell, CellPoint, OpenLoopPlan, Sources } from './types.js'
 */

/**
 * Every cell that the settings ask for, in the order in which a reader would list them. What cannot
 * be combined is a cell as well, with the reason for skipping it.
 *
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 * @param {Transport[]} transports those that the server offers, where there is one
 * @param {Sources} [sources] releases, Node binaries and servers, where some were asked for
 * @returns {Cell[]}
 * @throws {UsageError} for an unknown name
 */
export function createCells(settings, catalogue, transports, sources = {}) {
  const { names = readNames(settings, catalogue), releases = new Map(), runtimes = [] } = sources;
  const { servers = [{ transports }] } = sources;
  const clients = chooseClients(names.clients, releases, catalogue);
  const atOnce = commandsAtOnce(settings, names.chosen.pipelining, catalogue);
  const sizes = settings.topology.flatMap((topology) => sizesOf(settings, topology, atOnce));
  return product({
    data: [...names.chosen.workload].flatMap(([workload, { data }]) =>
      data === undefined
        ? sizes.map((each) => ({ workload, ...each }))
        : settings.topology.map((topology) => ({ workload, topology, ...sizesIn(data) })),
    ),
    tasks: settings.tasks,
    appWorkUs: settings.appWork,
    beside: settings.beside,
    server: servers,
    reading: settings.readFrom?.map((readFrom) => ({ readFrom })) ?? [{}],
    transport: settings.transport ?? [null],
    pipelining: settings.pipelining,
    pin: settings.pin,
    runtime: runtimes.length > 0 ? runtimes : [null],
    load: loadsOf(settings, catalogue.scenarios),
    processes: settings.processes,
    crew: settings.machines?.map((machines) => ({ machines })) ?? [{}],
    place: distancesOf(settings),
    broken: faultsOf(settings),
    client: clients,
    scenario: settings.scenarios.flatMap((id) => expandScenario(id, catalogue.scenarios, settings)),
  }).map(
    ({
      client: { release, ...client },
      scenario,
      data,
      runtime,
      load,
      place,
      broken,
      crew,
      server,
      reading,
      ...at
    }) => {
      const { transports: offered, ...choice } = server;
      const point = { ...at, ...choice, transport: at.transport ?? offered[0] };
      const chosen = pluginsOf({ ...point, ...data }, names.chosen);
      const wanted = {
        ...client,
        node: runtime?.name ?? null,
        ...scenario,
        ...data,
        ...point,
        ...place,
        ...crew,
        ...broken,
        ...reading,
        processes: point.processes * rolesOf(chosen.workload, catalogue),
      };
      const valueSize = longestValue({ ...wanted, chosen }, catalogue);
      // Each task of each process writes to a key of its own.
      if (wanted.fault !== undefined) wanted.keys = wanted.tasks * wanted.processes;
      const cell = { ...wanted, openLoop: boundLoad(load, { ...wanted, valueSize, chosen }, settings) };
      return {
        id: idOf(cell),
        group: groupOf(cell),
        ...cell,
        release,
        runtime,
        chosen,
        words: wordsOf(cell, catalogue),
        underWay: underWayIn(cell, chosen.pipelining, catalogue),
        floor: catalogue.clients.get(cell.client)?.floor ?? false,
        skipped: reasonToSkip({ ...cell, release, chosen }, catalogue, offered, settings),
      };
    },
  );
}

/**
 * @param {OwnData} data of a workload
 * @returns {Pick<CellPoint, 'keySize' | 'valueSize' | 'shortestValue' | 'keys'>} in averages
 */
const sizesIn = ({ keys, keyBytes, valueBytes }) => ({
  keySize: keyBytes,
  valueSize: valueBytes,
  shortestValue: valueBytes,
  keys,
});

/**
 * @param {Pick<CellPoint, 'pipelining' | 'workload'>} point
 * @param {Record<'pipelining' | 'workload', Map<string, Chosen>>} chosen by their names
 * @returns {Cell['chosen']}
 */
const pluginsOf = ({ pipelining, workload }, chosen) => ({
  pipelining: /** @type {Chosen} */ (chosen.pipelining.get(pipelining)),
  workload: /** @type {Chosen} */ (chosen.workload.get(workload)),
});

/**
 * @param {CellPoint} cell
 * @param {Catalogue} catalogue
 * @returns {CellWords} what its plugins call it
 */
const wordsOf = ({ client, variant, ownVariant, scenario, scenarioOptions }, { clients, scenarios }) => ({
  scenario: scenarios.get(scenario)?.words?.(scenarioOptions) ?? null,
  variant: ownVariant
    ? `set ${inlineText(ownVariant.options).slice(1, -1)}`
    : (clients.get(client)?.variantWords?.[variant] ?? null),
});

/** In an open loop; ten thousand are allowed, but a rate that is held needs far fewer. */
const OPEN_LOOP_AT_ONCE = 1000;

/**
 * @param {Settings} settings
 * @param {Map<string, Chosen>} modes of pipelining
 * @param {Catalogue} catalogue
 * @returns {number} operations that any cell has under way at once, at most; the same for all cells, so that
 *   those that differ in tasks do not differ in keys as well
 */
function commandsAtOnce({ tasks, processes, rate, rateSearch, speed }, modes, { pipelining }) {
  if ((rate ?? speed ?? rateSearch) !== undefined) return OPEN_LOOP_AT_ONCE;
  const batches = [...modes.values()].map(
    ({ id, parameter }) => pipelining.get(id)?.batchSize?.(parameter) ?? 1,
  );
  return Math.max(...tasks) * Math.max(...processes) * Math.max(...batches);
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
 * @param {CellPoint & Pick<Cell, 'release' | 'chosen'>} cell
 * @param {Catalogue} catalogue
 * @param {Transport[]} transports
 * @param {Settings} settings
 * @returns {string | null}
 */
function reasonToSkip(cell, catalogue, transports, settings) {
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
 * @param {Catalogue} catalogue
 * @param {Settings} settings
 * @returns {string[]} what its client must be capable of
 */
function neededBy({ topology, transport, distance, fault, chosen, ...cell }, catalogue, { tlsCert }) {
  const relayed = distance !== undefined || (fault !== undefined && isByRelay(fault, { topology }));
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

/**
 * @template {CellPoint} Point
 * @param {Point} cell of an open loop
 * @param {number} ratePerSecond
 * @returns {Point} the same cell under another load
 */
export function atRate(cell, ratePerSecond) {
  const openLoop = { .../** @type {OpenLoopPlan} */ (cell.openLoop), ratePerSecond };
  const moved = { ...cell, openLoop };
  return { ...moved, id: idOf(moved) };
}
