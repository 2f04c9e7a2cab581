import { AXES, axesOf, groupOf, idOf } from '../../src/axes/all-axes.js';
import { createReport } from '../../src/commands/benchmark/conclude.js';
import { withWords } from '../../src/commands/benchmark/report/words/findings.js';
import { UNHARMED } from '../helpers/fault-fixture.js';
import { createRandom } from '../helpers/random.js';
import { createLines, goodRun } from '../helpers/report-fixture.js';

/**
 * @import { Cell, ServerChoice, Sources } from '../../src/run/plan/types.js'
 * @import { Report, ResultHeader, ResultLine, Run } from '../../src/store/types.js'
 */

const RUNS = 6;
const PACKAGES = { redis: '6.3.1', ioredis: '6.0.0', esbuild: '0.28.2' };

/**
 * @typedef {object} Asked what a user asks for to have two values of an axis
 * @property {string[]} [clients] instead of `redis`
 * @property {(client: string) => string[]} [eachClient] instead of each client that is not the floor
 * @property {string[]} [scenarios]
 * @property {Record<string, unknown>} [given] other options
 * @property {string[]} [runtimes]
 * @property {(string | null)[]} [imports]
 * @property {Partial<ServerChoice>[]} [servers]
 */

/** @type {Record<string, Asked>} */
export const TWO_VALUES = {
  // The floor, to have a share of it.
  client: { clients: ['redis', 'ioredis', 'raw'] },
  release: { eachClient: releasesOf },
  variant: { eachClient: (client) => (client.startsWith('redis') ? [client, `${client}:tuned`] : [client]) },
  copy: { eachClient: (client) => [client, client] },
  node: { runtimes: ['20.19.0', '24.1.0'] },
  import: { imports: [null, 'otel.mjs'] },
  server: { servers: [{ server: 'redis-server' }, { server: 'valkey-server' }] },
  serverConfig: { servers: [{ serverConfig: 'io-threads 1' }, { serverConfig: 'io-threads 4' }] },
  scenario: { scenarios: ['shared-connection', 'connection-per-task'] },
  poolSize: { scenarios: ['pool'], given: { poolSize: '3,10' } },
  pool: { scenarios: ['pool'], given: { pool: 'generic,native' } },
  connections: { scenarios: ['round-robin'], given: { connections: '2,4' } },
  maxInFlight: { scenarios: ['bounded'], given: { maxInFlight: '4,8' } },
  pipelining: { given: { pipelining: 'implicit,explicit:10' } },
  transport: { given: { transport: 'tcp,unix' } },
  way: { given: { workload: 'fetch:3', way: 'mget,pipeline' } },
  readFrom: { given: { topology: 'cluster', replicas: 1, readFrom: 'primary,replica' } },
  replies: { given: { replies: 'string,buffer' } },
  bundle: { given: { bundle: 'none,esbuild' } },
  encode: { given: { value: 'records', encode: 'none,json' } },
  pin: { given: { pin: 'apart,same' } },
  processes: { given: { processes: '1,2' } },
  machines: { given: { agents: 'local:2', machines: '1,2' } },
  step: { given: { rateSearch: '1000-4000' } },
  workload: { given: { workload: 'get,set-get' } },
  argument: { given: { workload: 'scan:10,scan:1000' } },
  topology: { given: { topology: 'standalone,cluster,sentinel' } },
  keySize: { given: { keySize: '20,40' } },
  valueSize: { given: { valueSize: '100,10-100' } },
  keys: { given: { keys: '500' } },
  rtt: { given: { rtt: '0,2ms' } },
  jitter: { given: { rtt: '2ms', jitter: '10%' } },
  tasks: { given: { tasks: '8,64' } },
  appWork: { given: { appWork: '0,50us' } },
  fault: { given: { fault: 'none,cut,freeze:1s', rate: '1000' } },
  idle: { given: { idle: '0,1s', rate: '1000' } },
  rate: { given: { rate: '1000,2000' } },
  speed: { given: { workload: 'profile:traffic.ndjson', speed: '1,2' } },
  arrivals: { given: { rate: '1000', arrivals: 'poisson' } },
  whenFull: { given: { rate: '1000', whenFull: 'drop' } },
  bound: { given: { rate: '1000', maxInFlight: '40' } },
};

/** Axes of which a benchmark has one value. */
export const ONE_VALUE = ['keys', 'jitter', 'arrivals', 'whenFull', 'bound'];

/** @param {string} client @returns {string[]} */
function releasesOf(client) {
  const [name, variant] = client.split(':');
  return name === 'redis'
    ? ['5.12.1', '6.3.1'].map((version) => [`redis@${version}`, variant].filter(Boolean).join(':'))
    : [client];
}

/** What makes cells slow. */
export const DIFFERENCES = /** @type {const} */ (['none', 'choices', 'conditions', 'crossed', 'noise']);

/**
 * @param {string[]} axes ids
 * @returns {Promise<ResultLine[]>} of two values of each of the axes
 */
export function linesOfPair(axes) {
  const { given, sources } = askFor(axes.map((id) => TWO_VALUES[id]));
  const runs = given.rateSearch ? {} : { runs: RUNS };
  return createLines({ given: { ...runs, ...given }, sources, packages: PACKAGES, measured: () => null });
}

/**
 * @param {ResultLine[]} lines
 * @param {string[]} axes
 * @param {typeof DIFFERENCES[number]} difference
 * @returns {Report}
 */
export function reportOfPair(lines, axes, difference) {
  const header = /** @type {ResultHeader} */ (lines[0]);
  const cells = header.cells.flatMap(stepsOf);
  const slowness = slownessIn(cells, axes, difference);
  const random = createRandom([...axes, difference].join().length * 1000 + cells.length);
  const records = cells.flatMap((cell) => {
    if (cell.skipped !== null) return [];
    const runs = Array.from({ length: RUNS }, (_, index) =>
      runOf(cell, index + 1, slowness(cell), () =>
        Math.exp((difference === 'noise' ? 0.5 : 0.01) * random.normal()),
      ),
    );
    return [
      .../** @type {const} */ ([{ type: 'cell', cell: cell.id, iterations: 100, effectiveOptions: {} }]),
      ...runs.map((run) => /** @type {const} */ ({ type: 'run', cell: cell.id, at: header.startedAt, run })),
    ];
  });
  return withWords(createReport({ ...header, cells }, records, /** @type {any} */ (lines.at(-1))));
}

/** @param {Asked[]} all @returns {{given: Record<string, unknown>, sources: Sources}} */
function askFor(all) {
  const clients = all.reduce(
    (names, { eachClient }) =>
      eachClient ? names.flatMap((name) => (name === 'raw' ? [name] : eachClient(name))) : names,
    all.find((asked) => asked.clients)?.clients ?? ['redis'],
  );
  const scenarios = [...new Set(all.flatMap((asked) => asked.scenarios ?? []))];
  const releases = [...new Set(clients)].flatMap((asked) => {
    const [, key, version] = /^(redis@([^:]+))/.exec(asked) ?? [];
    return key ? [[key, { package: 'redis', version, path: null, entry: 'file:///x.js', commit: null }]] : [];
  });
  return {
    given: {
      ...Object.assign({}, ...all.map(({ given }) => given)),
      clients: clients.join(),
      scenarios: scenarios.join() || 'shared-connection',
    },
    sources: {
      releases: new Map(/** @type {any} */ (releases)),
      runtimes: all
        .flatMap(({ runtimes }) => runtimes ?? [])
        .map((version) => ({ name: version, version, v8: '1', path: `/node-${version}` })),
      imports: (all.find(({ imports }) => imports)?.imports ?? [null]).map((name) =>
        name === null ? null : { name, args: ['--import', `file:///${name}`] },
      ),
      servers: all
        .flatMap(({ servers }) => (servers ? [servers] : []))
        .reduce((some, more) => some.flatMap((one) => more.map((other) => ({ ...one, ...other }))), [{}])
        .map((server) => ({ server: null, serverConfig: null, ...server, transports: ['tcp', 'unix'] })),
    },
  };
}

/** @param {Cell} cell @returns {Cell[]} itself, or the steps that a search would have added */
function stepsOf(cell) {
  const { openLoop } = cell;
  if (!openLoop?.search) return [cell];
  return openLoop.search.map((ratePerSecond) => {
    const step = { ...cell, openLoop: { ...openLoop, ratePerSecond } };
    return { ...step, id: idOf(step), group: groupOf(step) };
  });
}

/**
 * @param {Cell[]} cells
 * @param {string[]} ids
 * @param {typeof DIFFERENCES[number]} difference
 * @returns {(cell: Cell) => number} how many times slower than the fastest
 */
function slownessIn(cells, ids, difference) {
  const axes = axesOf(cells).filter(({ id }) => ids.includes(id));
  const firsts = new Map(axes.map((axis) => [axis, axis.of(cells[0])]));
  const isSecond = (/** @type {Cell} */ cell) => axes.filter((axis) => axis.of(cell) !== firsts.get(axis));
  return (cell) => {
    if (cell.floor) return 0.5;
    const second = isSecond(cell).filter(({ role }) => role !== 'repetition');
    switch (difference) {
      case 'none':
        return 1;
      case 'choices':
        return second.filter(({ role }) => role === 'choice').length + 1;
      case 'conditions':
        return second.filter(({ role }) => role !== 'choice').length + 1;
      default:
        return second.length === 1 ? 2 : 1;
    }
  };
}

/**
 * @param {Cell} cell
 * @param {number} round
 * @param {number} slowness
 * @param {() => number} noise
 * @returns {Run}
 */
function runOf(cell, round, slowness, noise) {
  const { tasks, processes, openLoop, scenario } = cell;
  const averageMs = 100 * slowness * noise();
  const run = goodRun(round, { tasks: tasks * processes, iterations: 100, averageMs, spreadMs: 5 });
  const client = /** @type {NonNullable<Run['client']>} */ (run.client);
  const isFull = scenario.length % 2 === 0;
  return {
    ...run,
    connections: scenario === 'shared-connection' ? processes : tasks * processes,
    client: {
      ...client,
      cpuUsPerOp: 20 * slowness * noise(),
      eventLoopUtilization: isFull ? 0.9 : 0.5 * noise(),
      cpuUtilization: isFull ? 0.9 : 0.5,
    },
    openLoop: openLoop && {
      intendedPerSecond: openLoop.ratePerSecond,
      held: openLoop.ratePerSecond * slowness < 3000,
      achievedPerSecond: openLoop.ratePerSecond,
      scheduled: run.operations,
      acknowledged: run.operations,
      dropped: 0,
      failed: 0,
      waited: 0,
      unsent: 0,
      inFlightMax: 10,
      latenessP99Us: 10,
      waitingShare: 0,
      latencyFromSend: null,
    },
    fault: cell.fault && faultOf(run.operations, slowness),
  };
}

/**
 * @param {number} operations
 * @param {number} slowness
 * @returns {Run['fault']}
 */
const faultOf = (operations, slowness) => ({
  ...UNHARMED,
  scheduled: operations,
  acknowledged: operations - 2,
  failed: 2,
  late: 1,
  firstSuccessMs: 5 * slowness,
  recoveredMs: 20 * slowness,
  longestWaitMs: 30 * slowness,
  timeline: { ...UNHARMED.timeline, inTime: [10, 8], acknowledged: [10, 8], failed: [0, 2] },
});

/** @returns {string[][]} every two axes of the list */
export function everyPairOfAxes() {
  const ids = Object.keys(TWO_VALUES);
  return ids.flatMap((b, place) => ids.slice(0, place).map((a) => [a, b]));
}

/** @returns {string[]} ids of the axes of the list that need no cells to be known */
export const fixedAxes = () => AXES.flatMap((axis) => (typeof axis === 'function' ? [] : axis.id));
