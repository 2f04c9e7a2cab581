/** @import { Settings } from './types.js' */

/** A run of an open loop: long enough for a p99.9 at a thousand operations a second. */
const OPEN_LOOP_MS = 5000;
/** A search has about thirty runs, and its rates are higher. */
const SEARCH_MS = 2000;
/** What a benchmark with faults has where neither the suite nor the user says: a service at a moderate rate. */
export const WITH_FAULTS = {
  clients: ['redis', 'redis:careful', 'ioredis', 'ioredis:careful'],
  scenarios: ['shared-connection'],
  size: [100],
  rate: [2000],
  arrivals: 'poisson',
  // Later than this, an answer is of no use to a caller who waits for it.
  sloMs: 100,
  durationMs: 10_000,
  runs: 1,
  warmupRuns: 0,
};
/** A start of a cell in a map. */
const MAP_RUN_MS = 120;

/** @param {Settings} settings @returns {number | undefined} undefined where a run has a number of iterations */
export function fixedTime({ rate, rateSearch, speed, budgetMs, runTimeMs }) {
  if (rateSearch !== undefined) return SEARCH_MS;
  if ((rate ?? speed) !== undefined) return OPEN_LOOP_MS;
  return budgetMs === undefined ? undefined : Math.max(MAP_RUN_MS, runTimeMs);
}

const SMOKE_SHARE = 200;
/** Time for hundreds of operations of the slowest cells. */
const RUN_MS = 50;
/** More than any ready suite has tasks, so that these still use different keys. */
const MOST_KEYS = 500;
/** Long enough for a client to come back, where it does so soon. */
const FAULT_RUN_MS = 600;
/** Of a fault that lasts. */
const FAULT_MS = 150;

/** @type {Record<string, (value: any) => unknown>} */
const SHORTER = {
  runs: (runs) => Math.min(runs, 2),
  runTimeMs: (ms) => Math.min(ms || RUN_MS, RUN_MS),
  durationMs: (ms) => ms && Math.min(ms, RUN_MS),
  // Each cell stores its keys before its first run and removes them after its last.
  keys: (keys) => keys && Math.min(keys, MOST_KEYS),
  iterations: fewer,
};
/** @type {typeof SHORTER} */
const SHORTER_WITH_FAULTS = { runs: () => 1, durationMs: () => FAULT_RUN_MS };

/**
 * Makes a benchmark short enough for CI: the same cells, with short runs.
 * @param {Settings} settings @param {Record<string, unknown>} given what the user asked for is not changed
 * @returns {Settings}
 */
export function shrink({ fault, ...settings }, given) {
  const shorter = Object.entries(fault === undefined ? SHORTER : SHORTER_WITH_FAULTS)
    .filter(([name]) => given[name] === undefined)
    .map(([name, less]) => [name, less(/** @type {Record<string, unknown>} */ (settings)[name])]);
  return {
    ...settings,
    ...Object.fromEntries(shorter),
    fault: fault?.map((each) => ({ ...each, lastsMs: each.lastsMs && Math.min(each.lastsMs, FAULT_MS) })),
  };
}

/** @param {Settings['iterations']} iterations @returns {Settings['iterations']} */
function fewer(iterations) {
  if (iterations === 'auto') return iterations;
  return typeof iterations === 'object'
    ? { ...iterations, budget: iterations.budget / SMOKE_SHARE }
    : Math.ceil(iterations / SMOKE_SHARE);
}
