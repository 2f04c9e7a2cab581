import { AXES, groupOf, idOf } from '../../axes/all-axes.js';
import { clientKey } from '../../axes/client-and-server.js';
import { present } from '../../collections.js';
import { UsageError } from '../../errors.js';
import { withoutFolders } from '../../long-names.js';
import { parseClient } from '../../options/client-options.js';
import { codeText, inlineText } from '../../options/inline-options.js';
import { COMPARABLE } from '../../options/option-table.js';
import { choicesOf } from '../../options/plugin-names.js';
import {
  batchSizeOf,
  boundLoad,
  loadsOf,
  requestOf,
  requestSizeOf,
  rolesOf,
  underWayIn,
  waysFor,
} from './loads.js';
import { reasonToSkip } from './reason-to-skip.js';
import { checkLength, longestValue, MARK_LENGTH, product, sizesOf, sizesOfWorkload } from './sizes.js';

/** @import { AxisRole, CellWords } from '../../axes/types.js' */
/** @import { CommandPlan } from '../../commands/types.js' */
/** @import { Settings, Transport } from '../../options/types.js' */
/** @import { Cell, CellPoint, ReadNames, Sources, AskedClient } from './types.js' */
/** @import { Catalogue, Chosen, ScenarioOptions, ClientPlugin } from '../../plugins/types.js' */
/** @import { Release } from '../../machine/types.js' */

/**
 * Every cell that the settings ask for, in reading order. What cannot be combined is a cell with a reason to skip it.
 * @param {Settings} settings @param {Catalogue} catalogue
 * @param {Transport[]} transports that the server offers, where there is one @param {Sources} [sources]
 * @returns {Cell[]} @throws {UsageError} for an unknown name
 */
export function createCells(settings, catalogue, transports, sources = {}) {
  const {
    names = readNames(settings, catalogue),
    releases = new Map(),
    runtimes = [],
    imports = [null],
  } = sources;
  const { servers = [{ transports }], command = {} } = sources;
  const clients = chooseClients(names.clients, releases, catalogue);
  checkWorkloads(settings, [...names.chosen.workload.values()], catalogue);
  const atOnce = commandsAtOnce(settings, names.chosen, catalogue);
  const compared = settings.compare.flatMap((name) => COMPARABLE[name]);
  const sizes = settings.topology.flatMap((topology) => sizesOf(settings, topology, atOnce));
  const data = [...names.chosen.workload].flatMap((named) => dataOf(named, sizes, settings, catalogue));
  // Cells of a table store the same under the same keys, unless these are marked.
  const markOf = (/** @type {number} */ index) => index.toString(36).padStart(MARK_LENGTH, '0');
  return product({
    data: compared.length > 0 ? data.map((each, index) => ({ ...each, keyMark: markOf(index) })) : data,
    situation: askedOf('condition', settings),
    server: servers,
    choices: askedOf('choice', settings),
    transport: settings.transport ?? [null],
    pipelining: settings.pipelining,
    pin: settings.pin,
    runtime: runtimes.length > 0 ? runtimes : [null],
    imported: imports,
    load: loadsOf(settings, catalogue.scenarios, command),
    processes: settings.processes,
    client: clients,
    scenario: settings.scenarios.flatMap((id) => expandScenario(id, catalogue.scenarios, settings)),
  }).map(({ client, scenario, data, runtime, imported, load, situation, server, choices, ...at }) => {
    const { release, ...named } = client;
    const { transports: offered, ...choice } = server;
    const chosen = {
      pipelining: present(names.chosen.pipelining.get(at.pipelining)),
      workload: present(names.chosen.workload.get(data.workload)),
    };
    const wanted = {
      ...named,
      node: runtime?.name ?? null,
      ...(imported && { imported }),
      ...scenario,
      ...data,
      ...at,
      ...choice,
      transport: at.transport ?? offered[0],
      ...situation,
      ...choices,
      ...(compared.length > 0 && { compared }),
      processes: at.processes * rolesOf(chosen.workload, catalogue),
    };
    const valueSize = longestValue({ ...wanted, chosen }, catalogue);
    const keys = keysOf({ ...wanted, openLoop: load }, chosen, settings, catalogue, command);
    const sized = { ...wanted, keys };
    const cell = { ...sized, openLoop: boundLoad(load, { ...sized, valueSize, chosen }, settings, command) };
    return {
      id: idOf({ ...cell, chosen }),
      group: groupOf({ ...cell, chosen }),
      ...cell,
      release,
      runtime,
      chosen,
      words: wordsOf({ ...cell, chosen }, catalogue),
      inFlight: cell.way === undefined ? underWayOf(cell, chosen.pipelining, catalogue) : null,
      floor: catalogue.clients.get(cell.client)?.floor ?? false,
      ...(hasOwnCode({ ...cell, chosen }, catalogue) && OWN_CODE),
      skipped: reasonToSkip({ ...cell, release, chosen }, catalogue, offered, settings, command),
    };
  });
}

/** @type {Pick<Cell, 'ownCode'>} */
const OWN_CODE = { ownCode: true };

/** Whether a file of the user's is part of it. @param {Pick<Cell, 'client' | 'scenario' | 'chosen'>} cell @param {Catalogue} catalogue */
const hasOwnCode = ({ client, scenario, chosen }, { clients, scenarios, workloads }) =>
  [clients.get(client), scenarios.get(scenario), workloads.get(chosen.workload.id)].some(
    (plugin) => plugin?.isOwn,
  );

/** @param {CellPoint} cell @param {Chosen} pipelining @param {Catalogue} catalogue @returns {Cell['inFlight']} as far as its client lets it */
function underWayOf(cell, pipelining, catalogue) {
  const found = underWayIn(cell, pipelining, catalogue);
  const client = catalogue.clients.get(cell.client);
  const { connections = () => 1 } = catalogue.scenarios.get(cell.scenario) ?? {};
  const limit = client?.atOnce?.(cell.topology, optionsOf(cell, client));
  if (!found || limit === undefined) return found;
  const most = limit.most * connections(cell.tasks, cell.scenarioOptions);
  return most < found.atOnce ? { ...found, atOnce: most, limit: limit.option } : found;
}

/**
 * @param {CellPoint} cell
 * @param {Record<'workload', Chosen>} chosen
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 * @param {CommandPlan} command
 */
function keysOf(cell, { workload }, settings, catalogue, command) {
  const account = workload.ownKeys ? catalogue.workloads.get(workload.id)?.account : undefined;
  const keysPerOperation = requestSizeOf(workload, catalogue);
  return command.keys?.(cell, { account, keysPerOperation }, settings) ?? cell.keys;
}

/** @param {AxisRole} role @param {Settings} settings @returns {Pick<CellPoint, 'tasks' | 'appWorkUs'>[]} each combination of these axes */
function askedOf(role, settings) {
  const asked = AXES.flatMap((axis) =>
    typeof axis === 'object' && axis.role === role && axis.asked ? [[axis.id, axis.asked(settings)]] : [],
  );
  return product(Object.fromEntries(asked)).map((parts) => Object.assign({}, ...Object.values(parts)));
}

/**
 * @param {[name: string, Chosen]} named a workload @param {ReturnType<typeof sizesOf>} sizes
 * @param {Settings} settings @param {Catalogue} catalogue
 */
function dataOf([workload, chosen], sizes, { topology: topologies, way }, catalogue) {
  const { data } = chosen;
  const request = requestOf(chosen, catalogue);
  /** @type {{way?: string}[]} */
  const ways = request ? (way ?? waysFor(request.kind, catalogue)).map((each) => ({ way: each })) : [{}];
  // Sizes are averages.
  const { keys = 0, keyBytes: keySize = 0, valueBytes: valueSize = 0 } = data ?? {};
  const own = { keySize, valueSize, shortestValue: valueSize, keys };
  const all = data ? topologies.map((topology) => ({ topology, ...own })) : sizes;
  return all.flatMap((each) => ways.map((way) => ({ workload, ...each, ...way })));
}

/**
 * @param {Settings} settings @param {Chosen[]} workloads @param {Catalogue} catalogue
 * @throws {UsageError} for a size that values cannot have, or a way where no workload has requests
 */
function checkWorkloads({ way, value }, workloads, catalogue) {
  const sizes = workloads.flatMap((workload) => sizesOfWorkload(workload, catalogue.workloads));
  for (const size of sizes) checkLength(size, value);
  if (way === undefined) return;
  if (workloads.some((workload) => requestOf(workload, catalogue) !== undefined)) return;
  throw new UsageError(
    '--way says how requests are coded (fetch, store and several commands in one), or how cache-aside fills; add --workload fetch:20, or leave it out',
  );
}

/** A sustained rate needs far fewer than the 10,000 that may be in flight. */
const OPEN_LOOP_AT_ONCE = 1000;

/**
 * @param {Settings} settings @param {Record<'workload' | 'pipelining', Map<string, Chosen>>} chosen
 * @param {Catalogue} catalogue
 * @returns {number} most operations in flight; the same for all cells, so that more tasks do not mean more keys
 */
function commandsAtOnce({ tasks, processes, rate, rateSearch, speed }, { workload, pipelining }, catalogue) {
  if ((rate ?? speed ?? rateSearch) !== undefined) return OPEN_LOOP_AT_ONCE;
  const batches = [...pipelining.values()].map((mode) => batchSizeOf(mode, catalogue) ?? 1);
  const requests = [...workload.values()].map((each) => requestSizeOf(each, catalogue));
  return Math.max(...tasks) * Math.max(...processes) * Math.max(...batches, ...requests);
}

/** @template {CellPoint} Point @param {Point} cell of an open loop @param {number} ratePerSecond @returns {Point} */
export function atRate(cell, ratePerSecond) {
  const openLoop = { ...present(cell.openLoop), ratePerSecond };
  return { ...cell, openLoop, id: idOf({ ...cell, openLoop }) };
}

/**
 * @param {string} scenario @param {Catalogue['scenarios']} scenarios @param {Record<string, any>} settings
 * @returns {{scenario: string, scenarioOptions: ScenarioOptions}[]} with each combination of its own options
 */
export function expandScenario(scenario, scenarios, settings) {
  const own = Object.entries(scenarios.get(scenario)?.ownOptions ?? {});
  const axes = Object.fromEntries(own.map(([name, option]) => [name, settings[name] ?? option.default]));
  return product(axes).map((scenarioOptions) => ({ scenario, scenarioOptions }));
}

/** @param {CellPoint & Pick<Cell, 'chosen'>} cell @param {Catalogue} catalogue @returns {CellWords} */
function wordsOf({ chosen: { workload }, ...cell }, catalogue) {
  const { clients, scenarios, ways } = catalogue;
  const { client, variant, ownVariant, scenario, scenarioOptions } = cell;
  const code = codeOf(cell, clients.get(client));
  const kind = requestOf(workload, catalogue)?.kind;
  const way = kind && waysFor(kind, catalogue).includes(`${cell.way}`) ? ways.get(`${cell.way}`) : undefined;
  return {
    ...(way && kind && { way: { row: (way.ofMany && kind.many?.command.toUpperCase()) || way.title } }),
    scenario: scenarios.get(scenario)?.words?.(scenarioOptions) ?? null,
    variant: ownVariant
      ? `set ${inlineText(ownVariant.options).slice(1, -1)}`
      : (clients.get(client)?.variantWords?.[variant] ?? null),
    ...(code !== null && { code }),
  };
}

/** @param {Pick<CellPoint, 'variant' | 'ownVariant'>} named @param {ClientPlugin} [client] @returns {Record<string, unknown>} of its variant */
const optionsOf = ({ variant, ownVariant }, client) => ({
  ...client?.variants[ownVariant?.base ?? variant],
  ...ownVariant?.options,
});

/** The call that connects, if one call does. @param {CellPoint} cell @param {ClientPlugin} [client] @returns {string | null} */
function codeOf({ topology, scenarioOptions, ...named }, client) {
  const options = optionsOf(named, client);
  const isOwnPool = scenarioOptions?.pool === 'native';
  if (!client?.constructs || topology !== 'standalone' || isOwnPool) return null;
  const text = Object.keys(options).length > 0 ? codeText(options) : null;
  return text && `${client.constructs}(${text})`;
}

/**
 * Parses every name before anything is looked up.
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 * @returns {ReadNames}
 * @throws {UsageError}
 */
export function readNames(settings, catalogue) {
  const chosen = choicesOf(settings, catalogue);
  checkBatches(settings, chosen.pipelining, catalogue);
  return { chosen, clients: settings.clients.map((name) => parseClient(name, catalogue.clients)) };
}

/** Smaller batches than the cell's name says are refused. @param {Settings} settings @param {Map<string, Chosen>} modes @param {Catalogue} catalogue */
function checkBatches({ iterations, smoke }, modes, catalogue) {
  if (typeof iterations !== 'number' || smoke) return;
  for (const [name, mode] of modes) {
    const size = batchSizeOf(mode, catalogue) ?? 1;
    if (size > iterations) {
      throw new UsageError(
        `--iterations ${iterations} never fills a batch of ${name}; expected at least ${size} iterations, or smaller batches`,
      );
    }
  }
}

/** @param {AskedClient[]} asked @param {Map<string, Release>} releases by `redis@5.8` @param {Catalogue} catalogue */
function chooseClients(asked, releases, { clients: known, packages }) {
  const wanteds = withoutFolders(asked.map(({ wanted }) => wanted ?? ''));
  const clients = asked.map(({ client, variant, wanted, own }, place) => {
    const name = known.get(client)?.package ?? null;
    const chosen = { client, variant, ...(own && { ownVariant: own }) };
    if (wanted !== null) {
      const release = present(releases.get(`${client}@${wanted}`));
      // A checkout often has the version of the release that it was made from.
      return { ...chosen, version: release.path === null ? release.version : wanteds[place], release };
    }
    if (name === null || !(name in packages)) return { ...chosen, version: null, release: null };
    const release = { package: name, version: packages[name], path: null, entry: null, commit: null };
    return { ...chosen, version: null, release };
  });
  const keys = clients.map(clientKey);
  // A client that is named twice is measured twice: an A/A comparison.
  return clients.map((each, index) => ({
    ...each,
    copy: keys.slice(0, index + 1).filter((key) => key === keys[index]).length,
  }));
}
