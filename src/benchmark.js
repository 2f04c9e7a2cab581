import { randomInt } from 'node:crypto';
import { checkReferences } from './assertions/references.js';
import { describeEnvironment, describeTool } from './environment.js';
import { messageOf, UsageError } from './errors.js';
import { loadConfig } from './load-config.js';
import { loadSuite } from './load-suite.js';
import { checkNames } from './plan/clients.js';
import { knownName } from './plan/names.js';
import { createPlan, limitPlan } from './plan/plan.js';
import { resolveOptions } from './plan/resolve-options.js';
import { checkAxesUsed } from './plan/scenario-axes.js';
import { loadPlugin, loadPlugins, pluginIds } from './registry.js';
import { installedPackages } from './releases/installed.js';
import { checkNodeBinaries } from './releases/node-binaries.js';
import { resolveReleases } from './releases/resolve.js';
import { createHeader, createReport } from './results/report.js';
import { openFilesLimit } from './runner/limits.js';
import { placeServers, runPlan } from './runner/run-plan.js';
import { openServers } from './server/open.js';
import { externalTarget } from './server/target.js';
import { printableDeep } from './text/printable.js';

/** For who does not say what the report is read on. */
const VIEW = { color: false, width: 100, plot: false, unicode: true };

/** @type {typeof import('./types.js').benchmark} */
export async function benchmark(
  given = {},
  { signal = new AbortController().signal, onEvent = () => {}, onLine = () => {}, urlOrigin } = {},
) {
  const startedAt = new Date();
  const { suite: suiteName = 'default', ...options } = given;
  const suite = await loadSuite(suiteName);
  const settings = withSeed(resolveOptions(options, suite));
  const external = externalTarget(settings, urlOrigin);
  const catalogue = await loadCatalogue();
  checkAxesUsed(options, settings, catalogue.scenarios);
  const asked = checkNames(settings, catalogue).map(({ client }) => client);
  const config = await loadConfig(settings.config, asked, catalogue.clients);
  const sources = await findSources(settings, catalogue, { signal, onEvent });
  const transports = external ? [external.transport] : /** @type {const} */ (['tcp', 'unix', 'tls']);
  const wanted = createPlan(settings, catalogue, [...transports], sources);
  if (wanted.groups.length === 0) throw new UsageError(nothingToRun(wanted));
  checkReferences(settings.assert, settings.assertStrict, wanted.cells);
  const servers = await openServers(external, settings, wanted.groups.flat());
  try {
    const plan = limitPlan(wanted, settings, catalogue, await limitsOf(servers));
    if (plan.groups.length === 0) throw new UsageError(nothingToRun(plan));
    onEvent({ type: 'plan', plan, settings, server: servers[0].facts });
    const places = await placeServers(servers, settings);
    const header = createHeader({
      ...{ plan, settings, suite, startedAt },
      environment: describeEnvironment(catalogue.packages),
      servers: servers.map(({ facts }) => facts),
      placements: places[0].placer.placements,
      tool: describeTool(),
    });
    onLine(header);
    /** @type {import('./types.js').ResultRecord[]} */
    const records = [];
    /** @param {import('./types.js').ResultRecord} line */
    const record = (line) => {
      records.push(line);
      onLine(line);
    };
    const outcome = await runPlan(plan, {
      ...{ places, settings, catalogue, signal, onEvent, record },
      clientOptions: config.options,
    });
    const warnings = [...config.warnings, ...outcome.warnings];
    const end = endOf({ ...outcome, warnings }, signal.aborted);
    onLine(end);
    return createReport(header, records, end);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

/**
 * @param {import('./types.js').Server[]} servers
 * @returns {Promise<import('./types.js').Limits>}
 */
const limitsOf = async (servers) => ({
  files: await openFilesLimit(),
  servers: Object.fromEntries(
    servers.map(({ topology, freeConnections, facts }) => [
      topology,
      { free: freeConnections, nodes: facts.nodes?.length ?? 1 },
    ]),
  ),
});

/**
 * The releases and Node binaries that the settings ask for, looked up once so that all cells have the same.
 *
 * @param {import('./types.js').Settings} settings
 * @param {import('./types.js').Catalogue} catalogue
 * @param {{signal: AbortSignal, onEvent: (event: import('./types.js').BenchmarkEvent) => void}} hooks
 * @returns {Promise<import('./types.js').Sources>}
 */
async function findSources(settings, catalogue, { signal, onEvent }) {
  const asked = checkNames(settings, catalogue);
  const runtimes = await checkNodeBinaries(settings.nodeBin ?? []);
  const releases = await resolveReleases(asked, catalogue, {
    signal,
    onInstall: (release, folder) => onEvent({ type: 'install', release, folder }),
  });
  return { releases, runtimes };
}

/** @type {typeof import('./types.js').loadCatalogue} */
export async function loadCatalogue() {
  const [clients, scenarios, pipelining, workloads, suites, reporters] = await Promise.all([
    loadPlugins('clients'),
    loadPlugins('scenarios'),
    loadPlugins('pipelining'),
    loadPlugins('workloads'),
    loadPlugins('suites'),
    loadPlugins('reporters'),
  ]);
  const packages = installedPackages([...clients.values()].flatMap((client) => client.package ?? []));
  return { clients, scenarios, pipelining, workloads, suites, reporters, packages };
}

/** @type {typeof import('./types.js').renderReport} */
export async function renderReport(report, format, view = {}) {
  const reporter = await loadPlugin('reporters', knownName('format', format, pluginIds('reporters')));
  try {
    return await reporter.render(printableDeep(report), { ...VIEW, ...view });
  } catch (error) {
    // V8's longest string is half a gigabyte.
    if (!(error instanceof RangeError && error.message === 'Invalid string length')) throw error;
    throw new UsageError(
      `--format ${format}: these results are too large for one text; the saved file has a line for each run`,
    );
  }
}

/**
 * @param {import('./types.js').PlanOutcome} outcome
 * @param {boolean} interrupted
 * @returns {import('./types.js').ResultEnd}
 */
const endOf = ({ lost, warnings }, interrupted) => ({
  type: 'end',
  finishedAt: new Date().toISOString(),
  partial: interrupted || lost !== null,
  failure: lost === null ? null : messageOf(lost),
  warnings,
});

/** @param {import('./types.js').Settings} settings */
const withSeed = (settings) => ({ ...settings, seed: settings.seed ?? randomInt(1_000_000) });

/** @param {import('./types.js').Plan} plan */
const nothingToRun = ({ cells }) =>
  `there is nothing to measure, every cell is skipped: ${[...new Set(cells.map(({ skipped }) => skipped))].join('; ')}`;
