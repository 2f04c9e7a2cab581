import { MEASURING } from '../../method.js';
import { OPTIONS } from '../../options/option-table.js';
import { readTogether } from '../../options/read.js';

/** @import { OptionTable, Settings } from '../../options/types.js' */
/** @import { SuitePlugin } from '../../plugins/types.js' */

/** Enough for a p99.9 at 1000 operations per second. */
const OPEN_LOOP_MS = 5000;
/** A search has about thirty runs at higher rates. */
const SEARCH_MS = 2000;
/** @param {Settings} settings @returns {number | undefined} undefined where iterations are counted */
function fixedTime({ rate, rateSearch, speed }) {
  if (rateSearch !== undefined) return SEARCH_MS;
  return (rate ?? speed) === undefined ? undefined : OPEN_LOOP_MS;
}

const OPEN_LOOP_RUNS = 5;

/**
 * Closed loops are raced: how often a cell is started depends on what is known. Not where the user says how often, and not
 * where a gate must judge every cell.
 * @param {Settings} settings @returns {Pick<Settings, 'runs' | 'races'>}
 */
function repeated({ rate, rateSearch, speed, smoke, runs, starts, assert }) {
  const isClosed = (rate ?? rateSearch ?? speed) === undefined;
  if (!isClosed || runs !== undefined) return { runs: runs ?? OPEN_LOOP_RUNS, races: false };
  const count = starts === 'auto' ? MEASURING.fixedStarts : starts;
  const races = starts === 'auto' && assert.length === 0 && !smoke;
  return { runs: MEASURING.runs * (races || smoke ? 1 : count), races };
}

const SMOKE_SHARE = 200;
/** Hundreds of operations of the slowest cells. */
const RUN_MS = 50;
/** More than any ready suite has tasks, which still use different keys. */
const MOST_KEYS = 500;
/**
 * @param {Settings} settings
 * @param {Record<string, unknown>} given stays as it is
 * @returns {Settings} short enough for CI
 */
function shrink(settings, given) {
  const { runs, runTimeMs, durationMs, keys, iterations } = settings;
  const shorter = Object.entries({
    runs: Math.min(runs, 2),
    runTimeMs: Math.min(runTimeMs || RUN_MS, RUN_MS),
    durationMs: durationMs && Math.min(durationMs, RUN_MS),
    // Each cell stores and removes its keys.
    keys: keys && Math.min(keys, MOST_KEYS),
    iterations: fewer(iterations),
  });
  return { ...settings, ...Object.fromEntries(shorter.filter(([name]) => given[name] === undefined)) };
}

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
  // The runs of a search have their own length.
  const { durationMs: _, ...untimed } = suite.options;
  const settings = readTogether(given.rateSearch === undefined ? suite.options : untimed, given, options);
  if ((settings.command?.length ?? 0) > 1 && !settings.share)
    settings.compare = withWorkload(settings.compare);
  settings.profile = profileOf(settings);
  const timed = {
    ...settings,
    durationMs: settings.durationMs ?? fixedTime(settings),
    ...repeated(settings),
  };
  if (!timed.races) timed.cpus ??= 'asleep';
  return Object.freeze(timed.smoke ? shrink(timed, given) : timed);
}

/** @param {Settings['compare']} compared @returns {Settings['compare']} */
const withWorkload = (compared) => (compared.includes('workload') ? compared : [...compared, 'workload']);

/** @param {Settings} settings @returns {Settings['profile']} */
function profileOf({ profile, smoke, rate, rateSearch }) {
  // Whether no sentence of the report will say why a cell is slower.
  const explainsNothing = smoke || (rate ?? rateSearch) !== undefined;
  return profile?.cells === 'explained' && explainsNothing ? undefined : profile;
}
