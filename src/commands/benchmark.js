import { randomInt } from 'node:crypto';
import { withMachines } from '../agents/agent-settings.js';
import { openCrew } from '../agents/open-crew.js';
import { checkReferences } from '../analysis/assertions/references.js';
import { messageOf, UsageError } from '../errors.js';
import { describeEnvironment, describeTool } from '../machine/environment.js';
import { checkNodeBinaries } from '../machine/node-binaries.js';
import { openFilesLimit } from '../machine/open-files-and-ports.js';
import { installedPackages } from '../machine/releases/installed.js';
import { resolveReleases } from '../machine/releases/resolve.js';
import { loadOptions } from '../options/all-options.js';
import { withOwnValues } from '../options/client-options.js';
import { loadConfig } from '../options/load-config.js';
import { loadSuite } from '../options/load-suite.js';
import { OPTIONS } from '../options/option-table.js';
import { takeOwnFiles } from '../options/own-files.js';
import { knownName } from '../options/plugin-names.js';
import { resolveOptions } from '../options/resolve-options.js';
import { usedForLess } from '../options/unused.js';
import { checkBatches } from '../plan/batches.js';
import { readNames } from '../plan/clients.js';
import { checkMapPlan } from '../plan/map-plan.js';
import { createPlan, limitPlan } from '../plan/plan.js';
import { withRunTime } from '../plan/run-time.js';
import { serversNeeded } from '../plan/server-needs.js';
import { loadPlugin, loadPlugins, ownPluginFiles, pluginIds } from '../plugins/registry.js';
import { withWords } from '../report/words/findings.js';
import { printableDeep } from '../report/words/printable.js';
import { createHeader, createReport } from '../results/create-report.js';
import { createProfileFiles } from '../results/profile-files.js';
import { userStateFolder } from '../results/state-folder.js';
import { placeServers, runPlan } from '../runner/run-plan.js';
import { openServers } from '../server/open.js';
import { findSources } from '../server/sources.js';
import { visitsOfMap } from './map-visits.js';
import { checkMemory } from './memory-check.js';
import { chooseProfiled } from './profiled-cells.js';

/**
 * @import * as api from '../api.js'
 * @import { Crew } from '../agents/types.js'
 * @import { Settings } from '../options/types.js'
 * @import { Limits, Plan, ReadNames, Sources } from '../plan/types.js'
 * @import { Catalogue, Chosen, PluginFile, PluginFolders } from '../plugins/types.js'
 * @import { ResultEnd, ResultLine, ResultRecord } from '../results/types.js'
 * @import { PlanContext, PlanOutcome } from '../runner/types.js'
 * @import { Server } from '../server/types.js'
 * @import { BenchmarkEvent, BenchmarkOptions } from './types.js'
 */

/** Used when the caller does not describe the terminal. */
const VIEW = {
  color: false,
  width: 100,
  plot: false,
  details: false,
  detailsCommand: null,
  unicode: true,
};

/** @type {typeof api.benchmark} */
export async function benchmark(
  given = {},
  {
    signal = new AbortController().signal,
    onEvent = () => {},
    onLine = () => {},
    urlOrigin,
    stateFolder = userStateFolder(),
    pluginFolders = {},
  } = {},
) {
  const startedAt = new Date();
  const asked = await readGiven(given, pluginFolders, urlOrigin);
  const crew = await openCrew(asked.settings);
  try {
    const prepared = await prepare(asked, crew, { signal, onEvent });
    const { sources, settings, wanted } = prepared;
    const needed = serversNeeded(sources, settings.topology, wanted.groups.flat());
    const servers = await openServers(needed, settings);
    try {
      await crew?.check(servers, wantsOf(prepared));
      return await measure(prepared, servers, crew, { startedAt, signal, onEvent, onLine, stateFolder });
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  } finally {
    await crew?.close();
  }
}

/**
 * @param {BenchmarkOptions} given
 * @param {PluginFolders} folders
 * @param {string | undefined} urlOrigin
 */
async function readGiven(given, folders, urlOrigin) {
  const { suite: suiteName = 'default', ...rest } = given;
  const own = takeOwnFiles(rest, OPTIONS, folders);
  const { options } = own;
  const suite = await loadSuite(suiteName, await loadOptions(own.folders), {
    beside: options,
    folders: own.folders,
  });
  const settings = withSeed(resolveOptions(options, suite, await loadOptions(suite.folders)));
  return { options, suite, settings, servers: await findSources(settings, urlOrigin) };
}

/**
 * Everything that needs no server: options are read and checked, plugins and releases are found.
 *
 * @param {Awaited<ReturnType<typeof readGiven>>} asked
 * @param {Crew | null} crew
 * @param {{signal: AbortSignal, onEvent: (event: BenchmarkEvent) => void}} hooks
 */
async function prepare({ options, suite, settings: given, servers }, crew, hooks) {
  const asGiven = crew === null ? given : withMachines(given, crew);
  const catalogue = await loadCatalogue(suite.folders);
  checkBatches(asGiven, catalogue);
  const { variants, optionsOf } = await loadConfig(asGiven.config, catalogue.clients);
  const names = await loadWorkloads(readNames(asGiven, catalogue, variants), catalogue);
  const config = optionsOf(names.clients.map(({ client }) => client));
  const choices = servers.map(({ server, serverConfig, serverCopy, transports }) => ({
    ...(server !== null && { server }),
    ...(serverConfig !== null && { serverConfig }),
    ...(serverCopy > 1 && { serverCopy }),
    transports,
  }));
  const libraries = await findLibraries(names, asGiven, catalogue, hooks);
  const wanted = createPlan(asGiven, catalogue, [], { ...libraries, servers: choices });
  if (wanted.groups.length === 0) throw new UsageError(nothingToRun(wanted));
  const settings = withRunTime(asGiven, wanted);
  if (settings.budgetMs !== undefined) checkMapPlan(wanted, settings.budgetMs);
  checkReferences(settings.assert, settings.assertStrict, wanted.cells, {
    source: `an assertion of the suite '${suite.id}'`,
    // Where the user gave none, all are the suite's, those of its options too.
    count: options.assert === undefined ? settings.assert.length : (suite.assertions?.length ?? 0),
  });
  const clientOptions = withOwnValues(config.options, settings, catalogue.clients);
  const notReplayed = [...names.chosen.workload.values()].flatMap(
    ({ id, parameter }) => catalogue.workloads.get(id)?.notes?.(parameter) ?? [],
  );
  for (const message of notReplayed) hooks.onEvent({ type: 'note', cell: null, message });
  const ofWorkloads = [...names.chosen.workload.values()].flatMap(
    ({ id, parameter }) => catalogue.workloads.get(id)?.warnings?.(parameter) ?? [],
  );
  const warnings = [...usedForLess(settings, options), ...config.warnings, ...ofWorkloads];
  const keepProfile = profileFiles(settings, hooks.onEvent);
  const ownFiles = [...(catalogue.ownFiles ?? []), ...filesOf(names, catalogue)];
  const found = { catalogue, wanted, clientOptions, ownFiles };
  return { ...found, suite, settings, sources: servers, warnings, keepProfile };
}

/**
 * @param {Awaited<ReturnType<typeof prepare>>} prepared
 * @param {Server[]} servers
 * @param {Crew | null} crew
 * @param {Pick<PlanContext, 'signal' | 'onEvent' | 'stateFolder'> & {startedAt: Date,
 *   onLine: (line: ResultLine) => void}} context
 */
async function measure({ wanted, ...prepared }, servers, crew, { startedAt, onLine, ...context }) {
  const { settings, catalogue, suite, clientOptions, keepProfile } = prepared;
  const limits = await limitsOf(servers, crew);
  const plan = limitPlan(wanted, settings, catalogue, limits);
  if (plan.groups.length === 0) throw new UsageError(nothingToRun(plan));
  const unchecked = servers.flatMap((server) => checkMemory(server, plan, settings, catalogue));
  const facts = servers.map((server) => server.facts);
  context.onEvent({ type: 'plan', plan, settings, server: facts[0], servers: facts });
  const places = await placeServers(servers, settings);
  const header = createHeader({
    plan,
    settings,
    suite,
    startedAt,
    environment: describeEnvironment(catalogue.packages, prepared.ownFiles),
    ...(crew !== null && { agents: crew.agents }),
    servers: facts,
    placements: places[0].placer.placements,
    tool: describeTool(),
  });
  onLine(header);
  /** @type {ResultRecord[]} */
  const records = [];
  /** @param {ResultRecord} line */
  const record = (line) => {
    records.push(line);
    onLine(line);
  };
  const capacity = capacityOf(limits);
  const { startWorkers } = crew ?? {};
  const toProfile = chooseProfiled(header, settings, records);
  const given = { settings, catalogue, clientOptions, capacity };
  const parts = { ...given, places, startWorkers, record, toProfile, keepProfile };
  const { budgetMs } = settings;
  const visits =
    budgetMs === undefined ? undefined : visitsOfMap(plan, { ...settings, budgetMs }, capacity, records);
  const outcome = await runPlan(plan, { ...context, ...parts }, visits);
  const warnings = [...prepared.warnings, ...(crew?.notes ?? []), ...unchecked, ...outcome.warnings];
  const end = endOf({ ...outcome, warnings }, context.signal.aborted);
  onLine(end);
  return withWords(createReport(header, records, end));
}

/**
 * @param {Settings} settings
 * @param {(event: BenchmarkEvent) => void} onEvent
 */
const profileFiles = ({ profile }, onEvent) =>
  profile?.folder == null
    ? undefined
    : createProfileFiles(profile.folder, (message) => onEvent({ type: 'note', cell: null, message }));

/**
 * @param {Server[]} servers
 * @param {Crew | null} crew
 * @returns {Promise<Limits>}
 */
const limitsOf = async (servers, crew) => ({
  files: crew === null ? await openFilesLimit() : leastFiles(crew),
  servers: Object.fromEntries(
    servers.map(({ key, freeConnections, facts }) => [
      key,
      { free: freeConnections, nodes: facts.nodes?.length ?? 1 },
    ]),
  ),
});

/** @param {Crew} crew @returns {number | null} files that a process may have open on every machine */
function leastFiles({ agents }) {
  const known = agents.flatMap(({ openFiles }) => openFiles ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** Files open in the tool itself, and for each worker: two pipes, a channel, and one to spare. */
const FILES = { own: 64, worker: 4 };

/** @param {Limits} limits */
const capacityOf = ({ files }) => ({
  bytes: process.availableMemory(),
  processes: Math.floor(((files ?? Number.POSITIVE_INFINITY) - FILES.own) / FILES.worker),
});

/**
 * Looks up the releases and Node binaries once, so that every cell gets the same ones.
 *
 * @param {ReadNames} names
 * @param {Settings} settings
 * @param {Catalogue} catalogue
 * @param {{signal: AbortSignal, onEvent: (event: BenchmarkEvent) => void}} hooks
 * @returns {Promise<Sources>}
 */
async function findLibraries(names, settings, catalogue, { signal, onEvent }) {
  const runtimes = await checkNodeBinaries(settings.nodeBin ?? []);
  const releases = await resolveReleases(names.clients, catalogue, {
    signal,
    onInstall: (release, folder) => onEvent({ type: 'install', release, folder }),
  });
  return { names, releases, runtimes };
}

/**
 * @param {ReadNames} names
 * @param {Catalogue} catalogue
 * @returns {Promise<ReadNames>} with what the parameters of workloads name, such as a file, read
 */
async function loadWorkloads({ chosen, ...names }, { workloads }) {
  const workload = await Promise.all(
    [...chosen.workload].map(async ([name, { parameter, ...each }]) => {
      const plugin = workloads.get(each.id);
      const loaded = (await plugin?.load?.(parameter)) ?? parameter;
      const data = plugin?.data && { data: plugin.data(loaded) };
      return /** @type {[string, Chosen]} */ ([name, { ...each, parameter: loaded, ...data }]);
    }),
  );
  return { ...names, chosen: { ...chosen, workload: new Map(workload) } };
}

/**
 * @param {ReadNames} names
 * @param {Catalogue} catalogue
 * @returns {PluginFile[]} what its workloads have read, each file once
 */
function filesOf({ chosen }, { workloads }) {
  const files = [...chosen.workload.values()].flatMap(({ id, parameter }) =>
    (workloads.get(id)?.files?.(parameter) ?? []).map((file) => ({
      kind: /** @type {const} */ ('workloads'),
      id,
      ...file,
    })),
  );
  return [...new Map(files.map((each) => [`${each.file} ${each.hash}`, each])).values()];
}

/** @type {typeof api.loadCatalogue} */
export async function loadCatalogue(folders = {}) {
  const [clients, scenarios, pipelining, workloads, suites, formats] = await Promise.all([
    loadPlugins('clients', folders),
    loadPlugins('scenarios', folders),
    loadPlugins('pipelining', folders),
    loadPlugins('workloads', folders),
    loadPlugins('suites', folders),
    loadPlugins('formats', folders),
  ]);
  const packages = installedPackages([...clients.values()].flatMap((client) => client.package ?? []));
  const ownFiles = ownPluginFiles(folders);
  return { clients, scenarios, pipelining, workloads, suites, formats, folders, packages, ownFiles };
}

/** @type {typeof api.renderParts} */
export async function renderParts(report, format, view = {}, { pluginFolders = {} } = {}) {
  const id = knownName('format', format, pluginIds('formats', pluginFolders));
  const reporter = await loadPlugin('formats', id, pluginFolders);
  const rendered = await inOneText(format, () =>
    reporter.render(printableDeep(report), { ...VIEW, ...view }),
  );
  return typeof rendered === 'string' ? [rendered] : rendered;
}

/** @type {typeof api.renderReport} */
export async function renderReport(report, format, view, sources) {
  const parts = await renderParts(report, format, view, sources);
  return inOneText(format, () => [...parts].join(''));
}

/**
 * @template T
 * @param {string} format
 * @param {() => T | Promise<T>} make
 * @returns {Promise<T>}
 * @throws {UsageError} where the text is longer than V8's longest string, half a gigabyte
 */
async function inOneText(format, make) {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof RangeError && error.message === 'Invalid string length')) throw error;
    throw new UsageError(
      `--format ${format}: these results are too large for one text; the saved file has a line for each run`,
    );
  }
}

/**
 * @param {PlanOutcome} outcome
 * @param {boolean} interrupted
 * @returns {ResultEnd}
 */
const endOf = ({ lost, halted, warnings }, interrupted) => ({
  type: 'end',
  finishedAt: new Date().toISOString(),
  partial: interrupted || lost !== null || halted !== null,
  failure: lost === null ? null : messageOf(lost),
  warnings,
});

/** @param {Settings} settings */
const withSeed = (settings) => ({ ...settings, seed: settings.seed ?? randomInt(1_000_000) });

/**
 * What a benchmark asks of its agents besides its servers.
 *
 * @param {Awaited<ReturnType<typeof prepare>>} prepared
 */
const wantsOf = ({ catalogue, wanted, settings }) => ({
  pluginFolders: Object.values(catalogue.folders).flat().map(String),
  releases: [
    ...new Set(
      wanted.groups
        .flat()
        .flatMap(({ release }) => (release?.entry == null ? [] : `${release.package}@${release.version}`)),
    ),
  ],
  nodeBins: settings.nodeBin ?? [],
});

/** @param {Plan} plan */
const nothingToRun = ({ cells }) =>
  `there is nothing to measure, every cell is skipped: ${[...new Set(cells.map(({ skipped }) => skipped))].join('; ')}`;
