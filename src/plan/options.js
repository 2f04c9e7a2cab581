import { UsageError } from '../errors.js';
import * as kinds from './values.js';

/** The median lies between the slowest and the fastest of so many runs with 96.9 %; of five with 93.8 %. */
const RUNS_FOR_95 = 6;

/**
 * Every option of a benchmark: the one table that the command line, the API and the suites are read
 * with. `flag` is how the command line spells it, `kind` reads and checks the value.
 *
 * @type {Record<keyof import('../types.js').Settings, import('../types.js').OptionSpec>}
 */
export const OPTIONS = {
  clients: {
    flag: '--clients <list>',
    kind: kinds.listWithRepeats(kinds.text),
    default: ['redis', 'ioredis'],
    help: 'clients, with a release and a variant where wanted: redis,redis@5.8:tuned; twice the same for the noise',
    plugins: 'clients',
  },
  scenarios: {
    flag: '--scenarios <list>',
    kind: kinds.listOf(kinds.text),
    default: ['shared-connection', 'connection-per-task', 'pool', 'open-and-close'],
    help: 'how tasks get their connections',
    plugins: 'scenarios',
  },
  tasks: {
    flag: '--tasks <list>',
    kind: kinds.listOf(kinds.taskCount),
    default: [8],
    help: 'tasks that run at once',
  },
  size: {
    flag: '--size <list>',
    kind: kinds.listOf(kinds.size),
    default: [1000],
    help: 'length of keys and of values, in characters',
  },
  keySize: {
    flag: '--key-size <list>',
    kind: kinds.listOf(kinds.size),
    default: undefined,
    help: 'length of keys, instead of --size',
  },
  valueSize: {
    flag: '--value-size <list>',
    kind: kinds.listOf(kinds.sizeRange),
    default: undefined,
    help: 'length of values, instead of --size; 100-1000: of all lengths from one to the other',
  },
  keys: {
    flag: '--keys <n>',
    kind: kinds.positiveInteger,
    default: undefined,
    help: 'different keys (default: 1; with values of many lengths or a cluster: 1000)',
  },
  keyDistribution: {
    flag: '--key-distribution <kind>',
    kind: kinds.oneOf(['uniform', 'zipf', 'sequential']),
    default: 'uniform',
    help: 'which key comes next: uniform, zipf (few keys most of the time) or sequential',
  },
  workload: {
    flag: '--workload <list>',
    kind: kinds.names,
    default: ['get'],
    help: 'what one iteration of a task does',
    plugins: 'workloads',
  },
  command: {
    flag: '--command <text>',
    kind: kinds.text,
    default: undefined,
    help: "as workload, any command: 'LPUSH {key} {value}'",
  },
  prepare: {
    flag: '--prepare <text>',
    kind: kinds.text,
    default: undefined,
    help: "with --command, what is sent for each key before the first run: 'SET {key} {value}'",
  },
  value: {
    flag: '--value <kind>',
    kind: kinds.oneOf(['text', 'json']),
    default: 'text',
    help: 'what values look like: text or json',
  },
  pipelining: {
    flag: '--pipelining <list>',
    kind: kinds.names,
    default: ['implicit'],
    help: 'how commands travel on a connection: explicit:1,5,10 are three batch sizes',
    plugins: 'pipelining',
  },
  transport: {
    flag: '--transport <list>',
    kind: kinds.listOf(kinds.oneOf(['tcp', 'unix', 'tls'])),
    default: undefined,
    help: 'tcp, unix, tls (default: tcp, or what --url or --socket says)',
  },
  topology: {
    flag: '--topology <list>',
    kind: kinds.listOf(kinds.oneOf(['standalone', 'cluster'])),
    default: ['standalone'],
    help: 'standalone, cluster or both',
  },
  clusterNodes: {
    flag: '--cluster-nodes <n>',
    kind: kinds.clusterNodes,
    default: 3,
    help: 'masters of a managed cluster',
  },
  oneSlot: {
    flag: '--one-slot',
    kind: kinds.flag,
    default: false,
    help: 'with a cluster: all keys in one slot, so on one node, instead of spread over all',
  },
  pool: {
    flag: '--pool <list>',
    kind: kinds.listOf(kinds.oneOf(['generic', 'native'])),
    default: undefined,
    help: "in the scenario pool: generic-pool, or the client's own (native) (default: generic)",
  },
  poolSize: {
    flag: '--pool-size <list>',
    kind: kinds.listOf(kinds.connectionCount),
    default: undefined,
    help: 'in the scenario pool: its connections (default: 3)',
  },
  connections: {
    flag: '--connections <list>',
    kind: kinds.listOf(kinds.connectionCount),
    default: undefined,
    help: 'in the scenario round-robin: the connections that tasks share (default: 2)',
  },
  maxInFlight: {
    flag: '--max-in-flight <list>',
    kind: kinds.listOf(kinds.positiveInteger),
    default: undefined,
    help: 'commands under way at most: with --rate (default: 10000), or in the scenario bounded (default: 4)',
  },
  iterations: {
    flag: '--iterations <n>',
    kind: kinds.iterations,
    default: 'auto',
    help: 'iterations of each task in a run, or auto',
  },
  runTimeMs: {
    flag: '--run-time <time>',
    kind: kinds.duration,
    default: 300,
    help: "with --iterations auto: how long a run of a group's fastest cell takes (default: 300ms)",
  },
  durationMs: {
    flag: '--duration <time>',
    kind: kinds.duration,
    default: undefined,
    help: 'run for a fixed time and count the iterations instead',
  },
  rate: {
    flag: '--rate <list>',
    kind: kinds.listOf(kinds.rate),
    default: undefined,
    help: 'open loop: start so many operations a second, whether or not earlier ones came back',
  },
  arrivals: {
    flag: '--arrivals <kind>',
    kind: kinds.oneOf(['even', 'poisson']),
    default: 'even',
    help: 'with --rate: evenly spaced, or at random (poisson) as independent users would come',
  },
  whenFull: {
    flag: '--when-full <what>',
    kind: kinds.oneOf(['wait', 'drop', 'fail']),
    default: 'wait',
    help: 'with --rate: what becomes of an operation that is due while --max-in-flight are under way',
  },
  maxInFlightBytes: {
    flag: '--max-in-flight-bytes <n>',
    kind: kinds.bytes,
    default: 64e6,
    help: 'with --rate: keys and values under way at most, each counted as the longest (default: 64mb)',
  },
  config: {
    flag: '--config <file>',
    kind: kinds.textOrObject,
    default: undefined,
    help: 'JSON with options for the clients: {"keepAlive": 1}, or by client {"redis": {…}, "ioredis": {…}}',
  },
  processes: {
    flag: '--processes <list>',
    kind: kinds.listOf(kinds.processCount),
    default: [1],
    help: 'worker processes of each cell, each with all tasks; --rate is that of all together',
  },
  runTimeoutMs: {
    flag: '--run-timeout <time>',
    kind: kinds.duration,
    default: undefined,
    help: 'a run that takes longer fails (default: 10 times what is expected and 30s at least; 10m where nothing is)',
  },
  runs: {
    flag: '--runs <n>',
    kind: kinds.positiveInteger,
    default: 5,
    help: 'timed runs of each cell',
  },
  untilStable: {
    flag: '--until-stable <percent>',
    kind: kinds.percentage,
    default: undefined,
    help: "add rounds until the 95 % interval of each cell's ops/s is this near to its median",
  },
  maxRuns: {
    flag: '--max-runs <n>',
    kind: kinds.positiveInteger,
    default: 30,
    help: 'with --until-stable: give up after so many runs of each cell',
  },
  warmupRuns: {
    flag: '--warmup-runs <n>',
    kind: kinds.naturalNumber,
    default: 1,
    help: 'runs of each cell before those, thrown away',
  },
  seed: {
    flag: '--seed <n>',
    kind: kinds.naturalNumber,
    default: undefined,
    help: 'for the order inside the rounds (default: another one each time)',
  },
  latency: {
    flag: '--latency <on|off>',
    kind: kinds.oneOf(['on', 'off']),
    default: 'on',
    help: 'record the latency of each operation',
  },
  pin: {
    flag: '--pin <list>',
    kind: kinds.listOf(kinds.pin),
    default: ['apart'],
    help: 'on Linux, server and worker on different cores (apart), on one (same), or wherever (off)',
  },
  nodeBin: {
    flag: '--node-bin <list>',
    kind: kinds.listOf(kinds.text),
    default: undefined,
    help: 'run the workers on these Node binaries (default: the one that runs this tool)',
  },
  url: {
    flag: '--url <url>',
    kind: kinds.text,
    default: undefined,
    help: 'measure this running server: redis[s]://[[user]:password@]host[:port][/database] (also REDIS_URL)',
  },
  socket: {
    flag: '--socket <path>',
    kind: kinds.text,
    default: undefined,
    help: 'measure the running server behind this unix socket',
  },
  tlsCa: {
    flag: '--tls-ca <file>',
    kind: kinds.text,
    default: undefined,
    help: 'for a rediss:// URL: certificates (PEM) of the authorities to trust, instead of the system',
  },
  tlsCert: {
    flag: '--tls-cert <file>',
    kind: kinds.text,
    default: undefined,
    help: 'for a rediss:// URL: a certificate (PEM) to show to a server that asks for one',
  },
  tlsKey: {
    flag: '--tls-key <file>',
    kind: kinds.text,
    default: undefined,
    help: 'the private key (PEM) of --tls-cert',
  },
  tlsInsecure: {
    flag: '--tls-insecure',
    kind: kinds.flag,
    default: false,
    help: 'for a rediss:// URL: do not verify the certificate',
  },
  serverBin: {
    flag: '--server-bin <path>',
    kind: kinds.text,
    default: undefined,
    help: 'start this redis-server instead of the one on PATH',
  },
  assert: {
    flag: '--assert <expression>',
    kind: kinds.assertions,
    default: [],
    repeatable: true,
    help: "exit 5 unless it holds: 'pool.opsPerSecond >= 1.5 * open-and-close.opsPerSecond'; repeatable",
  },
  assertStrict: {
    flag: '--assert-strict',
    kind: kinds.flag,
    default: false,
    help: 'an assertion holds only if it does for all that the intervals of its figures allow',
  },
  full: {
    flag: '--full',
    kind: kinds.flag,
    default: false,
    help: 'the suite in its original size, which may take long',
  },
  smoke: {
    flag: '--smoke',
    kind: kinds.flag,
    default: false,
    help: 'everything shrunk to a few seconds, for CI; still real and verified',
  },
};

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
  checkOpenLoop(settings, given);
  const timed =
    settings.rate === undefined ? settings : { ...settings, durationMs: settings.durationMs ?? OPEN_LOOP_MS };
  return timed.smoke ? shrink(timed, given) : timed;
}

/**
 * @template {string} Name
 * @param {Record<Name, import('../types.js').OptionSpec>} table
 * @param {Record<string, unknown>} chosen text or values
 * @returns {Record<Name, any>} the value of every option, the default where none was chosen
 * @throws {UsageError} for a name that is no option, or naming the option whose value is wrong
 */
export function readOptions(table, chosen) {
  for (const name of Object.keys(chosen)) {
    if (!Object.hasOwn(table, name)) {
      throw new UsageError(`option '${name}' is unknown; expected one of ${Object.keys(table).join(', ')}`);
    }
  }
  const entries = /** @type {[Name, import('../types.js').OptionSpec][]} */ (Object.entries(table));
  return /** @type {Record<Name, any>} */ (
    Object.fromEntries(
      entries.map(([name, option]) => [
        name,
        chosen[name] === undefined ? option.default : readOption(option, chosen[name]),
      ]),
    )
  );
}

/** @param {import('../types.js').OptionSpec} option @returns {string} such as `--tasks` */
export const flagOf = ({ flag }) => flag.split(' ')[0];

/**
 * @param {import('../types.js').OptionSpec} option
 * @param {unknown} value
 */
export function readOption(option, value) {
  try {
    return option.kind(value);
  } catch (error) {
    throw new UsageError(`${flagOf(option)}: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * @param {import('../types.js').Settings} settings
 * @param {Record<string, unknown>} given
 */
function checkTogether(settings, given) {
  if (settings.durationMs !== undefined && given.iterations !== undefined) {
    throw new UsageError('--duration and --iterations both set the length of a run; give one of them');
  }
  if (settings.smoke && given.assert !== undefined) {
    throw new UsageError('--assert decides by figures, and those of --smoke mean nothing; give one of them');
  }
  if (given.maxRuns !== undefined && settings.untilStable === undefined) {
    throw new UsageError('--max-runs ends what --until-stable began; give both, or --runs alone');
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
  if (settings.serverBin !== undefined && (settings.url ?? settings.socket) !== undefined) {
    throw new UsageError(
      '--server-bin starts a server, but --url or --socket names a running one; give one of them',
    );
  }
}

/** A run of an open loop: long enough for a p99.9 at a thousand operations a second. */
const OPEN_LOOP_MS = 5000;
const OPEN_LOOP_ONLY = /** @type {const} */ (['arrivals', 'whenFull', 'maxInFlightBytes']);

/**
 * @param {import('../types.js').Settings} settings
 * @param {Record<string, unknown>} given
 */
function checkOpenLoop({ rate, iterations }, given) {
  if (rate !== undefined && (given.iterations !== undefined || iterations !== OPTIONS.iterations.default)) {
    throw new UsageError(
      '--rate starts operations by the clock for as long as --duration says, so that --iterations has no meaning; give one of them',
    );
  }
  for (const name of OPEN_LOOP_ONLY) {
    if (rate !== undefined || given[name] === undefined) continue;
    throw new UsageError(`${OPTIONS[name].flag.split(' ')[0]} is for an open loop; add --rate`);
  }
}

/**
 * Small enough for CI, with the same cells: nothing is left out, everything is short.
 *
 * @param {import('../types.js').Settings} settings
 * @param {Record<string, unknown>} given what the user asked for stays as it is
 * @returns {import('../types.js').Settings}
 */
function shrink(settings, given) {
  return {
    ...settings,
    runs: given.runs === undefined ? Math.min(settings.runs, 2) : settings.runs,
    runTimeMs: given.runTimeMs === undefined ? Math.min(settings.runTimeMs, 50) : settings.runTimeMs,
    durationMs:
      given.durationMs === undefined
        ? settings.durationMs && Math.min(settings.durationMs, 100)
        : settings.durationMs,
    iterations: given.iterations === undefined ? fewer(settings.iterations) : settings.iterations,
  };
}

const SMOKE_SHARE = 200;

/**
 * @param {import('../types.js').Settings['iterations']} iterations
 * @returns {import('../types.js').Settings['iterations']}
 */
function fewer(iterations) {
  if (iterations === 'auto') return iterations;
  return typeof iterations === 'object'
    ? { ...iterations, budget: iterations.budget / SMOKE_SHARE }
    : Math.ceil(iterations / SMOKE_SHARE);
}

/** @param {Record<string, unknown>} object */
const withoutUndefined = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
