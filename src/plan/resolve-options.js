import { UsageError } from '../errors.js';
import { checkTogether } from './option-conflicts.js';
import { OPTIONS } from './options.js';
import { readOptions } from './read-options.js';
import { shrink } from './smoke.js';

/** A run of an open loop: long enough for a p99.9 at a thousand operations a second. */
const OPEN_LOOP_MS = 5000;

/**
 * The settings of one benchmark: the defaults, over them the suite's options, over those the user's.
 *
 * @param {Record<string, unknown>} given what the user chose; text or values
 * @param {import('../types.js').SuitePlugin} suite
 * @returns {import('../types.js').Settings}
 * @throws {UsageError} naming the option
 */
export function resolveOptions(given, suite) {
  const settings = /** @type {import('../types.js').Settings} */ (
    readOptions(OPTIONS, { ...suite.options, ...(given.full ? suite.full : {}), ...withoutUndefined(given) })
  );
  if (settings.full && suite.full === undefined) {
    throw new UsageError(`--full: the suite '${suite.id}' has one size only; leave --full out`);
  }
  settings.assert = [...(suite.assertions ?? []), ...settings.assert];
  checkTogether(settings, given);
  const timed =
    settings.rate === undefined ? settings : { ...settings, durationMs: settings.durationMs ?? OPEN_LOOP_MS };
  return timed.smoke ? shrink(timed, given) : timed;
}

/** @param {Record<string, unknown>} object */
const withoutUndefined = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
