import { parseAssertion } from '../analysis/assertions/parse.js';
import { UsageError } from '../errors.js';
import { OPTIONS } from './option-table.js';
import { readOptions } from './read-options.js';
import { checkTogether } from './rules.js';
import { shrink } from './smoke.js';

/**
 * @import { SuitePlugin } from '../plugins/types.js'
 * @import { OptionTable, Settings } from './types.js'
 */

/** A run of an open loop: long enough for a p99.9 at a thousand operations a second. */
const OPEN_LOOP_MS = 5000;
/** A search has about thirty runs, and its rates are higher. */
const SEARCH_MS = 2000;
/** A run beside other traffic: of 20 commands a second, a shorter one would meet only a few. */
const BESIDE_MS = 1000;
/** What a benchmark with faults has where neither the suite nor the user says: a service at a moderate rate. */
const WITH_FAULTS = {
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

/**
 * The settings of one benchmark: the defaults, overridden by the suite's options, overridden by the user's.
 *
 * @param {Record<string, unknown>} given what the user chose; text or values
 * @param {SuitePlugin} suite
 * @param {OptionTable} [options] all options, those of plugins included; by default only the tool's own
 * @returns {Settings}
 * @throws {UsageError} naming the option
 */
export function resolveOptions(given, suite, options = OPTIONS) {
  const settings = /** @type {Settings} */ (
    readOptions(options, {
      ...((given.fault ?? suite.options.fault) === undefined ? {} : WITH_FAULTS),
      ...suiteOptions(suite, given),
      ...withoutUndefined(given),
    })
  );
  if (settings.full && suite.full === undefined) {
    throw new UsageError(`--full: the suite '${suite.id}' has one size only; leave --full out`);
  }
  checkAssertions(settings.assert);
  // In turn, so that commands under way at once never share a key.
  settings.keyDistribution ??= settings.keys === undefined ? 'sequential' : 'uniform';
  const hasCompany = settings.beside.some((company) => company.length > 0);
  if (hasCompany && given.runTimeMs === undefined)
    settings.runTimeMs = Math.max(settings.runTimeMs, BESIDE_MS);
  settings.assert = [...(suite.assertions ?? []), ...settings.assert];
  checkTogether(settings, given, options);
  settings.profile = profileOf(settings);
  const timed = { ...settings, durationMs: settings.durationMs ?? fixedTime(settings) };
  return timed.smoke ? shrink(timed, given) : timed;
}

/**
 * Only their syntax is checked here; the cells they name are checked once the plan is known.
 *
 * @param {string[]} texts
 * @throws {UsageError}
 */
function checkAssertions(texts) {
  for (const each of texts) {
    try {
      parseAssertion(each);
    } catch (error) {
      // All of the message: its last line shows the place.
      throw new UsageError(`--assert: ${/** @type {Error} */ (error).message}`);
    }
  }
}

/** @param {Settings} settings @returns {Settings['profile']} of what explains nothing, only what was asked for */
function profileOf(settings) {
  const { profile, profileServer } = settings;
  if (profile?.cells !== 'explained' || !explainsNothing(settings)) return profile;
  return profileServer ? { ...profile, cells: 'all' } : undefined;
}

/** @param {Settings} settings @returns {boolean} whether no sentence of the report will say why a cell is slower */
const explainsNothing = ({ smoke, rate, rateSearch, budgetMs }) =>
  smoke || (rate ?? rateSearch ?? budgetMs) !== undefined;

/** @param {Settings} settings @returns {number | undefined} undefined where a run has a number of iterations */
function fixedTime({ rate, rateSearch, speed, budgetMs, runTimeMs }) {
  if (rateSearch !== undefined) return SEARCH_MS;
  if ((rate ?? speed) !== undefined) return OPEN_LOOP_MS;
  return budgetMs === undefined ? undefined : Math.max(MAP_RUN_MS, runTimeMs);
}

/**
 * @param {SuitePlugin} suite
 * @param {Record<string, unknown>} given what the user chose: a search replaces the suite's rates and their
 *   duration
 */
function suiteOptions(suite, given) {
  const options = { ...suite.options, ...(given.full ? suite.full : {}) };
  return given.rateSearch === undefined ? options : { ...options, rate: undefined, durationMs: undefined };
}

/** @param {Record<string, unknown>} object */
const withoutUndefined = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
