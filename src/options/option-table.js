import { MEASURING } from '../core/method.js';
import { QUEUE_TOKEN } from '../core/secrets.js';
import { COMMAND, idOfName } from './plugin-names.js';
import * as kinds from './values.js';

/** @import { OfCommands, OptionGroup, OptionRow, OptionSpec, Rule, Settings } from './types.js' */

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

const CERT_AND_KEY = '--tls-cert and --tls-key belong together; give both of them';
const SEARCH_REPEATS =
  '--rate-search runs each rate until its runs agree; leave --runs and --until-stable out';

/** @param {string} names of options @param {Rule} why @returns {Record<string, Rule>} */
const all = (names, why) => Object.fromEntries(names.split(' ').map((name) => [name, why]));

/** @param {string} flag @returns {OptionSpec['needs']} */
const anOpenLoop = (flag) => ({
  any: ['rate', 'speed', 'rateSearch'],
  why: `${flag} is for an open loop; add --rate or --rate-search`,
});

const COUNTS_NOTHING = {
  iterations:
    '--rate and --rate-search start operations by the clock for as long as --duration says, so --iterations has no meaning; give one of them',
};

/** What a running server excludes. */
const RUNS_ALREADY = {
  ...all(
    'server serverConfig serverBin',
    (flag) =>
      `${flag} is about servers that this tool starts, but --url, --socket or --sentinel names a running one; give one of them`,
  ),
  clusterNodes:
    '--cluster-nodes starts a cluster, but --url, --socket or --sentinel names a running server; give one of them',
  replicas:
    '--replicas starts replicas, but --url, --socket or --sentinel names a running server; leave it out: --read-from finds them',
};

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

/** @param {Settings} settings @returns {string | null} */
function nothingToCompare({ compare, ...settings }) {
  /** @type {Record<string, any>} */
  const lists = { ...settings, workload: settings.command ?? settings.workload };
  for (const name of compare) {
    const values = name === 'size' ? ['size', 'keySize', 'valueSize'] : [name];
    if (values.every((each) => (lists[each] ?? []).length < 2))
      return `--compare ${name}: there is one value and nothing to compare it with; give several`;
  }
  return null;
}

/** @param {Settings} settings @returns {string | null} */
function replicasMissing({ readFrom, replicas, topology, ...server }) {
  if (readFrom === undefined) return null;
  const isExternal = namesServer(server);
  if (isExternal && topology.includes('standalone')) {
    return '--read-from: the replicas of a running server are found in a cluster or by --sentinel only; add --topology cluster, or leave --url and --socket out';
  }
  return !isExternal &&
    readFrom.includes('replica') &&
    replicas === 0 &&
    topology.some((each) => each !== 'sentinel')
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

/** @param {string} name `runTimeMs` @param {OptionRow} option @returns {string} `--run-time <time>` */
const flagFor = (name, { kind }) =>
  `--${name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}${kind.takes ? ` <${kind.takes}>` : ''}`;

/**
 * @template {string} Name @param {OptionGroup | undefined} group @param {Record<Name, OptionRow>} options
 * @returns {Record<Name, OptionSpec>} in that group; switches are off by default
 */
export const inGroup = (group, options) =>
  /** @type {Record<Name, OptionSpec>} */ (
    Object.fromEntries(
      Object.entries(options).map(([name, option]) => [
        name,
        {
          flag: flagFor(name, option),
          group,
          ...(option.kind === kinds.flag && { default: false }),
          ...option,
        },
      ]),
    )
  );

/** Every option of a benchmark but those of plugins. @type {Record<Exclude<keyof Settings, 'races' | OfCommands>, OptionSpec>} */
export const OPTIONS = {
  ...inGroup('compare', {
    clients: {
      basic: 'clients and releases: redis@5',
      kind: kinds.clientList,
      default: ['redis', 'redis:tuned', 'ioredis'],
      help: "with release, variant and options: redis@5.8:tuned, 'redis{RESP:2}'",
      plugins: 'clients',
    },
    compare: {
      basic: 'values to compare in one table: workload, topology, tasks, size, …',
      kind: kinds.listOf(kinds.oneOf(Object.keys(COMPARABLE))),
      default: [],
      help: `make the values of these choices of one table: ${Object.keys(COMPARABLE).join(', ')}`,
      conflict: nothingToCompare,
    },
    config: {
      kind: kinds.textOrObject,
      help: 'JSON with options and variants of clients (docs/choices.md)',
    },
    scenarios: {
      basic: "how tasks share connections (default: four ways, which 'list' explains)",
      kind: kinds.listOf(kinds.text),
      default: ['shared-connection', 'connection-per-task', 'pool', 'open-and-close'],
      help: 'how tasks get their connections',
      plugins: 'scenarios',
    },
    pipelining: {
      basic: 'batches: implicit, none, auto, window, explicit:10',
      kind: kinds.names,
      default: ['implicit'],
      help: 'how commands are batched on a connection, as explicit:1,5,10',
      plugins: 'pipelining',
    },
    way: {
      kind: kinds.names,
      help: 'how fetch:20, store:20 and update:20 send commands (default: all)',
      plugins: 'ways',
    },
    transport: {
      basic: 'tcp, unix, tls',
      kind: kinds.listOf(kinds.oneOf(['tcp', 'unix', 'tls'])),
      help: 'tcp, unix, tls (default: tcp, or what --url or --socket says)',
    },
    readFrom: {
      basic: 'primary, replica; with --replicas 1',
      kind: kinds.listOf(kinds.oneOf(['primary', 'replica'])),
      help: 'where reads go: primary, replica',
      conflict: replicasMissing,
    },
    replies: {
      kind: kinds.listOf(kinds.oneOf(['string', 'buffer'])),
      help: 'what clients make of texts: string, buffer (default: string)',
    },
    encode: {
      basic: 'with --value records: none, json, msgpack, json+gzip',
      kind: kinds.listOf(kinds.oneOf(['none', 'json', 'msgpack', 'json+gzip'])),
      help: 'how operations encode records: none, json, msgpack, json+gzip',
      conflict: ({ encode, value }) =>
        encode !== undefined && value !== 'records'
          ? '--encode says how records are encoded; add --value records, or leave it out'
          : null,
    },
    server: {
      basic: 'start these and compare them: paths, or names on PATH',
      kind: kinds.listWithRepeats(kinds.text),
      help: 'start these: paths, names on PATH, or name=path',
      excludes: { serverBin: '--server and --server-bin both say what is started; give one of them' },
    },
    serverConfig: {
      flag: '--server-config <settings>',
      kind: kinds.serverConfigs,
      repeatable: true,
      help: "servers with these settings: 'none,io-threads 4'; ';' joins settings",
    },
    nodeBin: {
      basic: 'run workers on these Node binaries',
      kind: kinds.listOf(kinds.text),
      help: 'run workers on these Node binaries (default: this one)',
    },
  }),
  ...inGroup('send', {
    size: {
      basic: 'length of keys and of values, in characters: 100,100kb',
      kind: kinds.listOf(kinds.size),
      default: [1000],
      help: 'length of keys and of values, in characters: 1000, 100kb, 1.5mb',
    },
    keySize: {
      kind: kinds.listOf(kinds.size),
      help: 'length of keys, instead of --size',
    },
    valueSize: {
      kind: kinds.listOf(kinds.sizeRange),
      help: 'length of values, instead of --size; 1kb-100kb: all lengths between',
    },
    keys: {
      kind: kinds.positiveInteger,
      help: 'different keys: 500, 10k, 1m (default: at least 64; a cluster: 1000)',
    },
    keyDistribution: {
      kind: kinds.oneOf(['uniform', 'zipf', 'sequential']),
      help: 'sequential (default), uniform (default with --keys), zipf (hot keys)',
      conflict: ({ keys }, given) =>
        given.keyDistribution !== undefined && keys === 1
          ? '--key-distribution says which key comes next, and there is one key; add --keys, or leave it out'
          : null,
    },
    workload: {
      basic: 'what a task does: get, set, mix, fetch:20, …',
      kind: kinds.names,
      default: ['get'],
      help: 'what one iteration of a task does',
      plugins: 'workloads',
    },
    command: {
      basic: "any command as workload: 'LPUSH {key} {value}'",
      kind: kinds.texts,
      repeatable: true,
      help: "any command as workload: 'LPUSH {key} {value}'; several are compared",
      joins: {
        flag: '--then <text>',
        by: ' ; ',
        help: 'sent after the --command before it, in one operation',
      },
      excludes: { workload: '--command and --workload both say what an iteration does; give one of them' },
    },
    prepare: {
      kind: kinds.texts,
      repeatable: true,
      help: "sent for each key before the first run: 'SET {key} {value}'; one for all commands, or one for each",
      conflict: (settings) => preparesAmiss(settings),
    },
    keysAt: {
      kind: kinds.listOf(kinds.positiveInteger),
      help: "which arguments of a module's command are keys, as 1 or 1,2",
      conflict: (settings) =>
        settings.keysAt !== undefined && ownCommands(settings) === 0
          ? '--keys-at says which arguments of --command are keys; add --command, or leave it out'
          : null,
    },
    value: {
      kind: kinds.oneOf(['text', 'json', 'records']),
      default: 'text',
      help: 'text, json, or records, which compress 3 to 5 times',
    },
    tasks: {
      basic: 'tasks that run at once',
      kind: kinds.listOf(kinds.taskCount),
      default: [8],
      help: 'tasks that run at once',
    },
    maxInFlight: {
      kind: kinds.listOf(kinds.positiveInteger),
      help: 'with --rate: most commands in flight (default: 10000)',
      needs: anOpenLoop('--max-in-flight'),
    },
    appWork: {
      kind: kinds.listOf(kinds.microseconds),
      default: [0],
      help: 'CPU time of the application after each operation: 0,50us,2ms',
    },
    rate: {
      basic: 'open loop: start so many operations per second',
      kind: kinds.listOf(kinds.rate),
      help: 'open loop: start so many operations per second',
      excludes: COUNTS_NOTHING,
    },
    speed: {
      kind: kinds.listOf(kinds.speed),
      help: 'replay --workload profile:FILE at this multiple of its rate: 1,2,10',
      excludes: {
        ...COUNTS_NOTHING,
        ...all(
          'rate rateSearch',
          (flag) => `--speed keeps the times of a profile, and ${flag} sets others; give one of them`,
        ),
        arrivals: '--speed keeps the times of a profile, and --arrivals sets others; give one of them',
      },
    },
    rateSearch: {
      flag: '--rate-search <low-high>',
      basic: 'open loop: find the highest rate that meets --slo',
      kind: kinds.rateRange,
      help: 'open loop: find the highest sustained rate, with --slo',
      excludes: {
        ...COUNTS_NOTHING,
        assert: '--assert names cells, and those of --rate-search are not known before; use --rate',
        rate: '--rate-search and --rate both say which rates are tried; give one of them',
        untilStable: SEARCH_REPEATS,
        runs: SEARCH_REPEATS,
      },
      conflict: ({ rateSearch, whenFull, sloMs, latency }) => {
        if ((sloMs ?? rateSearch) !== undefined && latency === 'off')
          return '--slo and --rate-search decide by latencies, and --latency off records none';
        return rateSearch !== undefined && whenFull === 'fail'
          ? '--rate-search also tries rates that are too high, where --when-full fail would end it; use wait or drop'
          : null;
      },
    },
    sloMs: {
      kind: kinds.duration,
      help: 'the p99 up to which a rate counts as sustained (--rate-search: 5ms)',
      needs: anOpenLoop('--slo'),
    },
    arrivals: {
      kind: kinds.oneOf(['even', 'poisson']),
      help: 'with --rate: evenly spaced (default), or poisson like independent users',
      needs: anOpenLoop('--arrivals'),
    },
    whenFull: {
      flag: '--when-full <what>',
      kind: kinds.oneOf(['wait', 'drop', 'fail']),
      default: 'wait',
      help: 'with --rate: what happens at --max-in-flight',
      needs: anOpenLoop('--when-full'),
    },
    maxInFlightBytes: {
      kind: kinds.bytes,
      default: 64e6,
      help: 'with --rate: most bytes in flight (default: 64mb)',
      needs: anOpenLoop('--max-in-flight-bytes'),
    },
    processes: {
      basic: 'worker processes of a cell, each with all tasks',
      kind: kinds.listOf(kinds.processCount),
      default: [1],
      help: 'worker processes of a cell, each with all tasks; they share --rate',
    },
    agents: {
      basic: 'send the load from other machines (docs/open-loop.md)',
      flag: '--agents <url>',
      kind: kinds.agents,
      help: 'send the load from the agents at this control Redis; env: RPB_QUEUE names it; local:3 starts three here',
      excludes: all(
        'replicas readFrom',
        (flag) =>
          `${flag}: replicas are measured from this machine only, not yet with --agents; give one of them`,
      ),
    },
    machines: {
      kind: kinds.listOf(kinds.machineCount),
      help: 'with --agents: so many, which share tasks and --rate (default: all)',
      needs: {
        any: ['agents'],
        why: '--machines says how many agents bring the load, and there are none; add --agents, or leave it out',
      },
    },
  }),
  ...inGroup('server', {
    queueToken: {
      kind: kinds.text,
      help: `the secret that signs jobs for agents (also ${QUEUE_TOKEN})`,
    },
    topology: {
      basic: 'standalone, cluster, sentinel, or several',
      kind: kinds.listOf(kinds.oneOf(['standalone', 'cluster', 'sentinel'])),
      default: ['standalone'],
      help: 'standalone, cluster, sentinel',
      conflict: sentinelConflict,
    },
    rtt: {
      basic: 'round-trip times, added by a relay: 0,0.5ms,2ms',
      kind: kinds.listOf(kinds.roundTrip),
      default: [0],
      help: 'round-trip times, added by a relay: 0,0.5ms,2ms',
    },
    jitter: {
      kind: kinds.percentage,
      help: 'with --rtt: vary each delay by up to this much',
      conflict: ({ rtt }, given) =>
        given.jitter !== undefined && !rtt.some(Number)
          ? '--jitter varies the delays of --rtt, and there are none; add --rtt 2ms, or leave it out'
          : null,
    },
    clusterNodes: {
      kind: kinds.clusterNodes,
      default: 3,
      help: 'masters of a managed cluster',
      needs: {
        any: ['topology'],
        why: '--cluster-nodes is for a cluster; add --topology cluster, or leave it out',
      },
    },
    replicas: {
      kind: kinds.replicaCount,
      default: 0,
      help: 'replicas of each managed master, 0 to 5; behind Sentinels 2',
    },
    oneSlot: {
      kind: kinds.flag,
      help: 'with a cluster: put all keys into one slot, so on one node',
      needs: {
        any: ['topology'],
        why: '--one-slot is for a cluster; add --topology cluster, or leave it out',
      },
    },
    url: {
      flag: '--url <url>',
      basic: 'use this running server (also REDIS_URL)',
      kind: kinds.text,
      help: 'use this running server (also REDIS_URL), or side by side a=URL,b=URL: redis[s]://[[user]:password@]host[:port][/database], unix://…/path',
      excludes: {
        socket: '--url and --socket both name a server; give one of them',
        ...RUNS_ALREADY,
      },
    },
    sentinel: {
      flag: '--sentinel <list>',
      kind: kinds.text,
      help: 'use these running Sentinels: host:port,… or redis[s]://…',
      excludes: {
        ...all('url socket', (flag) => `${flag} and --sentinel both name a server; give one of them`),
        ...RUNS_ALREADY,
      },
    },
    masterName: {
      flag: '--master-name <name>',
      kind: kinds.text,
      help: 'what --sentinel calls the primary: name or redis[s]://…name[/database]',
    },
    socket: {
      kind: kinds.path,
      help: 'use the running server behind this unix socket',
      excludes: RUNS_ALREADY,
      conflict: ({ socket, topology }) =>
        socket !== undefined && topology.every((each) => each === 'cluster')
          ? '--topology cluster: a cluster is reached by host and port, but --socket names a unix socket; give the --url of one of its nodes'
          : null,
    },
    tlsCa: {
      kind: kinds.file,
      help: 'authorities (PEM) to trust, instead of those of the system',
      excludes: {
        tlsInsecure: '--tls-ca verifies the certificate and --tls-insecure does not; give one of them',
      },
    },
    tlsCert: {
      kind: kinds.file,
      help: 'a certificate (PEM) to show to a server that asks for one',
      needs: { any: ['tlsKey'], why: CERT_AND_KEY },
    },
    tlsKey: {
      kind: kinds.file,
      help: 'the private key (PEM) of --tls-cert',
      needs: { any: ['tlsCert'], why: CERT_AND_KEY },
    },
    tlsInsecure: {
      kind: kinds.flag,
      help: 'do not verify the certificate of a rediss:// URL',
    },
    tlsServername: {
      flag: '--tls-servername <name>',
      kind: kinds.text,
      help: "for a rediss:// URL: the name that the certificate must have, instead of the URL's host",
      excludes: {
        tlsInsecure:
          '--tls-servername verifies the certificate and --tls-insecure does not; give one of them',
      },
    },
    allowEviction: {
      kind: kinds.flag,
      help: 'measure an external server even if it may evict keys',
    },
    allowScripts: {
      kind: kinds.flag,
      help: 'send an external server scripts and whatever else may reach other keys',
    },
    serverBin: {
      kind: kinds.path,
      help: 'start this redis-server instead of the one on PATH',
    },
  }),
  ...inGroup('measure', {
    iterations: {
      kind: kinds.iterations,
      default: 'auto',
      help: 'iterations of each task in a run, or auto',
    },
    runTimeMs: {
      kind: kinds.duration,
      default: MEASURING.runTimeMs,
      help: "with --iterations auto: how long a run of a group's fastest cell takes, in slices of 25 ms",
    },
    durationMs: {
      kind: kinds.duration,
      help: 'run for a fixed time and count the iterations instead',
      excludes: { iterations: '--duration and --iterations both set the length of a run; give one of them' },
    },
    runTimeoutMs: {
      kind: kinds.duration,
      help: 'a run that takes longer fails (default: 10 times what is expected)',
    },
    runs: {
      kind: kinds.positiveInteger,
      help: 'so many timed runs of each cell, in up to 4 starts, instead of more starts for what is near the best (default: 3 in each start; at a rate 5)',
    },
    starts: {
      kind: kinds.countOrAuto,
      default: 'auto',
      help: 'so many starts of the worker of each cell: a restart alone changes figures (default: one of each, then more for what is near the best)',
      conflict: ({ starts, runs }) =>
        starts !== 'auto' && runs !== undefined && starts > runs
          ? `--starts: expected at most ${runs} (--runs), because each start makes a run, got '${starts}'`
          : null,
    },
    untilStable: {
      kind: kinds.percentage,
      help: 'add rounds until each 95 % interval is within this of its median',
    },
    maxRuns: {
      kind: kinds.positiveInteger,
      default: 30,
      help: 'with --until-stable: most runs of each cell',
      needs: { any: ['untilStable'], why: '--max-runs limits --until-stable; give both, or --runs alone' },
      conflict({ maxRuns, runs, untilStable }) {
        const least = Math.max(runs ?? 0, RUNS_FOR_95);
        return untilStable !== undefined && maxRuns < least
          ? `--max-runs: expected at least ${least} (--runs, and the ${RUNS_FOR_95} runs that a 95 % interval needs), got '${maxRuns}'`
          : null;
      },
    },
    budgetMs: {
      basic: 'how long it may take at most, in all (default: 45s for each table)',
      kind: kinds.duration,
      help: 'how long it may take at most, in all: one start of each cell, then more for what is near the best, until the order is known (default: 45s for each table)',
      excludes: {
        ...all(
          'rate rateSearch speed',
          (flag) => `--budget is for closed loops, and ${flag} has runs of a fixed length; give one of them`,
        ),
        ...all(
          'runs starts untilStable maxRuns',
          (flag) => `${flag}: with --budget the time decides how often a cell is started; give one of them`,
        ),
      },
    },
    warmupRuns: {
      kind: kinds.naturalNumber,
      default: 1,
      help: 'runs of each cell before the timed ones, not counted',
    },
    seed: {
      kind: kinds.naturalNumber,
      help: 'seed for the order of cells in a round (default: a new one each time)',
    },
    latency: {
      flag: '--latency <on|off>',
      kind: kinds.oneOf(['on', 'off']),
      default: 'on',
      help: 'record the latency of each operation',
    },
    profile: {
      flag: '--profile [what]',
      basic: 'profile every cell after its runs: where its time goes',
      kind: kinds.profile,
      default: { kinds: ['cpu'], cells: 'explained', folder: null },
      help: 'profile one more run of each cell (default: of those that are explained); heap: its memory too; a folder keeps the profiles',
      negation: 'profile no cell',
    },
    pin: {
      kind: kinds.listOf(kinds.pin),
      default: ['apart'],
      help: 'cores of server and worker on Linux: apart, same, off',
    },
    cpus: {
      flag: '--cpus <asleep|awake|both>',
      kind: kinds.oneOf(['asleep', 'awake', 'both']),
      default: 'asleep',
      help: 'let idle processors sleep, as the machine does (asleep), keep them awake (awake), or each run both ways (both): waking one may cost more than a command',
      excludes: {
        agents:
          '--cpus is about the processors of this machine, and --agents sends the load from others; give one of them',
      },
    },
    full: {
      kind: kinds.flag,
      help: 'run the suite in its original size',
    },
    smoke: {
      basic: 'everything shrunk to a few seconds, for CI',
      kind: kinds.flag,
      help: 'everything shrunk to a few seconds, for CI; still real and verified',
      excludes: { assert: '--assert needs real figures, which --smoke does not give; use one of them' },
    },
  }),
  ...inGroup('print', {
    assert: {
      flag: '--assert <expression>',
      basic: "exit 5 unless it holds: 'pool.p99Us < 2 * bounded.p99Us'",
      kind: kinds.texts,
      default: [],
      repeatable: true,
      help: "exit 5 unless it holds: 'pool.p99Us < 2 * bounded.p99Us'; repeatable",
    },
    assertStrict: {
      kind: kinds.flag,
      help: 'assertions must hold over the whole interval of each figure',
      needs: {
        any: ['assert'],
        why: '--assert-strict has no effect without an assertion; add --assert, or leave it out',
      },
    },
  }),
};
