import { parseAssertion } from '../analysis/assertions/parse.js';
import { UsageError } from '../errors.js';
import { checkOwners, isTaken, ownersText } from './owners.js';
import { flagOf } from './read-options.js';

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

/**
 * @param {Settings} settings
 * @param {Record<string, unknown>} given
 */
function checkServer(settings, given) {
  if (settings.url !== undefined && settings.socket !== undefined) {
    throw new UsageError('--url and --socket both name a server; give one of them');
  }
  if (settings.tlsCa !== undefined && settings.tlsInsecure) {
    throw new UsageError('--tls-ca verifies the certificate and --tls-insecure does not; give one of them');
  }
  if ((settings.tlsCert === undefined) !== (settings.tlsKey === undefined)) {
    throw new UsageError('--tls-cert and --tls-key belong together; give both of them');
  }
  if (settings.socket !== undefined && settings.topology.every((each) => each === 'cluster')) {
    throw new UsageError(
      '--topology cluster: a cluster is reached by host and port, but --socket names a unix socket; give the --url of one of its nodes',
    );
  }
  if (given.clusterNodes !== undefined && (settings.url ?? settings.socket) !== undefined) {
    throw new UsageError(
      '--cluster-nodes starts a cluster, but --url or --socket names a running server; give one of them',
    );
  }
  checkReplicas(settings, given);
  if (settings.server !== undefined && settings.serverBin !== undefined) {
    throw new UsageError('--server and --server-bin both say what is started; give one of them');
  }
  for (const [flag, value] of [
    ['--server', settings.server],
    ['--server-config', settings.serverConfig],
  ]) {
    if (value === undefined || (settings.url ?? settings.socket) === undefined) continue;
    throw new UsageError(
      `${flag} is about servers that this tool starts, but --url or --socket names a running one; give one of them`,
    );
  }
  if (settings.serverBin !== undefined && (settings.url ?? settings.socket) !== undefined) {
    throw new UsageError(
      '--server-bin starts a server, but --url or --socket names a running one; give one of them',
    );
  }
}

/**
 * @param {Settings} settings
 * @param {Record<string, unknown>} given
 */
function checkReplicas({ replicas, readFrom, topology, fault, agents, ...settings }, given) {
  const isExternal = (settings.url ?? settings.socket) !== undefined;
  if (isExternal && given.replicas !== undefined) {
    throw new UsageError(
      '--replicas starts replicas, but --url or --socket names a running server; leave it out: of a cluster, --read-from finds them',
    );
  }
  for (const [flag, isGiven] of /** @type {const} */ ([
    ['--replicas', replicas > 0],
    ['--read-from', readFrom !== undefined],
  ])) {
    if (!isGiven) continue;
    if (fault !== undefined) {
      throw new UsageError(
        `${flag}: a run with --fault has servers of its own, with the one replica that a failover needs; give one of them`,
      );
    }
    if (agents !== undefined) {
      throw new UsageError(
        `${flag}: replicas are measured from this machine only, not yet with --agents; give one of them`,
      );
    }
  }
  if (readFrom === undefined) return;
  if (isExternal && topology.some((each) => each !== 'cluster')) {
    throw new UsageError(
      '--read-from: the replicas of a running server are found in a cluster only; add --topology cluster, or leave --url and --socket out',
    );
  }
  if (!isExternal && readFrom.includes('replica') && replicas === 0) {
    throw new UsageError('--read-from replica: the managed server has no replicas; add --replicas 1');
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

const OPEN_LOOP_ONLY = ['arrivals', 'whenFull', 'maxInFlight', 'maxInFlightBytes', 'sloMs'];

/**
 * @param {Settings} settings
 * @param {Record<string, unknown>} given
 * @param {OptionTable} options
 */
function checkOpenLoop(settings, given, options) {
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
