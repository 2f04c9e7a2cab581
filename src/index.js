/** @import * as api from './api.js' */

export { BenchError, EXIT, messageOf, ownPlaceOf, RunError, ServerError, UsageError } from './errors.js';
/**
 * The public API: what a program can use, and all that the command line uses.
 *
 * Only what `--help` needs is loaded at once; the rest comes with the first call.
 *
 * @module redis-pipe-bench
 */
export { describeTool } from './machine/environment.js';
export { METRICS } from './metrics/all-metrics.js';
export { CALIBRATE_OPTIONS, RECORD_OPTIONS } from './options/command-tables.js';
export { OPTIONS } from './options/option-table.js';
export { readOption } from './options/read-options.js';
export { withEnvironment, withToken } from './options/redis-url.js';
export { OWN_KINDS } from './plugins/plugin-kinds.js';
export { pluginIds } from './plugins/registry.js';
export { resultName, stateFolder, userStateFolder } from './results/state-folder.js';

/** @type {typeof api.agent} */
export const agent = async (...args) => (await import('./commands/agent.js')).agent(...args);

/** @type {typeof api.benchmark} */
export const benchmark = async (...args) => (await import('./commands/benchmark.js')).benchmark(...args);

/** @type {typeof api.bisect} */
export const bisect = async (...args) => (await import('./commands/bisect.js')).bisect(...args);

/** @type {typeof api.cachedReleases} */
export const cachedReleases = async () =>
  (await import('./machine/releases/cached-releases.js')).cachedReleases();

/** @type {typeof api.calibrate} */
export const calibrate = async (...args) => (await import('./commands/calibrate.js')).calibrate(...args);

/** @type {typeof api.clean} */
export const clean = async (...args) => (await import('./commands/clean.js')).clean(...args);

/** @type {typeof api.cleanAgents} */
export const cleanAgents = async (...args) => (await import('./commands/agents.js')).cleanAgents(...args);

/** @type {typeof api.clearReleases} */
export const clearReleases = async () =>
  (await import('./machine/releases/cached-releases.js')).clearReleases();

/** @type {typeof api.compareReports} */
export const compareReports = async (...args) =>
  (await import('./commands/compare-reports.js')).compareReports(...args);

/** @type {typeof api.doctor} */
export const doctor = async (...args) => (await import('./commands/doctor.js')).doctor(...args);

/** @type {typeof api.explainDifference} */
export const explainDifference = async (...args) =>
  (await import('./commands/compare-reports.js')).explainDifference(...args);

/** @type {typeof api.findRegressions} */
export const findRegressions = async (...args) =>
  (await import('./analysis/findings/compare-reports.js')).findRegressions(...args);

/** @type {typeof api.findPluginFiles} */
export const findPluginFiles = async (...args) =>
  (await import('./options/own-files.js')).findPluginFiles(...args);

/** @type {typeof api.checkPlugin} */
export const checkPlugin = async (...args) =>
  (await import('./commands/check-plugin.js')).checkPlugin(...args);

/** @type {typeof api.initPlugin} */
export const initPlugin = async (...args) => (await import('./commands/init-plugin.js')).initPlugin(...args);

/** @type {typeof api.knownName} */
export const knownName = async (...args) => (await import('./options/plugin-names.js')).knownName(...args);

/** @type {typeof api.listAgents} */
export const listAgents = async (...args) => (await import('./commands/agents.js')).listAgents(...args);

/** @type {typeof api.loadCatalogue} */
export const loadCatalogue = async (folders) =>
  (await import('./commands/catalogue.js')).loadCatalogue(folders);

/** @type {typeof api.loadOptions} */
export const loadOptions = async (folders) => (await import('./options/all-options.js')).loadOptions(folders);

/** @type {typeof api.map} */
export const map = async (...args) => (await import('./commands/map.js')).map(...args);

/** @type {typeof api.readReport} */
export const readReport = async (...args) => (await import('./commands/render.js')).readReport(...args);

/** @type {typeof api.createStore} */
export const createStore = async (...args) => (await import('./results/store.js')).createStore(...args);

/** @type {typeof api.listSaved} */
export const listSaved = async (...args) => (await import('./results/saved-results.js')).listSaved(...args);

/** @type {typeof api.savedFiles} */
export const savedFiles = async (...args) => (await import('./results/saved-results.js')).savedFiles(...args);

/** @type {typeof api.record} */
export const record = async (...args) => (await import('./commands/record.js')).record(...args);

/** @type {typeof api.describeProfile} */
export const describeProfile = async (file) => {
  const traffic = await (await import('./traffic/describe-profile.js')).describeProfile(file);
  const { summarizeReplay } = await import('./traffic/summarize-replay.js');
  const replay = await summarizeReplay(file).catch(({ message }) => ({ refused: message }));
  return { ...traffic, replay };
};

/** @type {typeof api.withAssertions} */
export const withAssertions = async (...args) =>
  (await import('./analysis/create-report.js')).withAssertions(...args);

/** @type {typeof api.renderParts} */
export const renderParts = async (...args) => (await import('./commands/render.js')).renderParts(...args);

/** @type {typeof api.renderReport} */
export const renderReport = async (...args) => (await import('./commands/render.js')).renderReport(...args);
