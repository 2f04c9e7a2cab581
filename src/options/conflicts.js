import { parseAssertion } from '../analysis/assertions/parse.js';
import { UsageError } from '../errors.js';
import { checkOpenLoop } from './open-loop-conflicts.js';
import { checkOwners } from './owners.js';
import { flagOf } from './read-options.js';
import { checkServer } from './server-conflicts.js';

/** @import { OptionTable, Settings } from './types.js' */

/** The median lies between the slowest and the fastest of six runs with 96.9 %, of five with 93.8 %. */
const RUNS_FOR_95 = 6;

/**
 * Options that contradict each other.
 *
 * @param {Settings} settings
 * @param {Record<string, unknown>} given what the user chose
 * @param {OptionTable} options
 * @throws {UsageError}
 */
export function checkTogether(settings, given, options) {
  if (settings.durationMs !== undefined && given.iterations !== undefined) {
    throw new UsageError('--duration and --iterations both set the length of a run; give one of them');
  }
  if (settings.smoke && given.assert !== undefined) {
    throw new UsageError('--assert decides by figures, and those of --smoke mean nothing; give one of them');
  }
  if (given.maxRuns !== undefined && settings.untilStable === undefined) {
    throw new UsageError('--max-runs limits --until-stable; give both, or --runs alone');
  }
  if (settings.starts !== 'auto' && settings.starts > settings.runs) {
    throw new UsageError(
      `--starts: expected at most ${settings.runs} (--runs), because each start makes a run, got '${settings.starts}'`,
    );
  }
  if (settings.untilStable !== undefined && settings.maxRuns < Math.max(settings.runs, RUNS_FOR_95)) {
    throw new UsageError(
      `--max-runs: expected at least ${Math.max(settings.runs, RUNS_FOR_95)} (--runs, and the ${RUNS_FOR_95} runs that a 95 % interval needs), got '${settings.maxRuns}'`,
    );
  }
  if (settings.command !== undefined && given.workload !== undefined) {
    throw new UsageError('--command and --workload both say what an iteration does; give one of them');
  }
  if (settings.prepare !== undefined && settings.command === undefined) {
    throw new UsageError(
      '--prepare stores what --command needs; without --command the workload does that itself',
    );
  }
  if (settings.profileServer && settings.profile === undefined) {
    throw new UsageError(
      '--profile-server looks at the server of the cells that are profiled, and --no-profile leaves them out; give one of them',
    );
  }
  checkServer(settings, given);
  checkOpenLoop(settings, given, options);
  checkFaults(settings, given, options);
  if (settings.budgetMs !== undefined) checkMap(settings, given, options);
  checkOwners(settings, given, options);
}

/**
 * Only their syntax is checked here; the cells they name are checked once the plan is known.
 *
 * @param {string[]} texts
 * @throws {UsageError}
 */
export function checkAssertions(texts) {
  for (const each of texts) {
    try {
      parseAssertion(each);
    } catch (error) {
      // All of the message: its last line shows the place.
      throw new UsageError(`--assert: ${/** @type {Error} */ (error).message}`);
    }
  }
}

/** What a map decides itself, or cannot be of. */
const NOT_IN_A_MAP = [
  'runs',
  'starts',
  'untilStable',
  'maxRuns',
  'iterations',
  'rate',
  'speed',
  'rateSearch',
  'profile',
  'profileServer',
  'fault',
];

/**
 * @param {Settings} settings
 * @param {Record<string, unknown>} given
 * @param {OptionTable} options
 */
function checkMap({ pin }, given, options) {
  const refused = NOT_IN_A_MAP.find((name) => given[name] !== undefined && given[name] !== false);
  if (refused !== undefined) {
    throw new UsageError(
      `${flagOf(options[refused])}: a map measures each point in short runs of a closed loop until its winner is known; leave it out, and say with --budget how long that may take`,
    );
  }
  if (pin.length > 1) {
    throw new UsageError(`--pin: a map has one placement, got '${pin.join()}'; give one of them`);
  }
}

/** What has no meaning where operations are numbered writes of an open loop, told apart one by one. */
const NOT_WITH_FAULTS = [
  'workload',
  'command',
  'prepare',
  'keys',
  'keyDistribution',
  'value',
  'beside',
  'appWork',
  'rateSearch',
  'iterations',
  'profile',
  'profileServer',
  'untilStable',
  'starts',
  'allowEviction',
];

/**
 * @param {Settings} settings
 * @param {Record<string, unknown>} given
 * @param {OptionTable} options
 */
function checkFaults({ fault, faultAtMs, durationMs }, given, options) {
  if (fault === undefined) {
    if (faultAtMs === undefined) return;
    throw new UsageError('--fault-at says when --fault strikes; add --fault, or leave it out');
  }
  const refused = NOT_WITH_FAULTS.find((name) => given[name] !== undefined && given[name] !== false);
  if (refused !== undefined) {
    throw new UsageError(
      `${flagOf(options[refused])}: with --fault each operation is an APPEND of its own number, at a --rate, so that it is known of each what became of it; leave it out`,
    );
  }
  if (faultAtMs !== undefined && faultAtMs >= Number(durationMs)) {
    throw new UsageError(
      `--fault-at: expected a time before the end of a run (--duration, ${durationMs} ms), got ${faultAtMs} ms`,
    );
  }
}
