/** @import * as api from './api.js' */

export { BenchError, EXIT, messageOf, ownPlaceOf, RunError, ServerError, UsageError } from './errors.js';
/** Only what `--help` needs loads at once; the rest loads with the first call. @module redis-pipe-bench */
export { describeTool } from './machine/environment.js';
export { METRICS } from './metrics/all-metrics.js';
export { CALIBRATE_OPTIONS, RECORD_OPTIONS, SERVER_OPTIONS, TLS_OPTIONS } from './options/command-tables.js';
export { OPTIONS } from './options/option-table.js';
export { flagOf, QUEUE, readOption, withEnvironment, withToken } from './options/read-options.js';
export { OWN_KINDS } from './plugins/plugin-kinds.js';
export { pluginIds } from './plugins/registry.js';
export { resultName, stateFolder, userStateFolder } from './results/state-folder.js';

/**
 * @typedef {{[N in keyof typeof api]: (typeof api)[N] extends (...args: any[]) => any ? (typeof api)[N] : never}} Calls
 */

/**
 * @template {keyof Calls} Name @template {ReturnType<Calls[Name]>} Result @param {Name} name
 * @param {() => Promise<Record<Name, (...args: Parameters<Calls[Name]>) => Result | Awaited<Result>>>} load
 * @returns {Calls[Name]}
 */
const onCall = (name, load) =>
  /** @type {any} */ (
    async (/** @type {Parameters<Calls[Name]>} */ ...args) => (await load())[name](...args)
  );

export const agent = onCall('agent', () => import('./commands/agents.js'));
export const benchmark = onCall('benchmark', () => import('./commands/benchmark.js'));
export const bisect = onCall('bisect', () => import('./commands/bisect.js'));
export const cachedReleases = onCall('cachedReleases', () => import('./machine/releases/cached-releases.js'));
export const calibrate = onCall('calibrate', () => import('./commands/calibrate.js'));
export const clean = onCall('clean', () => import('./commands/clean.js'));
export const cleanAgents = onCall('cleanAgents', () => import('./commands/agents.js'));
export const clearReleases = onCall('clearReleases', () => import('./machine/releases/cached-releases.js'));
export const compareReports = onCall('compareReports', () => import('./commands/compare-reports.js'));
export const doctor = onCall('doctor', () => import('./commands/doctor.js'));
export const explainDifference = onCall('explainDifference', () => import('./commands/compare-reports.js'));
export const findRegressions = onCall(
  'findRegressions',
  () => import('./analysis/findings/compare-reports.js'),
);
export const findPluginFiles = onCall('findPluginFiles', () => import('./options/own-files.js'));
export const checkPlugin = onCall('checkPlugin', () => import('./commands/own-plugin.js'));
export const initPlugin = onCall('initPlugin', () => import('./commands/own-plugin.js'));
export const knownName = onCall('knownName', () => import('./options/plugin-names.js'));
export const listAgents = onCall('listAgents', () => import('./commands/agents.js'));
export const loadCatalogue = onCall('loadCatalogue', () => import('./commands/catalogue.js'));
export const loadOptions = onCall('loadOptions', () => import('./options/all-options.js'));
export const releases = onCall('releases', () => import('./commands/releases.js'));
export const readReport = onCall('readReport', () => import('./commands/render.js'));
export const createStore = onCall('createStore', () => import('./results/result-store.js'));
export const listSaved = onCall('listSaved', () => import('./results/saved-results.js'));
export const savedFiles = onCall('savedFiles', () => import('./results/saved-results.js'));
export const trend = onCall('trend', () => import('./commands/trend.js'));
export const record = onCall('record', () => import('./commands/record.js'));
export const withAssertions = onCall('withAssertions', () => import('./analysis/create-report.js'));
export const renderParts = onCall('renderParts', () => import('./commands/render.js'));
export const renderReport = onCall('renderReport', () => import('./commands/render.js'));

/** @type {typeof api.describeProfile} */
export const describeProfile = async (file) => {
  const traffic = await (await import('./traffic/describe-profile.js')).describeProfile(file);
  const { summarizeReplay } = await import('./traffic/summarize-replay.js');
  const replay = await summarizeReplay(file).catch(({ message }) => ({ refused: message }));
  return { ...traffic, replay };
};
