import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { present } from '../collections.js';
import { UsageError } from '../errors.js';
import { mainFileOf } from '../machine/packages.js';
import { loadCatalogue, loadOptions, takeOwnFiles } from '../options/catalogue.js';
import { loadConfig, withOwnValues } from '../options/client-options.js';
import { checkDeclared, missingIn } from '../options/declared-options.js';
import { OPTIONS } from '../options/option-table.js';
import { assertKnownName } from '../options/plugin-names.js';
import { byTableNames, resolveFor } from '../options/read.js';
import { loadPlugin, pluginIds } from '../plugins/registry.js';
import { factText } from '../report/fact-words.js';
import { findSources } from '../server/sources.js';
import { createCells, readNames } from './plan/cells.js';
import { waitOf } from './plan/loads.js';
import { groupsOf, withinBudget } from './plan/plan.js';

/** @import { CommandData, Measuring } from '../commands/types.js' */
/** @import { Settings } from '../options/types.js' */
/** @import { Cell, ReadNames, ServerChoice, Sources } from './plan/types.js' */
/** @import { Catalogue, Chosen, PluginFolders, SuitePlugin } from '../plugins/types.js' */
/** @import { Notice } from '../store/types.js' */
/** @import { ServerSource } from '../server/sources.js' */
/** @import { BareEvent, BenchmarkOptions } from '../commands/benchmark/types.js' */

/**
 * @param {Measuring | CommandData} command @param {BenchmarkOptions} given
 * @param {{pluginFolders: PluginFolders, urlOrigin: string | undefined}} hooks
 * @param {SuitePlugin} [ownSuite] instead of the one that is named
 */
export async function readGiven(command, { suite: name, ...rest }, { pluginFolders, urlOrigin }, ownSuite) {
  const isBenchmark = !('takes' in command);
  const own = (await command.ownOptions?.()) ?? {};
  const { options, folders } = takeOwnFiles(
    byTableNames({ ...OPTIONS, ...own }, rest),
    OPTIONS,
    pluginFolders,
  );
  const table = await loadOptions(folders, own);
  const suite = isBenchmark
    ? (ownSuite ?? (await loadSuite(name, folders)))
    : { id: command.name, title: command.title, summary: '', options: {} };
  const settings = withSeed(
    isBenchmark ? await present(command.resolve)(options, suite, table) : resolveFor(command, options, table),
  );
  await command.checkSettings?.(settings);
  const servers = await findSources(settings, urlOrigin, command.otherServers?.(settings));
  return { options, command, suite, folders, settings, servers };
}

/** @param {string | undefined} name @param {PluginFolders} folders @returns {Promise<SuitePlugin>} @throws {UsageError} */
async function loadSuite(name = 'default', folders) {
  return loadPlugin('suites', assertKnownName('suite', `${name}`, pluginIds('suites', folders)), folders);
}

/** @typedef {Awaited<ReturnType<typeof readGiven>>} Asked */
/** @typedef {Awaited<ReturnType<typeof prepare>>} Prepared */

/** @typedef {{signal: AbortSignal, onEvent: (event: BareEvent) => void, findReleases?: typeof findReleases}} PrepareHooks */

/**
 * Reads and checks options, and finds plugins and releases; needs no server.
 * @param {Asked} asked @param {{settingsFor(settings: Settings): Settings} | null} fleet @param {PrepareHooks} hooks
 */
export async function prepare(asked, fleet, hooks) {
  const { options, command, suite, folders, settings: given, servers } = asked;
  const onMachines = fleet?.settingsFor(given) ?? given;
  const catalogue = await loadCatalogue(folders, onMachines);
  const names = await loadWorkloads(readNames(onMachines, catalogue), catalogue);
  const workloads = [...names.chosen.workload.values()];
  if (workloads.some(({ id }) => id === 'command'))
    (await import('./try-commands.js')).checkPermissions(workloads, { ...onMachines, servers });
  const timed = withTimeToWait(onMachines, workloads, catalogue);
  const recorded = asRecorded(timed, names, [options, suite.options]);
  const measured = names.clients.map(({ client }) => client);
  const config = await loadConfig(onMachines.config, measured, catalogue.clients);
  const about = { clients: names.clients, known: catalogue.clients, config: config.options };
  const { settings, notes: settled } = (await command.settle?.(recorded, about)) ?? {
    settings: recorded,
    notes: [],
  };
  const libraries = await findLibraries(names, settings, catalogue, hooks);
  const unchecked = checkOptions(names, config, onMachines, catalogue, libraries.releases);
  const plan = (await command.plan?.()) ?? {};
  const sourcesOfCells = { ...libraries, servers: servers.map(choiceOf), command: plan };
  const all = createCells(settings, catalogue, [], sourcesOfCells);
  const cells = withinBudget(all, settings);
  if (groupsOf(cells).length === 0) throw new UsageError(nothingToRun(cells));
  const clientOptions = withOwnValues(config.options, settings, catalogue.clients);
  const notes = workloads.flatMap(
    ({ id, parameter }) => catalogue.workloads.get(id)?.notes?.(parameter) ?? [],
  );
  for (const fact of [...settled, ...notes]) hooks.onEvent({ type: 'note', cell: null, fact });
  const own = await command.prepare?.(settings, cells.map(withReason), hooks.onEvent);
  return {
    catalogue,
    cells,
    clientOptions,
    releases: libraries.releases,
    plan,
    command,
    suite,
    settings,
    sources: servers,
    warningFacts: [...config.warnings, ...unchecked, ...libraries.notices],
    own,
  };
}

/** @param {ServerSource} source @returns {ServerChoice} */
export const choiceOf = ({ server, serverConfig, transports }) => ({
  ...(server !== null && { server }),
  ...(serverConfig !== null && { serverConfig }),
  transports,
});

/**
 * Where a workload was recorded, its number of tasks is the default.
 * @param {Settings} settings @param {ReadNames} names @param {Record<string, unknown>[]} chosenBefore by user and suite
 * @returns {Settings}
 */
function asRecorded(settings, { chosen }, chosenBefore) {
  const tasks = [...chosen.workload.values()].map(({ data }) => data?.tasks ?? 0);
  if (chosenBefore.some((options) => options.tasks !== undefined) || tasks.includes(0)) return settings;
  return { ...settings, tasks: [Math.max(...tasks)] };
}

/** At the end of a run, tasks wait for the last one that waits, and do nothing else. */
const WAITS_OF_A_RUN = 20;

/** @param {Settings} settings @param {Chosen[]} workloads @param {Catalogue} catalogue @returns {Settings} */
function withTimeToWait(settings, workloads, catalogue) {
  const { iterations, durationMs, runTimeMs, smoke } = settings;
  const waitMs = Math.max(0, ...workloads.map((workload) => waitOf(workload, catalogue)));
  if (waitMs === 0 || smoke || iterations !== 'auto' || durationMs !== undefined) return settings;
  return { ...settings, durationMs: Math.max(runTimeMs, WAITS_OF_A_RUN * waitMs) };
}

/**
 * Runs once, so that every cell gets the same releases.
 * @param {ReadNames} names @param {Settings} settings @param {Catalogue} catalogue @param {PrepareHooks} hooks
 */
async function findLibraries(
  names,
  settings,
  catalogue,
  { signal, onEvent, findReleases: find = findReleases },
) {
  const runtimes = settings.nodeBin ? await (await releasing()).checkNodeBinaries(settings.nodeBin) : [];
  const found = settings.import
    ? await (await import('../machine/imports.js')).findImports(settings.import, runtimes, signal)
    : { notices: [] };
  const releases = await find(names.clients, catalogue, {
    signal,
    onInstall: (release, folder) => onEvent({ type: 'install', release, folder }),
  });
  return { names, releases, runtimes, ...found };
}

/**
 * @param {ReadNames} names @param {Awaited<ReturnType<typeof loadConfig>>} config @param {Settings} settings
 * @param {Catalogue} catalogue @param {Sources['releases']} releases
 * @returns {Notice[]} which options could not be checked, and which of a variant are missing @throws {UsageError} for one that its client does not take
 */
function checkOptions(
  { clients },
  { options, source },
  { topology },
  { clients: known, packages },
  releases,
) {
  /** @type {Map<string, Notice>} */
  const notices = new Map();
  const add = (/** @type {Notice} */ notice) => notices.set(JSON.stringify(notice), notice);
  for (const { client: id, variant, wanted, own } of clients) {
    const client = present(known.get(id));
    const release = releases?.get(`${id}@${wanted}`);
    const name = client.package ?? '';
    const installed = packages[name] ?? null;
    const version = release?.version ?? installed;
    const here = version === installed ? mainFileOf(name) : null;
    const main = release?.entry ? fileURLToPath(release.entry) : here;
    const measured = { client, version, main };
    const unchecked = [
      ...checkDeclared(options[id] ?? {}, source, measured, topology),
      ...checkDeclared(own?.options ?? {}, `--clients ${id}{…}`, measured, topology),
    ];
    const missing = missingIn(own?.base ?? variant, measured);
    if (unchecked.length > 0) add({ kind: 'options-unchecked', client: id, version, options: unchecked });
    if (missing.length > 0)
      add({ kind: 'variant-partly', client: id, version, variant: own?.base ?? variant, options: missing });
  }
  return [...notices.values()];
}

/** Few benchmarks ask for releases or other versions of Node. */
const releasing = () => import('../machine/releases.js');

/** @type {typeof import('../machine/releases.js').resolveReleases} */
async function findReleases(asked, catalogue, hooks) {
  if (asked.every(({ wanted }) => wanted === null)) return new Map();
  return (await releasing()).resolveReleases(asked, catalogue, hooks);
}

/** @param {ReadNames} names @param {Catalogue} catalogue @returns {Promise<ReadNames>} with named files read */
async function loadWorkloads({ chosen, clients }, { workloads }) {
  /** @type {ReadNames['chosen']['workload']} */
  const loaded = new Map();
  for (const [name, named] of chosen.workload) {
    const plugin = workloads.get(named.id);
    const parameter = (await plugin?.load?.(named.parameter)) ?? named.parameter;
    loaded.set(name, { ...named, parameter, ...(plugin?.data && { data: plugin.data(parameter) }) });
  }
  return { clients, chosen: { ...chosen, workload: loaded } };
}

/** @param {Settings} settings */
const withSeed = (settings) => Object.freeze({ ...settings, seed: settings.seed ?? randomInt(1_000_000) });

/** Words the reason to skip a cell, for an error. @param {Cell} cell */
const withReason = (cell) => ({ ...cell, ...(cell.skipped && { reason: factText(cell.skipped) }) });

/** @param {Cell[]} cells */
export const nothingToRun = (cells) =>
  `there is nothing to measure, every cell is skipped: ${[...new Set(cells.map((cell) => withReason(cell).reason))].join('; ')}`;
