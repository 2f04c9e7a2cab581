import { parseAssertion } from '../analysis/assertions/parse.js';
import { naming, UsageError } from '../errors.js';
import { MEASURING } from '../method.js';
import { isCold, OF_COLD_STARTS } from './cold-starts.js';
import { OPTIONS } from './option-table.js';
import { readOptions } from './read-options.js';
import { checkTogether, withoutExcluded } from './rules.js';

/** @import { SuitePlugin } from '../plugins/types.js' */
/** @import { OptionTable, Settings } from './types.js' */

/** Of an open loop: enough for a p99.9 at 1000 operations per second. */
const OPEN_LOOP_MS = 5000;
/** A search has about thirty runs at higher rates. */
const SEARCH_MS = 2000;
/** The defaults of a benchmark with faults: a service at a moderate rate. */
const WITH_FAULTS = {
  fault: 'none',
  workload: ['append'],
  clients: ['redis', 'redis:careful', 'ioredis', 'ioredis:careful'],
  scenarios: ['shared-connection'],
  size: [100],
  rate: [2000],
  arrivals: 'poisson',
  // Callers do not wait longer.
  sloMs: 100,
  durationMs: 10_000,
  runs: 1,
  warmupRuns: 0,
};
/** @param {Settings} settings @returns {number | undefined} undefined where iterations are counted */
function fixedTime({ rate, rateSearch, speed }) {
  if (rateSearch !== undefined) return SEARCH_MS;
  return (rate ?? speed) === undefined ? undefined : OPEN_LOOP_MS;
}

/** Of what is not raced: an open loop, faults, cold starts. */
const RUNS = 5;
/** With fewer, no interval covers the median with 95 %. */
const FEWEST_STABLE = 6;

/**
 * Closed loops are raced: how often a cell is started depends on what is known. Not where the user says how often, and not
 * where a gate must judge every cell.
 * @param {Settings} settings @returns {Pick<Settings, 'runs' | 'races'>}
 */
function repeated({
  rate,
  rateSearch,
  speed,
  fault,
  idle,
  workload,
  smoke,
  runs,
  starts,
  untilStable,
  assert,
}) {
  const isClosed = (rate ?? rateSearch ?? speed ?? fault ?? idle) === undefined && !isCold(workload);
  if (!isClosed || runs !== undefined) return { runs: runs ?? RUNS, races: false };
  if (untilStable !== undefined) return { runs: FEWEST_STABLE, races: false };
  const count = starts === 'auto' ? MEASURING.fixedStarts : starts;
  const races = starts === 'auto' && assert.length === 0 && !smoke;
  return { runs: MEASURING.runs * (races || smoke ? 1 : count), races };
}

const SMOKE_SHARE = 200;
/** Hundreds of operations of the slowest cells. */
const RUN_MS = 50;
/** More than any ready suite has tasks, which still use different keys. */
const MOST_KEYS = 500;
/** Enough for clients that reconnect soon. */
const FAULT_RUN_MS = 600;
/** Of a fault that lasts. */
const FAULT_MS = 150;

/** @type {Record<string, (value: any) => unknown>} */
const SHORTER = {
  runs: (runs) => Math.min(runs, 2),
  runTimeMs: (ms) => Math.min(ms || RUN_MS, RUN_MS),
  durationMs: (ms) => ms && Math.min(ms, RUN_MS),
  // Each cell stores and removes its keys.
  keys: (keys) => keys && Math.min(keys, MOST_KEYS),
  iterations: fewer,
};
/** @type {typeof SHORTER} */
const SHORTER_WITH_FAULTS = { runs: () => 1, durationMs: () => FAULT_RUN_MS };

/** @param {Settings} settings @param {Record<string, unknown>} given stays as it is @returns {Settings} short enough for CI */
function shrink({ fault, idle, ...settings }, given) {
  const shorter = Object.entries(fault === undefined ? SHORTER : SHORTER_WITH_FAULTS)
    .filter(([name]) => given[name] === undefined)
    .map(([name, less]) => [name, less(/** @type {Record<string, unknown>} */ (settings)[name])]);
  return {
    ...settings,
    ...Object.fromEntries(shorter),
    fault: fault?.map((each) => ({ ...each, byMs: atMost(each.byMs), lastsMs: atMost(each.lastsMs) })),
    idle: idle && [...new Set(idle.map((each) => Math.min(each, 2 * FAULT_MS)))],
  };
}

/** @param {number | null} ms of a fault */
const atMost = (ms) => ms && Math.min(ms, FAULT_MS);

/** @param {Settings['iterations']} iterations @returns {Settings['iterations']} */
function fewer(iterations) {
  if (iterations === 'auto') return iterations;
  return typeof iterations === 'object'
    ? { ...iterations, budget: iterations.budget / SMOKE_SHARE }
    : Math.ceil(iterations / SMOKE_SHARE);
}

/**
 * The defaults, overridden by the suite's options, overridden by the user's.
 * @param {Record<string, unknown>} given text or values @param {SuitePlugin} suite @param {OptionTable} [options]
 * @returns {Settings} @throws {UsageError} naming the option
 */
export function resolveOptions(given, suite, options = OPTIONS) {
  const breaks = (given.fault ?? suite.options.fault ?? given.idle ?? suite.options.idle) !== undefined;
  const settings = /** @type {Settings} */ (
    readOptions(options, {
      ...(breaks && WITH_FAULTS),
      ...(isCold(given.workload ?? suite.options.workload) && OF_COLD_STARTS),
      ...withoutExcluded({ ...suite.options, ...(given.full ? suite.full : {}) }, given, options),
      // The runs of a search have their own length.
      ...(given.rateSearch !== undefined && { durationMs: undefined }),
      ...withoutUndefined(given),
    })
  );
  if (settings.full && suite.full === undefined) {
    throw new UsageError(`--full: the suite '${suite.id}' has one size only; leave --full out`);
  }
  // Only their syntax: the cells are not known yet.
  for (const text of settings.assert) naming('--assert', () => parseAssertion(text));
  // Commands in flight at once never share a key.
  settings.keyDistribution ??= settings.keys === undefined ? 'sequential' : 'uniform';
  checkTogether(settings, given, options);
  settings.profile = profileOf(settings);
  const timed = {
    ...settings,
    durationMs: settings.durationMs ?? fixedTime(settings),
    ...repeated(settings),
  };
  return timed.smoke ? shrink(timed, given) : timed;
}

/** @param {Settings} settings @returns {Settings['profile']} */
function profileOf({ profile, smoke, rate, rateSearch, workload }) {
  // Whether no sentence of the report will say why a cell is slower.
  const explainsNothing = smoke || (rate ?? rateSearch) !== undefined || isCold(workload);
  return profile?.cells === 'explained' && explainsNothing ? undefined : profile;
}

/** @param {Record<string, unknown>} object */
const withoutUndefined = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
