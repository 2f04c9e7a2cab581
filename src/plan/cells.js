import { knownName, parseChoice, parseClient } from './names.js';
import { boundLoad, loadConflict, loadsOf } from './open-loop.js';
import { product } from './product.js';
import { expandScenario } from './scenario-axes.js';
import { sizesOf } from './sizes.js';

/**
 * Every cell that the settings ask for, in the order in which a reader would list them. What cannot
 * be combined is a cell as well, with the reason for skipping it.
 *
 * @param {import('../types.js').Settings} settings
 * @param {import('../types.js').Catalogue} catalogue
 * @param {import('../types.js').Transport[]} transports those that the server offers
 * @returns {import('../types.js').Cell[]}
 * @throws {UsageError} for a name that is none
 */
export function createCells(settings, catalogue, transports) {
  const clients = numbered(settings.clients.map((name) => parseClient(name, catalogue.clients)));
  for (const name of settings.scenarios) knownName('scenario', name, catalogue.scenarios.keys());
  const chosen = choicesOf(settings, catalogue);
  const workloads = [...chosen.workload.keys()];
  return product({
    workload: workloads,
    sizes: settings.topology.flatMap((topology) => sizesOf(settings, topology)),
    tasks: settings.tasks,
    transport: settings.transport ?? [transports[0]],
    pipelining: settings.pipelining,
    pin: settings.pin,
    load: loadsOf(settings),
    processes: settings.processes,
    client: clients,
    scenario: settings.scenarios.flatMap((id) => expandScenario(id, catalogue.scenarios, settings)),
  }).map(({ client, scenario, sizes, load, ...point }) => {
    const wanted = { ...client, ...scenario, ...sizes, ...point };
    const cell = { ...wanted, openLoop: boundLoad(load, wanted, settings) };
    return {
      id: idOf(cell),
      group: groupOf(cell),
      ...cell,
      chosen: {
        pipelining: /** @type {Chosen} */ (chosen.pipelining.get(cell.pipelining)),
        workload: /** @type {Chosen} */ (chosen.workload.get(cell.workload)),
      },
      floor: catalogue.clients.get(cell.client)?.floor ?? false,
      skipped:
        topologyConflict(cell, settings) ??
        (cell.openLoop && loadConflict(cell.openLoop, cell.processes, sendingOf(chosen, cell, catalogue))) ??
        reasonToSkip(cell, chosen.pipelining.get(cell.pipelining)?.id ?? '', catalogue, transports),
    };
  });
}

/**
 * A client that is named twice is measured twice: the difference between the two is the noise of this
 * machine (an A/A comparison).
 *
 * @param {{client: string, variant: string}[]} clients
 */
const numbered = (clients) =>
  clients.map((each, index) => ({
    ...each,
    copy: clients
      .slice(0, index + 1)
      .filter((other) => other.client === each.client && other.variant === each.variant).length,
  }));

/**
 * @typedef {import('../types.js').Chosen} Chosen
 *
 * @param {import('../types.js').Settings} settings
 * @param {import('../types.js').Catalogue} catalogue
 * @returns {Record<'workload' | 'pipelining', Map<string, Chosen>>} by their names
 */
function choicesOf({ workload, command, prepare, pipelining }, catalogue) {
  const workloads = command === undefined ? workload : [`command:${command}`];
  return {
    workload: new Map(
      workloads.map((name) => [name, parseChoice('workload', name, catalogue.workloads, { prepare })]),
    ),
    pipelining: new Map(
      pipelining.map((name) => [name, parseChoice('pipelining mode', name, catalogue.pipelining)]),
    ),
  };
}

/**
 * @param {Record<'workload' | 'pipelining', Map<string, Chosen>>} chosen
 * @param {Pick<import('../types.js').CellPoint, 'workload' | 'pipelining'>} cell
 * @param {import('../types.js').Catalogue} catalogue
 */
function sendingOf(chosen, { workload, pipelining }, catalogue) {
  const mode = /** @type {Chosen} */ (chosen.pipelining.get(pipelining));
  const work = /** @type {Chosen} */ (chosen.workload.get(workload));
  return {
    batchSize: catalogue.pipelining.get(mode.id)?.batchSize?.(mode.parameter),
    commands: commandsOf(catalogue.workloads.get(work.id)?.cycle(work.parameter) ?? []),
  };
}

/** @param {import('../types.js').Step[][]} cycle @returns {number} in the longest of its iterations */
const commandsOf = (cycle) => Math.max(...cycle.map((steps) => steps.length));

/**
 * @param {import('../types.js').CellPoint} cell
 * @param {import('../types.js').Settings} settings
 * @returns {string | null} why its topology cannot be had
 */
function topologyConflict(cell, { topology, url, socket }) {
  if (cell.topology === 'standalone') return null;
  if (cell.transport === 'unix') return 'a cluster is reached by host and port, not by a unix socket';
  if (topology.length > 1 && (url ?? socket) !== undefined) {
    return 'the server was named by its address, taken for a standalone one; for a cluster use --topology cluster';
  }
  return null;
}

/**
 * @param {import('../types.js').CellPoint} cell
 * @param {string} chosenPipelining the id of its mode
 * @param {import('../types.js').Catalogue} catalogue
 * @param {import('../types.js').Transport[]} transports
 * @returns {string | null}
 */
function reasonToSkip(cell, chosenPipelining, catalogue, transports) {
  const client = catalogue.clients.get(cell.client);
  if (!transports.includes(cell.transport)) {
    return `the server was named by its ${transports.join(' and ')} address, which has no ${cell.transport}`;
  }
  if (client?.package && !(client.package in catalogue.packages)) {
    return `not installed: npm install ${client.package}`;
  }
  const needed = [
    ...(catalogue.scenarios.get(cell.scenario)?.requires?.(cell.scenarioOptions, cell.topology) ?? []),
    ...(catalogue.pipelining.get(chosenPipelining)?.requires ?? []),
    ...(cell.transport === 'tcp' ? [] : [cell.transport]),
    ...(cell.topology === 'standalone' ? [] : [cell.topology]),
  ];
  const missing = needed.filter((capability) => !client?.capabilities.has(capability));
  if (missing.length === 0) return null;
  const reasons = missing.map((capability) => client?.lacks?.[capability] ?? `no ${capability}`);
  return `${cell.client} has ${reasons.join(', ')}`;
}

/** @param {import('../types.js').CellPoint} cell */
const groupOf = ({ workload, topology, keySize, valueSize, shortestValue, keys, tasks, openLoop }) =>
  [
    ...[workload, topology, `${keySize}x${shortestValue < valueSize ? `${shortestValue}-` : ''}${valueSize}`],
    ...[...(keys > 1 ? [`${keys} keys`] : []), tasks],
    ...(openLoop === null ? [] : [`${openLoop.ratePerSecond}/s ${openLoop.arrivals}`]),
  ].join('/');

/** @param {import('../types.js').CellPoint} cell */
const idOf = (cell) =>
  [
    `${cell.client}:${cell.variant}${cell.copy > 1 ? `#${cell.copy}` : ''}`,
    [cell.scenario, ...Object.values(cell.scenarioOptions)].join(':'),
    ...[cell.pipelining, cell.transport, cell.pin],
    ...(cell.processes > 1 ? [`${cell.processes} processes`] : []),
    groupOf(cell),
  ].join('/');
