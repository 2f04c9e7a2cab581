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

/**
 * Makes a benchmark short enough for CI: the same cells, with short runs.
 * @param {Settings} settings @param {Record<string, unknown>} given what the user asked for is not changed
 * @returns {Settings}
 */
export function shrink(settings, given) {
  if (settings.fault !== undefined) return shrinkFaults(settings, settings.fault, given);
  return {
    ...settings,
    runs: given.runs === undefined ? Math.min(settings.runs, 2) : settings.runs,
    runTimeMs:
      given.runTimeMs === undefined ? Math.min(settings.runTimeMs || RUN_MS, RUN_MS) : settings.runTimeMs,
    durationMs:
      given.durationMs === undefined
        ? settings.durationMs && Math.min(settings.durationMs, RUN_MS)
        : settings.durationMs,
    // Each cell stores its keys before its first run and removes them after its last.
    keys: given.keys === undefined ? settings.keys && Math.min(settings.keys, MOST_KEYS) : settings.keys,
    iterations: given.iterations === undefined ? fewer(settings.iterations) : settings.iterations,
  };
}

/** Long enough for a client to come back, where it does so soon. */
const FAULT_RUN_MS = 600;
/** Of a fault that lasts. */
const FAULT_MS = 150;

/**
 * @param {Settings} settings @param {NonNullable<Settings['fault']>} fault
 * @param {Record<string, unknown>} given @returns {Settings}
 */
const shrinkFaults = (settings, fault, given) => ({
  ...settings,
  runs: given.runs === undefined ? 1 : settings.runs,
  durationMs: given.durationMs === undefined ? FAULT_RUN_MS : settings.durationMs,
  fault: fault.map((each) => ({ ...each, lastsMs: each.lastsMs && Math.min(each.lastsMs, FAULT_MS) })),
});

const SMOKE_SHARE = 200;
/** Time for hundreds of operations of the slowest cells. */
const RUN_MS = 50;
/** More than any ready suite has tasks, so that these still use different keys. */
const MOST_KEYS = 500;

/** @param {Settings['iterations']} iterations @returns {Settings['iterations']} */
function fewer(iterations) {
  if (iterations === 'auto') return iterations;
  return typeof iterations === 'object'
    ? { ...iterations, budget: iterations.budget / SMOKE_SHARE }
    : Math.ceil(iterations / SMOKE_SHARE);
}
