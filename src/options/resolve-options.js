import { parseAssertion } from '../analysis/assertions/parse.js';
import { UsageError } from '../errors.js';
import { OPTIONS } from './option-table.js';
import { fixedTime, shrink, WITH_FAULTS } from './presets.js';
import { readOptions } from './read-options.js';
import { checkTogether } from './rules.js';

/** @import { SuitePlugin } from '../plugins/types.js' */
/** @import { OptionTable, Settings } from './types.js' */

/** A run with background load: of 20 commands a second, a shorter one would meet only a few. */
const BESIDE_MS = 1000;

/**
 * The settings of one benchmark: the defaults, overridden by the suite's options, overridden by the user's.
 * @param {Record<string, unknown>} given what the user chose; text or values
 * @param {SuitePlugin} suite
 * @param {OptionTable} [options] all options, those of plugins included; by default only the tool's own
 * @returns {Settings} @throws {UsageError} naming the option
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
 * @param {string[]} texts @throws {UsageError}
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
