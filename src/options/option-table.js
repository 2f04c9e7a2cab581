import { SPEED } from '../commands/words.js';
import { MEASURING } from '../method.js';
import { count } from '../numbers.js';
import * as kinds from './values.js';

/** @import { CalibrateSettings, Comparable, OptionGroup, OptionRow, OptionsFor, OwnSettings, RecordSettings, Settings, ValuesOf } from './types.js' */

const { bytes, clientList, clusterNodes, connectionCount, countOrAuto, duration, file, flag } = kinds;
const { hosts, iterations, listOf, listWithRepeats, listenAddress, microseconds, name } = kinds;
const {
  breakdown,
  names,
  naturalNumber,
  oneOf,
  path,
  percentage,
  pin,
  positiveInteger,
  processCount,
  profile,
} = kinds;
const { COMMAND, idOfName } = kinds;
const { rate, rateRange, replicaCount, roundTrip, serverConfigs, shares, size, sizeRange, someOf, speed } =
  kinds;
const { taskCount, text, textOrObject, texts, url } = kinds;

/**
 * The axes of each. Cells of a table share relay and load, so those stay conditions.
 * @type {Record<Comparable, string[]>}
 */
export const COMPARABLE = {
  workload: ['workload'],
  topology: ['topology'],
  tasks: ['tasks'],
  size: ['keySize', 'valueSize'],
  appWork: ['appWork'],
  processes: ['processes'],
  pin: ['pin'],
};
/** @type {Comparable[]} */
const COMPARED = ['workload', 'topology', 'tasks', 'size', 'appWork', 'processes', 'pin'];

/** @param {Partial<Pick<Settings, 'url' | 'socket' | 'sentinel'>>} settings @returns {boolean} whether it runs already */
export const namesServer = ({ url, socket, sentinel }) => (url ?? socket ?? sentinel) !== undefined;

/** @param {Pick<Settings, 'command' | 'workload'>} settings @returns {number} commands of the user's that are measured */
const ownCommands = ({ command, workload }) =>
  command?.length ?? workload.filter((name) => idOfName(name) === COMMAND).length;

/** @param {Settings} settings @returns {string | null} */
function preparesAmiss({ prepare, ...settings }) {
  const commands = ownCommands(settings);
  if (prepare === undefined || (commands > 0 && [1, commands].includes(prepare.length))) return null;
  // A mix has those that its types of data need.
  if (settings.share !== undefined && prepare.length < commands) return null;
  return commands === 0
    ? '--prepare stores what --command needs; without --command the workload does that itself'
    : `--prepare: expected one for all commands, or one for each of the ${commands}, got ${prepare.length}`;
}

/** @param {Settings} settings @returns {string | null} */
function sharesAmiss({ share, command = [] }) {
  if (share === undefined || (share.length === command.length && share.length > 1)) return null;
  return `--share: expected several --command, each followed by its --share, got ${count(command.length, '--command', '--command')} and ${count(share.length, '--share', '--share')}`;
}

/** @param {Settings} settings @returns {string | undefined} */
function nothingToCompare({ compare, ...settings }) {
  const { command, share, workload } = settings;
  /** @type {Record<string, unknown>} */
  const lists = { ...settings, workload: share ? undefined : (command ?? workload) };
  const hasSeveral = (/** @type {unknown} */ list) => Array.isArray(list) && list.length > 1;
  const alone = compare.find((name) => ![name, ...COMPARABLE[name]].some((each) => hasSeveral(lists[each])));
  return alone && `--compare ${alone}: there is one value and nothing to compare it with; give several`;
}

/** @param {Settings} settings @returns {string | null} */
function replicasMissing({ readFrom, replicas, topology, ...server }) {
  if (readFrom === undefined) return null;
  if (namesServer(server))
    return topology.includes('standalone')
      ? '--read-from: the replicas of a running server are found in a cluster or by --sentinel only; add --topology cluster, or leave --url and --socket out'
      : null;
  return readFrom.includes('replica') && replicas === 0 && topology.some((each) => each !== 'sentinel')
    ? '--read-from replica: the managed server has no replicas; add --replicas 1'
    : null;
}

/** @param {Settings} settings @returns {string | null} */
function sentinelConflict({ topology, transport, url, socket, sentinel, masterName }) {
  if ((sentinel === undefined) !== (masterName === undefined))
    return '--sentinel and --master-name belong together; give both of them';
  if (sentinel !== undefined && topology.some((each) => each !== 'sentinel'))
    return '--sentinel names running Sentinels; add --topology sentinel, and no other';
  if (!topology.includes('sentinel')) return null;
  if ((url ?? socket) !== undefined)
    return '--topology sentinel: running Sentinels are named by --sentinel and --master-name; leave --url and --socket out';
  return transport?.includes('tls') && transport.includes('tcp')
    ? '--topology sentinel: Sentinels name either plain ports or those for TLS; give one --transport, tcp or tls'
    : null;
}

/** @param {string} name in the API, such as `appWork` or `rttMs` @returns {string} its flag */
const flagOfName = (name) =>
  `--${name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * @template {Record<string, OptionRow<any>>} Rows
 * @param {OptionGroup | undefined} group
 * @param {Rows} rows
 * @returns {OptionsFor<ValuesOf<Rows>>} in that group; switches are off by default
 */
export function inGroup(group, rows) {
  /** @type {[string, OptionRow][]} */
  const all = Object.entries(rows);
  const specs = all.map(([name, [kind, help, more]]) => {
    const usual = kind === flag ? { default: false } : {};
    const takes = kind.takes ? ` <${kind.takes}>` : '';
    return [name, { flag: `${flagOfName(name)}${takes}`, group, kind, help, ...usual, ...more }];
  });
  return Object.fromEntries(specs);
}

const OPEN_LOOP = ['--rate', '--rate-search', '--speed'];
const IN_A_CLUSTER = ['--topology cluster'];
/** A rate starts operations by the clock. */
const BY_CLOCK = { iterations: 'both set the length of a run, which is --duration at a rate' };
const ITERATIONS = { iterations: 'both set the length of a run' };
const USES_KEYS_ONCE = 'do not go together: a run ends before a key is used again';
const BOTH_NAME = 'both name a server';
const RUNS_OR_STARTED = 'are about a server that runs and one that is started';
const A_SERVER = {
  url: BOTH_NAME,
  socket: BOTH_NAME,
  sentinel: BOTH_NAME,
  server: RUNS_OR_STARTED,
  serverConfig: RUNS_OR_STARTED,
  serverBin: RUNS_OR_STARTED,
  clusterNodes: RUNS_OR_STARTED,
  replicas: RUNS_OR_STARTED,
};
const BOTH_TIME = 'both set the times of operations';
const WHICH_RATES = 'both say which rates are tried, and how often';
const NO_BUDGET_AT_A_RATE = 'do not go together: --duration of each run bounds how long a rate takes';
const BUDGET_DECIDES = 'do not go together: a budget decides how often cells of a closed loop are started';
const ONE_VERIFIES = { tlsInsecure: 'do not go together: only one of them verifies the certificate' };
const SCENARIOS = ['shared-connection', 'connection-per-task', 'pool', 'open-and-close'];

/** Every option of a benchmark but those of plugins. @type {OptionsFor<OwnSettings>} */
export const OPTIONS = {
  ...inGroup('compare', {
    clients: [
      clientList,
      "clients and releases: redis@5; with variant and options: redis@5.8:tuned, 'redis{RESP:2}'",
      { default: ['redis', 'redis:tuned', 'ioredis'], plugins: 'clients' },
    ],
    compare: [
      someOf(COMPARED),
      `values to compare in one table: workload, tasks, size, …; all are ${COMPARED.join(', ')} (a table shares round trip, rate and machines)`,
      { default: [], conflict: nothingToCompare },
    ],
    config: [textOrObject, 'JSON with options of clients (docs/choices.md)'],
    scenarios: [listOf(text), 'how tasks share connections', { default: SCENARIOS, plugins: 'scenarios' }],
    pipelining: [names, 'batches: auto, explicit:10, …', { default: ['implicit'], plugins: 'pipelining' }],
    way: [
      names,
      'how fetch:20 and store:20 send commands, and how cache-aside fills (default: all)',
      { plugins: 'ways' },
    ],
    transport: [someOf(['tcp', 'unix', 'tls']), 'tcp, unix, tls (default: tcp, or as --url or --socket say)'],
    readFrom: [someOf(['primary', 'replica']), 'reads from primary, replica', { conflict: replicasMissing }],
    replies: [someOf(['string', 'buffer']), 'what clients make of texts: string, buffer (default: string)'],
    encode: [
      someOf(['none', 'json', 'msgpack', 'json+gzip']),
      'with --value records: none, json, msgpack, json+gzip',
      { needs: ['--value records'] },
    ],
    server: [
      listWithRepeats(text),
      'start these and compare them: paths, names on PATH, or name=path',
      { excludes: { serverBin: 'both say what is started' } },
    ],
    serverConfig: [serverConfigs, "servers with these settings: 'none,io-threads 4'", { repeatable: true }],
    nodeBin: [listOf(text), 'run workers on these Node binaries (default: this one)'],
    import: [listOf(text), 'load before the client: none, ./otel.mjs, a package (docs/tracing.md)'],
  }),
  ...inGroup('send', {
    size: [listOf(size), 'length of keys and of values, in characters: 100,100kb', { default: [1000] }],
    keySize: [listOf(size), 'length of keys, instead of --size'],
    valueSize: [listOf(sizeRange), 'length of values, instead of --size; 1kb-100kb: all lengths between'],
    keys: [positiveInteger, 'different keys: 500, 10k, 1m (default: 64 or more, 1000 in a cluster)'],
    keyDistribution: [
      oneOf(['uniform', 'zipf', 'sequential']),
      'sequential (default), uniform (default with --keys), zipf (hot keys)',
    ],
    workload: [names, 'what a task does: get, set, mix, …', { default: ['get'], plugins: 'workloads' }],
    command: [
      texts,
      "any command as workload: 'LPUSH {key} {value}'; several are compared, 'user: GET {key}' has a name; 'GET {key} ; TTL {key}' is one operation",
      { repeatable: true, excludes: { workload: 'both say what an iteration does' } },
    ],
    share: [
      shares,
      "of the --command before it: 'GET {key}' --share 80, then 'SET {key} {value}' --share 20, are one workload, a mix",
      { repeatable: true, needs: ['--command'], conflict: sharesAmiss },
    ],
    prepare: [
      texts,
      "sent for each key before the first run: 'SET {key} {value}'; one for all commands, or one for each",
      { repeatable: true, conflict: preparesAmiss },
    ],
    prepareEach: [
      flag,
      'make the data anew for each operation, outside of the measured time: each key is used once (default: 4000 keys)',
      {
        needs: ['--command'],
        excludes: {
          rate: USES_KEYS_ONCE,
          rateSearch: USES_KEYS_ONCE,
          speed: USES_KEYS_ONCE,
          iterations: USES_KEYS_ONCE,
          share: USES_KEYS_ONCE,
        },
        conflict: ({ prepareEach, keyDistribution }) =>
          prepareEach && keyDistribution !== 'sequential'
            ? '--prepare-each takes each key once; leave --key-distribution out'
            : null,
      },
    ],
    value: [oneOf(['text', 'json', 'records']), 'text, json, records (compressible)', { default: 'text' }],
    tasks: [listOf(taskCount), 'tasks that run at once', { default: [8] }],
    maxInFlight: [listOf(positiveInteger), 'most commands in flight (default: 10000)', { needs: OPEN_LOOP }],
    appWork: [listOf(microseconds), 'CPU time of a service per operation: 0,50us,2ms', { default: [0] }],
    rate: [listOf(rate), 'open loop: start so many operations per second', { excludes: BY_CLOCK }],
    speed: [
      listOf(speed),
      SPEED,
      { excludes: { ...BY_CLOCK, rate: BOTH_TIME, rateSearch: BOTH_TIME, arrivals: BOTH_TIME } },
    ],
    rateSearch: [
      rateRange,
      'open loop: find the highest rate that meets --slo',
      {
        excludes: {
          ...BY_CLOCK,
          assert: 'do not go together: the cells of a search are not known before',
          rate: WHICH_RATES,
          runs: WHICH_RATES,
        },
        conflict: ({ rateSearch, whenFull, sloMs, latency }) => {
          if ((sloMs ?? rateSearch) !== undefined && latency === 'off')
            return '--slo and --rate-search decide by latencies, and --latency off records none';
          return rateSearch !== undefined && whenFull === 'fail'
            ? '--rate-search also tries rates that are too high, where --when-full fail would end it; use wait or drop'
            : null;
        },
      },
    ],
    sloMs: [duration, 'the p99 up to which a rate is sustained (--rate-search: 5ms)', { needs: OPEN_LOOP }],
    arrivals: [oneOf(['even', 'poisson']), 'even (default), or poisson: at random', { needs: OPEN_LOOP }],
    whenFull: [
      oneOf(['wait', 'drop', 'fail']),
      'with --rate: what happens at --max-in-flight',
      { default: 'wait', needs: OPEN_LOOP },
    ],
    maxInFlightBytes: [bytes, 'most bytes in flight (default: 64mb)', { default: 64e6, needs: OPEN_LOOP }],
    processes: [listOf(processCount), 'worker processes of a cell; they share --rate', { default: [1] }],
  }),
  ...inGroup('server', {
    topology: [
      someOf(['standalone', 'cluster', 'sentinel']),
      'standalone, cluster, sentinel',
      { default: ['standalone'], conflict: sentinelConflict },
    ],
    rtt: [listOf(roundTrip), 'round-trip times, added by a relay: 0,0.5ms,2ms', { default: [0] }],
    jitter: [percentage, 'vary each delay of --rtt by up to this much', { needs: ['--rtt'] }],
    clusterNodes: [clusterNodes, 'masters of a managed cluster', { default: 3, needs: IN_A_CLUSTER }],
    replicas: [replicaCount, 'replicas of each managed master, 0 to 5; behind Sentinels 2', { default: 0 }],
    oneSlot: [flag, 'with a cluster: put all keys into one slot, so on one node', { needs: IN_A_CLUSTER }],
    url: [
      url,
      'use this running server (also REDIS_URL); several side by side: a=URL,b=URL; redis[s]://[[user]:password@]host[:port][/database], unix://…/path',
      { excludes: A_SERVER },
    ],
    sentinel: [hosts, 'use these running Sentinels: host:port,… or redis[s]://…', { excludes: A_SERVER }],
    masterName: [name, 'what --sentinel calls the primary: name or redis[s]://…name[/database]'],
    socket: [
      path,
      'use the running server behind this unix socket',
      {
        excludes: A_SERVER,
        conflict: ({ socket, topology }) =>
          socket !== undefined && topology.every((each) => each === 'cluster')
            ? '--topology cluster: a cluster is reached by host and port, but --socket names a unix socket; give the --url of one of its nodes'
            : null,
      },
    ],
    tlsCa: [file, 'authorities (PEM) to trust, instead of those of the system', { excludes: ONE_VERIFIES }],
    tlsCert: [file, 'a certificate (PEM) to show to a server that asks for one', { needs: ['--tls-key'] }],
    tlsKey: [file, 'the private key (PEM) of --tls-cert', { needs: ['--tls-cert'] }],
    tlsInsecure: [flag, 'do not verify the certificate of a rediss:// URL'],
    tlsServername: [name, 'the name in the certificate, if it is not the host', { excludes: ONE_VERIFIES }],
    allowEviction: [flag, 'measure an external server even if it may evict keys'],
    allowScripts: [flag, 'send an external server scripts and whatever else may reach other keys'],
    serverBin: [path, 'start this redis-server instead of the one on PATH'],
  }),
  ...inGroup('measure', {
    iterations: [iterations, 'iterations of each task in a run, or auto', { default: 'auto' }],
    runTimeMs: [duration, "how long a run of a group's fastest cell takes", { default: MEASURING.runTimeMs }],
    durationMs: [duration, 'run for a fixed time and count the iterations instead', { excludes: ITERATIONS }],
    runTimeoutMs: [duration, 'a run that takes longer fails (default: 10 times what is expected)'],
    runs: [
      positiveInteger,
      'so many timed runs of each cell, in up to 4 starts, instead of more starts for what is near the best (default: 3 in each start; at a rate 5)',
    ],
    starts: [
      countOrAuto,
      'so many starts of the worker of each cell: a restart alone changes figures (default: one of each, then more for what is near the best)',
      {
        default: 'auto',
        conflict: ({ starts, runs }) =>
          starts !== 'auto' && runs !== undefined && starts > runs
            ? `--starts: expected at most ${runs} (--runs), because each start makes a run, got '${starts}'`
            : null,
      },
    ],
    budgetMs: [
      duration,
      'how long it may take at most, in all (default: 45s for each table)',
      {
        excludes: {
          rate: NO_BUDGET_AT_A_RATE,
          rateSearch: NO_BUDGET_AT_A_RATE,
          speed: NO_BUDGET_AT_A_RATE,
          runs: BUDGET_DECIDES,
          starts: BUDGET_DECIDES,
        },
      },
    ],
    warmupRuns: [naturalNumber, 'runs of each cell before the timed ones, not counted', { default: 1 }],
    seed: [naturalNumber, 'seed for the order of cells in a round (default: a new one each time)'],
    latency: [oneOf(['on', 'off'], 'on|off'), 'record the latency of each operation', { default: 'on' }],
    profile: [
      profile,
      'profile every cell after its runs: where its time goes; heap: memory too; a folder keeps the profiles (default: cells that are explained)',
      {
        flag: '--profile [what]',
        default: { kinds: ['cpu'], cells: 'explained', folder: null },
        negation: 'profile no cell',
      },
    ],
    breakdown: [
      breakdown,
      'where the time of operations goes, in a pass after the timed runs: in the client, there and back, unread, handled; of all cells, the best, or none (default: none; best with --details)',
      { flag: '--breakdown [cells]', default: 'none' },
    ],
    pin: [listOf(pin), 'cores of server and worker on Linux: apart, same, off', { default: ['apart'] }],
    cpus: [
      oneOf(['asleep', 'awake', 'both'], 'asleep|awake|both'),
      'let idle processors sleep, as the machine does (asleep), keep them awake (awake), or each run both ways (both): waking one may cost more than a command; default: both, where a race has the time',
    ],
    smoke: [
      flag,
      'everything shrunk to a few seconds, for CI; still real and verified',
      { excludes: { assert: 'do not go together: assertions need real figures' } },
    ],
  }),
  ...inGroup('print', {
    assert: [
      texts,
      "exit 5 or 6 unless it holds: 'pool.p99Us < 2 * bounded.p99Us'; repeatable",
      { flag: '--assert <expression>', default: [], repeatable: true },
    ],
    assertStrict: [flag, 'they fail where they are not decided', { needs: ['--assert'] }],
  }),
};

export const OF_MEASURING = [
  'clients',
  'import',
  'config',
  'transport',
  'server',
  'serverConfig',
  'serverBin',
  'topology',
  'clusterNodes',
  'rtt',
  'jitter',
  'runTimeoutMs',
  'runs',
  'seed',
  'pin',
  'smoke',
];
export const OF_RUNNING_SERVERS = [
  'url',
  'socket',
  'sentinel',
  'masterName',
  'allowEviction',
  'tlsCa',
  'tlsCert',
  'tlsKey',
  'tlsInsecure',
  'tlsServername',
];

const { tlsCa, tlsCert, tlsKey, tlsInsecure, tlsServername, allowEviction, serverBin } = OPTIONS;
export const TLS_OPTIONS = { tlsCa, tlsCert, tlsKey, tlsInsecure, tlsServername };
export const SERVER_OPTIONS = { url: OPTIONS.url, socket: OPTIONS.socket, ...TLS_OPTIONS };

/** @type {OptionsFor<CalibrateSettings>} */
export const CALIBRATE_OPTIONS = {
  ...inGroup(undefined, {
    connections: [listOf(connectionCount), 'connections that are used at once', { default: [1, 8, 50] }],
    depth: [listOf(connectionCount), 'commands in flight on each connection', { default: [1, 8, 64] }],
    transport: [
      someOf(['tcp', 'unix', 'tls']),
      'tcp, unix, tls (default: all that the server has; one that is started has TLS if it is asked for)',
    ],
    size: [size, 'length of the value, in characters', { default: 10 }],
    durationMs: [duration, 'of each run (default: 300ms)', { default: 300 }],
    runs: [positiveInteger, 'runs of each shape', { default: 3 }],
    peers: [
      flag,
      'also run redis-benchmark and memtier_benchmark, where they are on PATH, in turns with our own loop',
    ],
  }),
  ...SERVER_OPTIONS,
  allowEviction,
  serverBin,
};

/** @type {OptionsFor<RecordSettings>} */
export const RECORD_OPTIONS = {
  ...inGroup('server', {
    url: [url, "the service's server: redis[s]://host[:port] (also REDIS_URL)"],
    socket: [path, "the service's server, behind this unix socket"],
    listen: [listenAddress, 'where the service connects to: PORT or HOST:PORT (default: a free port)'],
  }),
  ...TLS_OPTIONS,
  ...inGroup('measure', {
    forMs: [duration, 'how long to record, such as 30s or 5m (default: until Ctrl-C)'],
  }),
  ...inGroup('print', {
    output: [file, 'the profile; gzipped if its name ends in .gz', { default: 'traffic.ndjson' }],
  }),
};
