/**
 * The public API: what a program can use, and all that the command line uses.
 *
 * Only what `--help` needs is loaded at once; the rest comes with the first call.
 *
 * @module redis-pipe-bench
 */
export { describeTool } from './environment.js';
export { BenchError, EXIT, messageOf, RunError, ServerError, UsageError } from './errors.js';
export { CALIBRATE_OPTIONS } from './plan/calibrate-options.js';
export { OPTIONS } from './plan/options.js';
export { readOption } from './plan/read-options.js';
export { pluginIds } from './registry.js';
export { resultName, stateFolder } from './results/state-folder.js';

/** @type {typeof import('./types.js').benchmark} */
export const benchmark = async (...args) => (await import('./benchmark.js')).benchmark(...args);

/** @type {typeof import('./types.js').bisect} */
export const bisect = async (...args) => (await import('./bisect.js')).bisect(...args);

/** @type {typeof import('./types.js').cachedReleases} */
export const cachedReleases = async () => (await import('./releases/cache.js')).cachedReleases();

/** @type {typeof import('./types.js').calibrate} */
export const calibrate = async (...args) => (await import('./calibrate.js')).calibrate(...args);

/** @type {typeof import('./types.js').clearReleases} */
export const clearReleases = async () => (await import('./releases/cache.js')).clearReleases();

/** @type {typeof import('./types.js').compareReports} */
export const compareReports = async (base, next, { metric = 'opsPerSecond' } = {}) =>
  (await import('./stats/compare-reports.js')).compareReports(base, next, metric);

/** @type {typeof import('./types.js').doctor} */
export const doctor = async (...args) => (await import('./doctor.js')).doctor(...args);

/** @type {typeof import('./types.js').findRegressions} */
export const findRegressions = async (...args) =>
  (await import('./stats/regressions.js')).findRegressions(...args);

/** @type {typeof import('./types.js').knownName} */
export const knownName = async (...args) => (await import('./plan/names.js')).knownName(...args);

/** @type {typeof import('./types.js').loadCatalogue} */
export const loadCatalogue = async () => (await import('./benchmark.js')).loadCatalogue();

/** @type {typeof import('./types.js').readReport} */
export const readReport = async (...args) => (await import('./results/read.js')).readReport(...args);

/** @type {typeof import('./types.js').createStore} */
export const createStore = async (...args) => (await import('./results/store.js')).createStore(...args);

/** @type {typeof import('./types.js').listSaved} */
export const listSaved = async (...args) => (await import('./results/history.js')).listSaved(...args);

/** @type {typeof import('./types.js').savedFiles} */
export const savedFiles = async (...args) => (await import('./results/history.js')).savedFiles(...args);

/** @type {typeof import('./types.js').withAssertions} */
export const withAssertions = async (...args) =>
  (await import('./results/report.js')).withAssertions(...args);

/** @type {typeof import('./types.js').renderReport} */
export const renderReport = async (...args) => (await import('./benchmark.js')).renderReport(...args);
