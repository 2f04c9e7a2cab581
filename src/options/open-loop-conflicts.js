import { UsageError } from '../errors.js';
import { isTaken, ownersText } from './owners.js';
import { flagOf } from './read-options.js';

/** @import { OptionTable, Settings } from './types.js' */

const OPEN_LOOP_ONLY = ['arrivals', 'whenFull', 'maxInFlight', 'maxInFlightBytes', 'sloMs'];

/**
 * Options about open loops that contradict each other.
 *
 * @param {Settings} settings
 * @param {Record<string, unknown>} given what the user chose
 * @param {OptionTable} options
 * @throws {UsageError}
 */
export function checkOpenLoop(settings, given, options) {
  const { rate, speed, rateSearch, iterations } = settings;
  const isOpen = (rate ?? speed ?? rateSearch) !== undefined;
  if (isOpen && (given.iterations !== undefined || iterations !== options.iterations.default)) {
    throw new UsageError(
      '--rate and --rate-search start operations by the clock for as long as --duration says, so --iterations has no meaning; give one of them',
    );
  }
  for (const name of OPEN_LOOP_ONLY) {
    const { owners = [], ...option } = options[name];
    if (isOpen || given[name] === undefined || isTaken(owners, settings, options)) continue;
    const others = owners.length > 0 ? `, or take ${ownersText(owners)}` : '';
    throw new UsageError(`${flagOf(option)} is for an open loop; add --rate or --rate-search${others}`);
  }
  if (speed !== undefined && (rate ?? rateSearch) !== undefined) {
    throw new UsageError(
      `--speed keeps the times of a profile, and ${rate === undefined ? '--rate-search' : '--rate'} sets others; give one of them`,
    );
  }
  if (speed !== undefined && given.arrivals !== undefined) {
    throw new UsageError(
      '--speed keeps the times of a profile, and --arrivals sets others; give one of them',
    );
  }
  if (rateSearch !== undefined) checkSearch(settings, given);
  if ((settings.sloMs ?? rateSearch) !== undefined && settings.latency === 'off') {
    throw new UsageError('--slo and --rate-search decide by latencies, and --latency off records none');
  }
}

/**
 * @param {Settings} settings
 * @param {Record<string, unknown>} given
 */
function checkSearch({ rate, whenFull, untilStable, assert }, given) {
  if (assert.length > 0) {
    throw new UsageError('--assert names cells, and those of --rate-search are not known before; use --rate');
  }
  if (rate !== undefined) {
    throw new UsageError('--rate-search and --rate both say which rates are tried; give one of them');
  }
  if (given.runs !== undefined || untilStable !== undefined) {
    throw new UsageError(
      `--rate-search runs each rate until its runs agree; leave --runs and --until-stable out`,
    );
  }
  if (whenFull === 'fail') {
    throw new UsageError(
      '--rate-search also tries rates that are not held, where --when-full fail would end it; use wait or drop',
    );
  }
}
