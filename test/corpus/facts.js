/** @import { PlacementNote } from '../../src/machine/types.js' */
/** @import { NoBreakdown } from '../../src/commands/breakdown/types.js' */
/** @import { SkipReason } from '../../src/run/plan/types.js' */
/** @import { Fact, Notice, RunWarning } from '../../src/store/types.js' */

/** @template {Fact} Of @typedef {{[Kind in Of['kind']]: Extract<Of, {kind: Kind}>}} Examples */

/** @type {Examples<SkipReason>} */
const SKIPS = {
  'not-offered': { kind: 'not-offered', transport: 'unix', offered: ['tcp'] },
  'no-time': { kind: 'no-time', budgetMs: 5000, needMs: 9_200 },
  'not-installed': { kind: 'not-installed', package: 'ioredis' },
  'scenario-conflict': { kind: 'scenario-conflict', own: ['at most 3 pairs on this machine'] },
  'client-lacks': { kind: 'client-lacks', client: 'raw', own: ['no tls', 'no cluster'] },
  'release-lacks': {
    ...{ kind: 'release-lacks', client: 'redis', version: '4.7.1' },
    ...{ what: 'tuned', since: '5.6.0' },
  },
  'no-recorded-times': { kind: 'no-recorded-times', workload: 'get' },
  'computes-between': { kind: 'computes-between', workload: 'checkout', pipelining: 'explicit' },
  'requests-in-batches': { kind: 'requests-in-batches', workload: 'FETCH:20', pipelining: 'explicit' },
  'few-keys': { kind: 'few-keys', workload: 'FETCH:20', keys: 10, count: 20 },
  'way-for-keys': { kind: 'way-for-keys', workload: 'update', way: 'mget', able: ['one-by-one', 'pipeline'] },
  'of-one-node': { kind: 'of-one-node', workload: 'scan' },
  'reads-own-replies': { kind: 'reads-own-replies', workload: 'queue' },
  'encodes-none': { kind: 'encodes-none', workload: 'hset' },
  'encoded-as-bytes': { kind: 'encoded-as-bytes', encode: 'msgpack' },
  'cluster-over-unix': { kind: 'cluster-over-unix', topology: 'sentinel' },
  'external-standalone': { kind: 'external-standalone' },
  'distance-over-unix': { kind: 'distance-over-unix' },
  'fault-keys': { kind: 'fault-keys', keys: 260_000, most: 200_000 },
  'fault-of-sentinels': { kind: 'fault-of-sentinels', fault: 'switchover' },
  'fault-of-single': {
    kind: 'fault-of-single',
    fault: 'maxclients',
    able: ['cut', 'stall', 'failover'],
    topology: 'cluster',
  },
  'fault-over-unix': { kind: 'fault-over-unix', fault: 'cut' },
  'fault-idle': { kind: 'fault-idle', fault: 'idle-drop:20s' },
  'fault-rate': { kind: 'fault-rate', most: 20_000 },
  'fault-waits': { kind: 'fault-waits', command: 'BLPOP' },
  'not-of-replicas': { kind: 'not-of-replicas', workload: 'hset', able: ['exists', 'get', 'mix'] },
  'tasks-per-machine': { kind: 'tasks-per-machine', tasks: 1, machines: 2 },
  'low-max-in-flight': { kind: 'low-max-in-flight', limit: 10, processes: 2, batch: 20 },
  'too-many-files': { kind: 'too-many-files', connections: 200, files: 200, enough: 512 },
  'too-many-sockets': { kind: 'too-many-sockets', sockets: 2000, files: 1024 },
  'too-many-clients': { kind: 'too-many-clients', connections: 8, before: 10, free: 10 },
};

/** @type {Examples<PlacementNote>} */
const PLACEMENTS = {
  'pin-off': { kind: 'pin-off' },
  'no-taskset': { kind: 'no-taskset' },
  'one-cpu': { kind: 'one-cpu' },
  'server-unknown': { kind: 'server-unknown' },
  'server-elsewhere': { kind: 'server-elsewhere' },
  'server-not-pinned': { kind: 'server-not-pinned' },
};

/** @type {Examples<RunWarning>} */
const RUN_WARNINGS = {
  'no-info': { kind: 'no-info', why: 'denied' },
  'server-miscounts': { kind: 'server-miscounts', uncounted: 100 },
  'cache-miscounted': { kind: 'cache-miscounted', cached: 900, claimed: 1000, missing: 950 },
  'command-miscounted': { kind: 'command-miscounted', command: 'get', claimed: 1000, counted: 1020 },
  'commands-miscounted': { kind: 'commands-miscounted', claimed: 1000, counted: 990 },
  'other-commands': { kind: 'other-commands', commands: { keys: 2, hgetall: 40 } },
  'processor-taken': { kind: 'processor-taken' },
  'much-garbage': { kind: 'much-garbage' },
  'app-work-off': { kind: 'app-work-off', more: true, beyondShare: 0.1 },
  crowded: { kind: 'crowded', processes: 4, cpus: 2 },
  stalled: { kind: 'stalled', ms: 3200 },
  'started-apart': { kind: 'started-apart', ms: 100, beyondShare: 0.05 },
  'own-tail': { kind: 'own-tail', name: 'load-1', times: 2 },
  'part-of-recording': { kind: 'part-of-recording' },
  'farther-than-asked': { kind: 'farther-than-asked' },
  'narrow-line': { kind: 'narrow-line' },
  'kept-alive': { kind: 'kept-alive', processes: 2, of: 5 },
  'late-fault': { kind: 'late-fault', ms: 120 },
  evicted: { kind: 'evicted', keys: 12 },
  'found-nothing': {
    ...{ kind: 'found-nothing', command: 'GET {key}' },
    ...{ empty: 60, operations: 12_750, reads: true },
  },
  'empty-replies': { kind: 'empty-replies', command: 'HGETALL {key}', prepared: false },
  'types-only': { kind: 'types-only', command: 'zadd' },
  'not-replayed': { kind: 'not-replayed', command: 'XREADGROUP', why: 'NOGROUP No such key' },
  'other-sizes': { kind: 'other-sizes', all: 40, commands: { HGETALL: 2, LRANGE: 1 } },
  'transactions-left-out': { kind: 'transactions-left-out', transactions: 3 },
};

/** @type {Examples<Notice>} */
const NOTICES = {
  'option-unknown': {
    kind: 'option-unknown',
    source: '--config',
    clients: ['redis', 'raw'],
    option: 'noDelay',
  },
  'options-unchecked': {
    kind: 'options-unchecked',
    client: 'ioredis',
    version: '4.28.5',
    options: ['keepAlive', 'tls.servername'],
  },
  'variant-partly': {
    kind: 'variant-partly',
    client: 'redis',
    version: '4.7.1',
    variant: 'careful',
    options: ['commandOptions', 'socket.socketTimeout'],
  },
  'agent-node': { kind: 'agent-node', agent: 'load-1', node: '22.1.0', here: '24.1.0' },
  'agent-package': { kind: 'agent-package', agent: 'load-1', package: 'redis', version: '5.6.0', here: null },
  'agent-silent': { kind: 'agent-silent', agent: 'load-1' },
  'agent-refuses': {
    kind: 'agent-refuses',
    why: 'load-1: it accepts only jobs signed with its --queue-token',
  },
  'import-lingers': { kind: 'import-lingers', import: 'apm.cjs', ms: 2000 },
  'memory-unknown': { kind: 'memory-unknown' },
  'memory-small': {
    ...{ kind: 'memory-small', keys: 2000, keySize: 10, valueSize: 1000 },
    ...{ bytes: 2.9e6, usedBytes: 4e6, maxBytes: 6e6, policy: 'allkeys-lru' },
  },
  'no-room': {
    ...{ kind: 'no-room', bound: 'maxmemory', bytes: 0.4e6, freeBytes: 0.2e6 },
    ...{ usedBytes: 5.8e6, maxBytes: 6e6, policy: 'volatile-ttl' },
  },
  'memory-bounds-runs': {
    ...{ kind: 'memory-bounds-runs', workload: 'LPUSH {key} {value}', operations: 1200, bytes: 1028 },
  },
  'slow-prepare': { kind: 'slow-prepare', seconds: 12 },
  'command-grows': { kind: 'command-grows', command: 'APPEND {key} {value}', bytes: 100 },
  'certificate-unverified': { kind: 'certificate-unverified', server: 'cache:6380' },
  'writes-copied': { kind: 'writes-copied', aof: true, rdb: true, replicas: 2 },
  'one-key': { kind: 'one-key' },
  'few-processors': { kind: 'few-processors', server: null, threads: 4, replicas: 0, cpus: 1 },
  'group-in-turns': { kind: 'group-in-turns', cells: 90, turns: 2, freeBytes: 2.1e9, mostProcesses: 200 },
  'keys-unremembered': { kind: 'keys-unremembered', why: null },
  'keys-left': { kind: 'keys-left', prefix: 'rpb:7:', why: 'the server does not reply' },
  'old-keys-left': { kind: 'old-keys-left', prefix: 'rpb:6:', why: 'NOPERM' },
  'old-keys-removed': { kind: 'old-keys-removed', keys: 64 },
  'distance-unmeasured': { kind: 'distance-unmeasured', why: 'connect ECONNREFUSED 127.0.0.1:7001' },
  'not-kept-awake': { kind: 'not-kept-awake', reason: 'no-program', program: 'chrt' },
  'wake-up': { kind: 'wake-up', asIsUs: 31.6, keptAwakeUs: 4.2 },
  'cpu-limited': { kind: 'cpu-limited', setting: 'cpu.max', limitedTo: 0.5, periods: 240, throttled: 237 },
  'run-too-short': {
    ...{ kind: 'run-too-short', fault: 'stall:6s', durationMs: 8000 },
    ...{ neededMs: 16_000, surely: true },
  },
  'few-ports': { kind: 'few-ports', perMinute: 60_000, ports: 28_231 },
  'waiting-for-ports': { kind: 'waiting-for-ports', taken: 20_000, ports: 28_231 },
  'no-profile': { kind: 'no-profile', why: 'the worker process was killed by SIGKILL' },
  'profile-not-kept': { kind: 'profile-not-kept', cell: 'redis/pool', why: 'ENOSPC' },
  unfinished: { kind: 'unfinished', torn: false, runs: 17 },
  'replay-lacks': {
    ...{ kind: 'replay-lacks', file: 'shop.ndjson', missing: 21, recorded: 1790 },
    leftOut: [
      { reason: 'scripts', commands: { EVALSHA: 20 } },
      { reason: 'failed', commands: { LPUSH: 1 } },
    ],
  },
  'replay-transactions': { kind: 'replay-transactions', file: 'shop.ndjson', transactions: 17, sent: 68 },
  'replay-unblocked': { kind: 'replay-unblocked', file: 'shop.ndjson', commands: { 'BRPOP as RPOP': 12 } },
  'replay-tasks': { kind: 'replay-tasks', file: 'shop.ndjson', tasks: 11 },
  'replay-beginning': { kind: 'replay-beginning', file: 'shop.ndjson', sent: 1_000_000 },
};

/** @type {Examples<NoBreakdown>} */
const NO_BREAKDOWNS = {
  'load-elsewhere': { kind: 'load-elsewhere' },
  'opens-in-operations': { kind: 'opens-in-operations' },
  'answers-from-cache': { kind: 'answers-from-cache' },
  'several-sockets': { kind: 'several-sockets' },
  'one-after-other': { kind: 'one-after-other' },
  'foreign-sockets': { kind: 'foreign-sockets' },
  'uneven-operations': { kind: 'uneven-operations' },
  'not-matched': { kind: 'not-matched', share: 0.23 },
  'few-followed': { kind: 'few-followed', operations: 12, least: 100 },
  'no-shared-clock': { kind: 'no-shared-clock' },
  'no-time-for-pass': { kind: 'no-time-for-pass' },
  'pass-failed': { kind: 'pass-failed', why: 'wrong replies' },
};

/** An example of everything that is stored as a fact, by where it is printed. @type {Record<string, Record<string, Fact>>} */
export const FACTS = {
  'why a cell is skipped': SKIPS,
  'why a cell has no breakdown': NO_BREAKDOWNS,
  'where server and workers ran': PLACEMENTS,
  'warnings of a run': RUN_WARNINGS,
  'notes and warnings of a benchmark': NOTICES,
};
