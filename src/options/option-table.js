import { MEASURING } from '../core/method.js';
import { QUEUE_TOKEN } from '../core/secrets.js';
import { flagOfName } from './gone.js';
import { COMMAND, idOfName } from './plugin-names.js';
import * as kinds from './values.js';

/** @import { CalibrateSettings, OfCommands, OptionGroup, OptionRow, OptionSpec, RecordSettings, Settings } from './types.js' */

/** What --compare can make choices of one table, and the axes of each. Its cells share relay, load and faults, so those stay conditions. */
export const COMPARABLE = {
  workload: ['workload'],
  topology: ['topology'],
  tasks: ['tasks'],
  size: ['keySize', 'valueSize'],
  appWork: ['appWork'],
  processes: ['processes'],
  pin: ['pin'],
};

/** Slowest and fastest of six runs enclose the median with 96.9 %, of five with 93.8 %. */
const RUNS_FOR_95 = 6;

/** @param {Partial<Pick<Settings, 'url' | 'socket' | 'sentinel'>>} settings @returns {boolean} whether it runs already */
export const namesServer = ({ url, socket, sentinel }) => (url ?? socket ?? sentinel) !== undefined;

/** @param {Pick<Settings, 'command' | 'workload'>} settings @returns {number} commands of the user's that are measured */
const ownCommands = ({ command, workload }) =>
  command?.length ?? workload.filter((name) => idOfName(name) === COMMAND).length;

/** @param {Settings} settings @returns {string | null} */
function preparesAmiss({ prepare, ...settings }) {
  const commands = ownCommands(settings);
  if (prepare === undefined || (commands > 0 && [1, commands].includes(prepare.length))) return null;
  return commands === 0
    ? '--prepare stores what --command needs; without --command the workload does that itself'
    : `--prepare: expected one for all commands, or one for each of the ${commands}, got ${prepare.length}`;
}

/** @param {Settings} settings @returns {string | undefined} */
function nothingToCompare({ compare, ...settings }) {
  /** @type {Record<string, any>} */
  const lists = { ...settings, workload: settings.command ?? settings.workload };
  const alone = compare.find((name) =>
    [name, ...COMPARABLE[name]].every((each) => !(lists[each]?.length > 1)),
  );
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
function sentinelConflict({ topology, transport, agents, url, socket, sentinel, masterName }) {
  if ((sentinel === undefined) !== (masterName === undefined))
    return '--sentinel and --master-name belong together; give both of them';
  if (sentinel !== undefined && topology.some((each) => each !== 'sentinel'))
    return '--sentinel names running Sentinels; add --topology sentinel, and no other';
  if (!topology.includes('sentinel')) return null;
  if ((url ?? socket) !== undefined)
    return '--topology sentinel: running Sentinels are named by --sentinel and --master-name; leave --url and --socket out';
  if (agents !== undefined)
    return '--topology sentinel is measured from this machine only, not yet with --agents; give one of them';
  return transport?.includes('tls') && transport.includes('tcp')
    ? '--topology sentinel: Sentinels name either plain ports or those for TLS; give one --transport, tcp or tls'
    : null;
}

/**
 * @template {string} Name @param {OptionGroup | undefined} group @param {Record<Name, OptionRow>} rows
 * @returns {Record<Name, OptionSpec>} in that group; switches are off by default
 */
export const inGroup = (group, rows) =>
  /** @type {Record<Name, OptionSpec>} */ (
    Object.fromEntries(
      Object.entries(/** @type {Record<string, OptionRow>} */ (rows)).map(([name, [kind, help, more]]) => [
        name,
        {
          flag: `${flagOfName(name)}${kind.takes ? ` <${kind.takes}>` : ''}`,
          group,
          kind,
          help,
          ...(kind === kinds.flag && { default: false }),
          ...more,
        },
      ]),
    )
  );

const OPEN_LOOP = ['--rate', '--rate-search', '--speed'];
const IN_A_CLUSTER = ['--topology cluster'];
/** A rate starts operations by the clock. */
const BY_CLOCK = { iterations: 'both set the length of a run, which is --duration at a rate' };
const RUNS_ALREADY = {
  'server serverConfig serverBin clusterNodes replicas':
    'are about a server that runs and one that is started',
};

/** Every option of a benchmark but those of plugins. @type {Record<Exclude<keyof Settings, 'races' | OfCommands>, OptionSpec>} */
export const OPTIONS = {
  ...inGroup('compare', {
    clients: [
      kinds.clientList,
      "clients and releases: redis@5; with variant and options: redis@5.8:tuned, 'redis{RESP:2}'",
      { basic: true, default: ['redis', 'redis:tuned', 'ioredis'], plugins: 'clients' },
    ],
    compare: [
      kinds.someOf(Object.keys(COMPARABLE)),
      `values to compare in one table: workload, tasks, size, …; all are ${Object.keys(COMPARABLE).join(', ')}`,
      { basic: true, default: [], conflict: nothingToCompare },
    ],
    config: [kinds.textOrObject, 'JSON with options and variants of clients (docs/choices.md)'],
    scenarios: [
      kinds.listOf(kinds.text),
      'how tasks share connections',
      {
        basic: true,
        default: ['shared-connection', 'connection-per-task', 'pool', 'open-and-close'],
        plugins: 'scenarios',
      },
    ],
    pipelining: [
      kinds.names,
      'batches: implicit, none, auto, window, explicit:10',
      { basic: true, default: ['implicit'], plugins: 'pipelining' },
    ],
    way: [kinds.names, 'how fetch:20 and store:20 send commands (default: all)', { plugins: 'ways' }],
    transport: [
      kinds.someOf(['tcp', 'unix', 'tls']),
      'tcp, unix, tls (default: tcp, or what --url or --socket says)',
      { basic: true },
    ],
    readFrom: [
      kinds.someOf(['primary', 'replica']),
      'where reads go: primary, replica; with --replicas 1',
      { basic: true, conflict: replicasMissing },
    ],
    replies: [
      kinds.someOf(['string', 'buffer']),
      'what clients make of texts: string, buffer (default: string)',
    ],
    encode: [
      kinds.someOf(['none', 'json', 'msgpack', 'json+gzip']),
      'with --value records: none, json, msgpack, json+gzip',
      { basic: true, needs: ['--value records'] },
    ],
    server: [
      kinds.listWithRepeats(kinds.text),
      'start these and compare them: paths, names on PATH, or name=path',
      { basic: true, excludes: { serverBin: 'both say what is started' } },
    ],
    serverConfig: [
      kinds.serverConfigs,
      "servers with these settings: 'none,io-threads 4'; ';' joins settings",
      { repeatable: true },
    ],
    nodeBin: [
      kinds.listOf(kinds.text),
      'run workers on these Node binaries (default: this one)',
      { basic: true },
    ],
  }),
  ...inGroup('send', {
    size: [
      kinds.listOf(kinds.size),
      'length of keys and of values, in characters: 100,100kb',
      { basic: true, default: [1000] },
    ],
    keySize: [kinds.listOf(kinds.size), 'length of keys, instead of --size'],
    valueSize: [
      kinds.listOf(kinds.sizeRange),
      'length of values, instead of --size; 1kb-100kb: all lengths between',
    ],
    keys: [kinds.positiveInteger, 'different keys: 500, 10k, 1m (default: at least 64; a cluster: 1000)'],
    keyDistribution: [
      kinds.oneOf(['uniform', 'zipf', 'sequential']),
      'sequential (default), uniform (default with --keys), zipf (hot keys)',
      {
        conflict: ({ keys }, given) =>
          given.keyDistribution !== undefined && keys === 1
            ? '--key-distribution says which key comes next, and there is one key; add --keys, or leave it out'
            : null,
      },
    ],
    workload: [
      kinds.names,
      'what a task does: get, set, mix, fetch:20, …',
      { basic: true, default: ['get'], plugins: 'workloads' },
    ],
    command: [
      kinds.texts,
      "any command as workload: 'LPUSH {key} {value}'; several are compared; 'GET {key} ; TTL {key}' is one",
      { basic: true, repeatable: true, excludes: { workload: 'both say what an iteration does' } },
    ],
    prepare: [
      kinds.texts,
      "sent for each key before the first run: 'SET {key} {value}'; one for all commands, or one for each",
      { repeatable: true, conflict: preparesAmiss },
    ],
    value: [
      kinds.oneOf(['text', 'json', 'records']),
      'text, json, or records, which compress 3 to 5 times',
      { default: 'text' },
    ],
    tasks: [kinds.listOf(kinds.taskCount), 'tasks that run at once', { basic: true, default: [8] }],
    maxInFlight: [
      kinds.listOf(kinds.positiveInteger),
      'with --rate: most commands in flight (default: 10000)',
      { needs: OPEN_LOOP },
    ],
    appWork: [
      kinds.listOf(kinds.microseconds),
      'CPU time of the application after each operation: 0,50us,2ms',
      { default: [0] },
    ],
    rate: [
      kinds.listOf(kinds.rate),
      'open loop: start so many operations per second',
      { basic: true, excludes: BY_CLOCK },
    ],
    speed: [
      kinds.listOf(kinds.speed),
      'replay --workload profile:FILE at this multiple of its rate: 1,2,10',
      { excludes: { ...BY_CLOCK, 'rate rateSearch arrivals': 'both set the times of operations' } },
    ],
    rateSearch: [
      kinds.rateRange,
      'open loop: find the highest rate that meets --slo',
      {
        basic: true,
        excludes: {
          ...BY_CLOCK,
          assert: 'do not go together: the cells of a search are not known before',
          rate: 'both say which rates are tried',
          'untilStable runs': 'both say how often a rate is tried',
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
    sloMs: [
      kinds.duration,
      'the p99 up to which a rate counts as sustained (--rate-search: 5ms)',
      { needs: OPEN_LOOP },
    ],
    arrivals: [
      kinds.oneOf(['even', 'poisson']),
      'with --rate: evenly spaced (default), or poisson like independent users',
      { needs: OPEN_LOOP },
    ],
    whenFull: [
      kinds.oneOf(['wait', 'drop', 'fail']),
      'with --rate: what happens at --max-in-flight',
      { default: 'wait', needs: OPEN_LOOP },
    ],
    maxInFlightBytes: [
      kinds.bytes,
      'with --rate: most bytes in flight (default: 64mb)',
      { default: 64e6, needs: OPEN_LOOP },
    ],
    processes: [
      kinds.listOf(kinds.processCount),
      'worker processes of a cell, each with all tasks; they share --rate',
      { basic: true, default: [1] },
    ],
    agents: [
      kinds.agents,
      'send the load from other machines (docs/open-loop.md); the URL of a control Redis; env: RPB_QUEUE names it; local:3 starts three here',
      {
        basic: true,
        excludes: { 'replicas readFrom': 'do not go together yet: replicas are measured from this machine' },
      },
    ],
    machines: [
      kinds.listOf(kinds.machineCount),
      'with --agents: so many, which share tasks and --rate (default: all)',
      { needs: ['--agents'] },
    ],
  }),
  ...inGroup('server', {
    queueToken: [kinds.text, `the secret that signs jobs for agents (also ${QUEUE_TOKEN})`],
    topology: [
      kinds.someOf(['standalone', 'cluster', 'sentinel']),
      'standalone, cluster, sentinel',
      { basic: true, default: ['standalone'], conflict: sentinelConflict },
    ],
    rtt: [
      kinds.listOf(kinds.roundTrip),
      'round-trip times, added by a relay: 0,0.5ms,2ms',
      { basic: true, default: [0] },
    ],
    jitter: [
      kinds.percentage,
      'with --rtt: vary each delay by up to this much',
      {
        conflict: ({ jitter, rtt }) =>
          jitter !== undefined && !rtt.some(Number)
            ? '--jitter needs a delay that it varies; add --rtt 2ms, or leave --jitter out'
            : null,
      },
    ],
    clusterNodes: [kinds.clusterNodes, 'masters of a managed cluster', { default: 3, needs: IN_A_CLUSTER }],
    replicas: [
      kinds.replicaCount,
      'replicas of each managed master, 0 to 5; behind Sentinels 2',
      { default: 0 },
    ],
    oneSlot: [
      kinds.flag,
      'with a cluster: put all keys into one slot, so on one node',
      { needs: IN_A_CLUSTER },
    ],
    url: [
      kinds.url,
      'use this running server (also REDIS_URL); several side by side: a=URL,b=URL; redis[s]://[[user]:password@]host[:port][/database], unix://…/path',
      { basic: true, excludes: { socket: 'both name a server', ...RUNS_ALREADY } },
    ],
    sentinel: [
      kinds.hosts,
      'use these running Sentinels: host:port,… or redis[s]://…',
      { excludes: { 'url socket': 'both name a server', ...RUNS_ALREADY } },
    ],
    masterName: [kinds.name, 'what --sentinel calls the primary: name or redis[s]://…name[/database]'],
    socket: [
      kinds.path,
      'use the running server behind this unix socket',
      {
        excludes: RUNS_ALREADY,
        conflict: ({ socket, topology }) =>
          socket !== undefined && topology.every((each) => each === 'cluster')
            ? '--topology cluster: a cluster is reached by host and port, but --socket names a unix socket; give the --url of one of its nodes'
            : null,
      },
    ],
    tlsCa: [
      kinds.file,
      'authorities (PEM) to trust, instead of those of the system',
      { excludes: { tlsInsecure: 'do not go together: only one of them verifies the certificate' } },
    ],
    tlsCert: [
      kinds.file,
      'a certificate (PEM) to show to a server that asks for one',
      { needs: ['--tls-key'] },
    ],
    tlsKey: [kinds.file, 'the private key (PEM) of --tls-cert', { needs: ['--tls-cert'] }],
    tlsInsecure: [kinds.flag, 'do not verify the certificate of a rediss:// URL'],
    tlsServername: [
      kinds.name,
      "for a rediss:// URL: the name that the certificate must have, instead of the URL's host",
      { excludes: { tlsInsecure: 'do not go together: only one of them verifies the certificate' } },
    ],
    allowEviction: [kinds.flag, 'measure an external server even if it may evict keys'],
    allowScripts: [kinds.flag, 'send an external server scripts and whatever else may reach other keys'],
    serverBin: [kinds.path, 'start this redis-server instead of the one on PATH'],
  }),
  ...inGroup('measure', {
    iterations: [kinds.iterations, 'iterations of each task in a run, or auto', { default: 'auto' }],
    runTimeMs: [
      kinds.duration,
      "with --iterations auto: how long a run of a group's fastest cell takes, in slices of 25 ms",
      { default: MEASURING.runTimeMs },
    ],
    durationMs: [
      kinds.duration,
      'run for a fixed time and count the iterations instead',
      { excludes: { iterations: 'both set the length of a run' } },
    ],
    runTimeoutMs: [kinds.duration, 'a run that takes longer fails (default: 10 times what is expected)'],
    runs: [
      kinds.positiveInteger,
      'so many timed runs of each cell, in up to 4 starts, instead of more starts for what is near the best (default: 3 in each start; at a rate 5)',
    ],
    starts: [
      kinds.countOrAuto,
      'so many starts of the worker of each cell: a restart alone changes figures (default: one of each, then more for what is near the best)',
      {
        default: 'auto',
        conflict: ({ starts, runs }) =>
          starts !== 'auto' && runs !== undefined && starts > runs
            ? `--starts: expected at most ${runs} (--runs), because each start makes a run, got '${starts}'`
            : null,
      },
    ],
    untilStable: [kinds.percentage, 'add rounds until each 95 % interval is within this of its median'],
    maxRuns: [
      kinds.positiveInteger,
      'with --until-stable: most runs of each cell',
      {
        default: 30,
        needs: ['--until-stable'],
        conflict({ maxRuns, runs, untilStable }) {
          const least = Math.max(runs ?? 0, RUNS_FOR_95);
          return untilStable !== undefined && maxRuns < least
            ? `--max-runs: expected at least ${least} (--runs, and the ${RUNS_FOR_95} runs that a 95 % interval needs), got '${maxRuns}'`
            : null;
        },
      },
    ],
    budgetMs: [
      kinds.duration,
      'how long it may take at most, in all (default: 45s for each table)',
      {
        basic: true,
        excludes: {
          'rate rateSearch speed': 'do not go together: a budget is for closed loops',
          'runs starts untilStable maxRuns': 'both say how often a cell is started',
        },
      },
    ],
    warmupRuns: [kinds.naturalNumber, 'runs of each cell before the timed ones, not counted', { default: 1 }],
    seed: [kinds.naturalNumber, 'seed for the order of cells in a round (default: a new one each time)'],
    latency: [
      kinds.oneOf(['on', 'off'], 'on|off'),
      'record the latency of each operation',
      { default: 'on' },
    ],
    profile: [
      kinds.profile,
      'profile every cell after its runs: where its time goes; heap: memory too; a folder keeps the profiles (default: cells that are explained)',
      {
        flag: '--profile [what]',
        basic: true,
        default: { kinds: ['cpu'], cells: 'explained', folder: null },
        negation: 'profile no cell',
      },
    ],
    pin: [
      kinds.listOf(kinds.pin),
      'cores of server and worker on Linux: apart, same, off',
      { default: ['apart'] },
    ],
    cpus: [
      kinds.oneOf(['asleep', 'awake', 'both'], 'asleep|awake|both'),
      'let idle processors sleep, as the machine does (asleep), keep them awake (awake), or each run both ways (both): waking one may cost more than a command',
      {
        default: 'asleep',
        excludes: {
          agents: 'do not go together: the processors are those of this machine, the load is from others',
        },
      },
    ],
    full: [kinds.flag, 'run the suite in its original size'],
    smoke: [
      kinds.flag,
      'everything shrunk to a few seconds, for CI; still real and verified',
      { basic: true, excludes: { assert: 'do not go together: assertions need real figures' } },
    ],
  }),
  ...inGroup('print', {
    assert: [
      kinds.texts,
      "exit 5 unless it holds: 'pool.p99Us < 2 * bounded.p99Us'; repeatable",
      { flag: '--assert <expression>', basic: true, default: [], repeatable: true },
    ],
    assertStrict: [
      kinds.flag,
      'assertions must hold over the whole interval of each figure',
      { needs: ['--assert'] },
    ],
  }),
};

const { url, socket, tlsCa, tlsCert, tlsKey, tlsInsecure, tlsServername, allowEviction, serverBin, pin } =
  OPTIONS;
export const TLS_OPTIONS = { tlsCa, tlsCert, tlsKey, tlsInsecure, tlsServername };
/** What names a running server. */
export const SERVER_OPTIONS = { url, socket, ...TLS_OPTIONS };

/** @type {Record<keyof CalibrateSettings, OptionSpec>} */
export const CALIBRATE_OPTIONS = {
  ...inGroup(undefined, {
    connections: [
      kinds.listOf(kinds.connectionCount),
      'connections that are used at once',
      { default: [1, 8, 50] },
    ],
    depth: [
      kinds.listOf(kinds.connectionCount),
      'commands in flight on each connection',
      { default: [1, 8, 64] },
    ],
    transport: [
      kinds.someOf(['tcp', 'unix', 'tls']),
      'tcp, unix, tls (default: all that the server has; one that is started has TLS if it is asked for)',
    ],
    size: [kinds.size, 'length of the value, in characters', { default: 10 }],
    durationMs: [kinds.duration, 'of each run (default: 300ms)', { default: 300 }],
    runs: [kinds.positiveInteger, 'runs of each shape', { default: 3 }],
    poll: [
      kinds.flag,
      'let the event loop sleep until a reply comes, as any client does',
      { flag: '--no-poll', default: true },
    ],
    pin: [kinds.pin, pin.help, { default: 'apart' }],
  }),
  ...SERVER_OPTIONS,
  allowEviction,
  serverBin,
};

/** @type {Record<keyof RecordSettings, OptionSpec>} */
export const RECORD_OPTIONS = {
  ...inGroup('server', {
    url: [kinds.url, "the service's server: redis[s]://host[:port] (also REDIS_URL)"],
    socket: [kinds.path, "the service's server, behind this unix socket"],
    listen: [
      kinds.listenAddress,
      'where the service connects to instead: PORT on 127.0.0.1, or HOST:PORT (default: any free port)',
    ],
  }),
  ...TLS_OPTIONS,
  ...inGroup('measure', {
    forMs: [kinds.duration, 'how long to record, such as 30s or 5m (default: until Ctrl-C)'],
  }),
  ...inGroup('print', {
    output: [kinds.file, 'the profile; gzipped if its name ends in .gz', { default: 'traffic.ndjson' }],
  }),
};
