import semver from 'semver';
import { groupOf, idOf } from '../axes/ids.js';
import { sizesOf } from './choose-sizes.js';
import { chooseClients, readNames } from './clients.js';
import { boundLoad, loadConflict, loadsOf, sendingOf } from './loads.js';
import { product } from './product.js';
import { expandScenario } from './scenario-axes.js';
import { underWayIn } from './under-way.js';

/**
 * @import { CellWords } from '../axes/types.js'
 * @import { Release } from '../machine/types.js'
 * @import { Settings, Transport } from '../options/types.js'
 * @import { Catalogue, Chosen } from '../plugins/types.js'
 * @import { Cell, CellPoint, OpenLoopPlan, Sources } from './types.js'
 */

/**
 * Every cell that the settings ask for, in the order in which a reader would list them. What cannot
 * be combined is a cell as well, with the reason for skipping it.
 *
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 * @param {Transport[]} transports those that the server offers
 * @param {Sources} [sources] releases and Node binaries, where some were asked for
 * @returns {Cell[]}
 * @throws {UsageError} for an unknown name
 */
export function createCells(settings, catalogue, transports, sources = {}) {
  const { names = readNames(settings, catalogue), releases = new Map(), runtimes = [] } = sources;
  const { chosen } = names;
  const clients = chooseClients(names.clients, releases, catalogue);
  const workloads = [...chosen.workload.keys()];
  const atOnce = commandsAtOnce(settings, chosen.pipelining, catalogue);
  return product({
    workload: workloads,
    sizes: settings.topology.flatMap((topology) => sizesOf(settings, topology, atOnce)),
    tasks: settings.tasks,
    transport: settings.transport ?? [transports[0]],
    pipelining: settings.pipelining,
    pin: settings.pin,
    runtime: runtimes.length > 0 ? runtimes : [null],
    load: loadsOf(settings, catalogue.scenarios),
    processes: settings.processes,
    client: clients,
    scenario: settings.scenarios.flatMap((id) => expandScenario(id, catalogue.scenarios, settings)),
  }).map(({ client: { release, ...client }, scenario, sizes, runtime, load, ...point }) => {
    const roles = rolesOf(chosen.workload.get(point.workload), catalogue);
    const wanted = {
      ...client,
      node: runtime?.name ?? null,
      ...scenario,
      ...sizes,
      ...point,
      processes: point.processes * roles,
    };
    const cell = { ...wanted, openLoop: boundLoad(load, wanted, settings) };
    return {
      id: idOf(cell),
      group: groupOf(cell),
      ...cell,
      release,
      runtime,
      chosen: {
        pipelining: /** @type {Chosen} */ (chosen.pipelining.get(cell.pipelining)),
        workload: /** @type {Chosen} */ (chosen.workload.get(cell.workload)),
      },
      words: wordsOf(cell, catalogue),
      underWay: underWayIn(cell, chosen.pipelining.get(cell.pipelining), catalogue),
      floor: catalogue.clients.get(cell.client)?.floor ?? false,
      skipped:
        topologyConflict(cell, settings) ??
        (cell.openLoop && loadConflict(cell.openLoop, cell.processes, sendingOf(chosen, cell, catalogue))) ??
        reasonToSkip(
          { ...cell, release },
          chosen.pipelining.get(cell.pipelining)?.id ?? '',
          catalogue,
          transports,
          settings,
        ),
    };
  });
}

/**
 * @param {CellPoint} cell
 * @param {Catalogue} catalogue
 * @returns {CellWords} what its plugins call it
 */
const wordsOf = ({ client, variant, scenario, scenarioOptions }, { clients, scenarios }) => ({
  scenario: scenarios.get(scenario)?.words?.(scenarioOptions) ?? null,
  variant: clients.get(client)?.variantWords?.[variant] ?? null,
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
function commandsAtOnce({ tasks, processes, rate, rateSearch }, modes, { pipelining }) {
  if ((rate ?? rateSearch) !== undefined) return OPEN_LOOP_AT_ONCE;
  const batches = [...modes.values()].map(
    ({ id, parameter }) => pipelining.get(id)?.batchSize?.(parameter) ?? 1,
  );
  return Math.max(...tasks) * Math.max(...processes) * Math.max(...batches);
}

/**
 * @param {Chosen | undefined} workload
 * @param {Catalogue} catalogue
 * @returns {number} how many processes it needs at least, each with a role of its own
 */
const rolesOf = (workload, { workloads }) =>
  (workload && workloads.get(workload.id)?.processes?.(workload.parameter)) ?? 1;

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
 * @param {CellPoint & Pick<Cell, 'release'>} cell
 * @param {string} chosenPipelining the id of its mode
 * @param {Catalogue} catalogue
 * @param {Transport[]} transports
 * @param {Settings} settings
 * @returns {string | null}
 */
function reasonToSkip(cell, chosenPipelining, catalogue, transports, { tlsCert }) {
  const client = catalogue.clients.get(cell.client);
  if (!transports.includes(cell.transport)) {
    return `the server was named by its ${transports.join(' and ')} address, which has no ${cell.transport}`;
  }
  if (client?.package && cell.release === null) {
    return `not installed: npm install ${client.package}`;
  }
  const scenario = catalogue.scenarios.get(cell.scenario);
  const conflict = scenario?.conflict?.(cell.scenarioOptions) ?? null;
  if (conflict !== null) return conflict;
  const needed = [
    ...(scenario?.requires?.(cell.scenarioOptions, cell.topology) ?? []),
    ...(catalogue.pipelining.get(chosenPipelining)?.requires ?? []),
    ...(cell.transport === 'tcp' ? [] : [cell.transport]),
    ...(cell.topology === 'standalone' ? [] : [cell.topology]),
    ...(tlsCert === undefined ? [] : ['client-certificate']),
  ];
  const missing = needed.filter((capability) => !client?.capabilities.has(capability));
  if (missing.length > 0) {
    const reasons = missing.map((capability) => client?.lacks?.[capability] ?? `no ${capability}`);
    return `${cell.client} has ${reasons.join(', ')}`;
  }
  const tooNew = [cell.variant, ...needed].find((name) => isNewerThan(client?.since?.[name], cell.release));
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
