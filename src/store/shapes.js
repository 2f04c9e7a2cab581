import { createChecks, must, number, text, whole } from '../contract/check.js';
import { METRICS } from './metrics.js';

/** @import { Settings } from '../options/types.js' */
/** @import { Environment, Placement } from '../machine/types.js' */
/** @import { Plan } from '../run/plan/types.js' */
/** @import { ServerFacts } from '../server/types.js' */
/** @import { Type } from '../types.js' */
/** @import { ResultHeader, WakingFact } from './types.js' */

/**
 * What is stored of a benchmark, besides the figures of its runs (see figures.js): the lines of a saved result. `check.js` has
 * the language. What a later release adds may be missing.
 */

export const SCHEMA_VERSION = 2;

/** Words of the language for what is stored. */
export const STORED_KINDS = {
  schemaVersion: whole(SCHEMA_VERSION, SCHEMA_VERSION),
  askedVersion: text(/^(\d+\.\d+\.\d+|path:.)/),
  fileUrl: text(/^file:/),
  commit: text(/^[0-9a-f]{4,}( with changes)?$/),
  wayName: text(/^[\w-]+$/),
  rttMs: number(0, 10_000),
  filled: (/** @type {object} */ value) =>
    Object.keys(value ?? {}).length > 0 ? null : must('have something'),
};

const PIN = "'apart'|'same'|'off'";
const TRANSPORT = "'tcp'|'unix'|'tls'";
/** `native` is Node's, V8's and the system calls made there; `poll` is where the event loop waits and reads. */
const CODE_PART = "'package'|'node'|'native'|'poll'|'garbage'|'tool'|'application'|'other'";

/** What the tool says in its own words, as data; types.d.ts has what there is. Other values are numbers and texts. */
const FACT = /** @type {const} */ ({
  kind: 'name',
  'command?, name?': 'text',
  'commands?': { '*': 'positive' },
  'cached?, claimed?, counted?, cpus?': 'count',
  'missing?': 'integer',
  'more?': 'flag',
  'beyondShare?, ms?, times?': 'amount',
  'processes?, keys?': 'positive',
  'limitedTo?, asIsUs?': 'overZero',
  'keptAwakeUs?': 'overZero?',
  'offered?, own?, able?, clients?': ['text'],
  'leftOut?': [{ reason: 'text', commands: { '*': 'positive' } }],
});

/** `self`: in a function and not in what it called; `variance`: the error of that. */
const COUNTED = 'self, variance';

export const SHAPES = /** @type {const} */ ({
  // The lines of a saved result.
  ResultHeader: {
    type: "'header'",
    schemaVersion: 'schemaVersion',
    tool: { name: "'redis-pipe-bench'", version: 'version', '*': 'never' },
    startedAt: 'time',
    seed: 'count',
    /** Missing for a benchmark. */
    'command?': "'break'|'cold'|'messages'",
    /** `format`: the default for printing. */
    suite: { 'id, format': 'name', title: 'text' },
    settings: 'StoredSettings',
    environment: 'Environment',
    'agents?': ['AgentFacts'],
    server: 'ServerFacts',
    servers: ['ServerFacts', 1_000_000, 1],
    placements: ['Placement', 1_000_000, 1],
    /** What a wake-up costs; missing where processors were not to be kept awake. */
    'waking?': 'WakingFact',
    cells: ['Cell'],
  },
  PlannedRecord: { type: "'planned'", cell: 'Cell' },
  /** PING times before the first run of a group that has a relay; `undelayed`: through a relay without delay. */
  DistanceRecord: {
    type: "'distance'",
    group: 'text',
    /** The server and the cells measured on it; missing with a single server. */
    'server?': 'text',
    'cells?': ['text'],
    'direct, undelayed, distant': 'RoundTrips',
  },
  CellRecord: {
    type: "'cell'",
    cell: 'text',
    iterations: 'positive?',
    effectiveOptions: { '*': 'unknown' },
    /** False if it was still getting faster when the warm-up ended. */
    'warm?': 'flag',
    /** Where it turned out that there is no time for it. */
    'skipped?': 'SkipReason?',
    /** Only what was asked for, and only in the record after the cell's last run. */
    'profiles?': { 'cpu?, heap?': 'CellProfile', '*': 'never' },
  },
  RunRecord: { type: "'run'", cell: 'text', at: 'time', run: 'Run' },
  /** Its warnings are those of findings too, in words. */
  ResultEnd: {
    type: "'end'",
    finishedAt: 'time',
    partial: 'flag',
    failure: 'string?',
    warningFacts: ['Notice'],
    warnings: ['text'],
  },

  Cell: {
    /** `group`: the same for all cells that are compared. */
    'id, group, variant, pipelining, workload': 'text',
    'client, scenario': 'name',
    /** As asked for: an exact version, or `path:…`; null where no release was. */
    version: 'askedVersion?',
    /** Missing for a variant that comes with the client. `base`: the variant that these options extend. */
    'ownVariant?': { base: 'name', options: { '*': 'unknown' } },
    copy: 'positive',
    /** Missing or null where there is only one server, as are its settings. */
    'server?, serverConfig?': 'text?',
    /** Node of its worker; null for the tool's own. */
    node: 'version?',
    /** Null where the client has no package, or it is not installed. */
    release: 'Release?',
    runtime: 'Runtime?',
    /** What bundled the client's library into one file. */
    'bundle?': "'none'|'esbuild'",
    /**
     * Operations that a process can have in flight, and the size of their batches; null if unknown. `limit`: the option of the
     * client that allows no more.
     */
    'inFlight?': { '?': { 'atOnce, batch': 'positive', 'limit?': 'text', '*': 'never' } },
    /** Its client is the floor that the others are compared with. */
    floor: 'flag',
    /** Its client, scenario or workload is a file of the user's, which may have changed since. */
    'ownCode?': 'true',
    scenarioOptions: { '*optionName': 'text|number|flag' },
    /** Ids of the axes that --compare made choices; missing where there are none. */
    'compared?': ['string'],
    /** Behind the prefix of its keys, where compared cells store different data. */
    'keyMark?': 'string',
    'way?': 'wayName',
    'readFrom?': "'primary'|'replica'",
    /** What texts in replies become; strings if missing. */
    'replies?': "'string'|'buffer'",
    'encode?': "'none'|'json'|'msgpack'|'json+gzip'",
    pin: PIN,
    transport: TRANSPORT,
    topology: "'standalone'|'cluster'|'sentinel'",
    /** `valueSize`: of the longest value. `processes`: on each machine, each with all of the tasks. */
    'keySize, valueSize, shortestValue, keys, tasks, processes': 'positive',
    /** That share the tasks; missing where there is only this one. */
    'machines?': 'positive',
    appWorkUs: 'amount',
    'distance?': 'Distance',
    /** Without it, the client does not reconnect. */
    'fault?': 'FaultPlan',
    /** Nothing is sent in this time, and the fault strikes. */
    'idleMs?': 'overZero',
    openLoop: 'OpenLoopPlan?',
    chosen: { 'pipelining, workload': 'Chosen', '*': 'never' },
    /** Of its plugins, so that a report needs none of them. */
    words: 'CellWords',
    skipped: 'SkipReason?',
  },
  Notice: FACT,
  RunWarning: FACT,
  WakingFact: FACT,
  PlacementNote: FACT,
  SkipReason: FACT,

  StoredSettings: {
    runs: 'positive',
    starts: "'auto'|positive",
    /** Whether cells near the best got more starts; missing where all got as many. */
    'races?': 'true',
    /** What the user gave; missing where that was nothing. */
    'budgetMs?': 'overZero',
    warmupRuns: 'count',
    runTimeMs: 'overZero',
    durationMs: 'overZero?',
    iterations: "'auto'|positive|CostModel",
    value: "'text'|'json'|'records'",
    keyDistribution: "'uniform'|'zipf'|'sequential'",
    oneSlot: 'flag',
    assert: ['text'],
    assertStrict: 'flag',
    smoke: 'flag',
  },
  /** Iterations: floor(budget / (perOperation + perByte · size)). */
  CostModel: { 'budget, perOperation, perByte': 'overZero', '*': 'never' },
  Environment: {
    node: 'version',
    'v8, os, arch, cpuModel': 'text',
    'cpuCount, memoryBytes': 'positive',
    packages: 'Packages&filled',
    /** The NODE_OPTIONS of workers, and of the tool's main process; missing where there are none. */
    'nodeOptions?': 'text',
  },
  Packages: { '*': 'string' },
  AgentFacts: {
    'name, tool, node': 'text',
    packages: { '*': 'string' },
    /** `machine`: equal for all agents of a machine. */
    'cpuModel, machine': 'string',
    cpuCount: 'positive',
    openFiles: 'integer?',
    /** Added to its monotonic clock, `offsetMs` gives the control Redis time, to within `errorMs`. */
    clock: { offsetMs: 'number', errorMs: 'amount' },
  },
  ServerFacts: {
    kind: "'managed'|'external'",
    'name?': 'text',
    software: 'text',
    'version, mode': 'string?',
    transports: [TRANSPORT, 3, 1],
    /** host:port, cluster only. */
    nodes: { '?': ['text', 100_000, 1] },
    'replicas?': ['text'],
    config: { 'save, appendonly, maxmemory, io-threads': 'string?', '*': 'never' },
    /** Fastest of some PINGs to an external server. */
    'roundTripUs?': 'amount',
    /** Name of an earlier server that is the same process at another address. */
    'sameAs?': 'text',
  },
  Placement: {
    pin: PIN,
    'serverCpus, workerCpus': 'Cpus?',
    'relayCpus?': 'Cpus',
    note: 'PlacementNote?',
  },
  Cpus: ['count', 100_000, 1],

  Release: {
    package: 'text',
    version: 'version',
    /** Checkout or tarball, as the user typed it. */
    path: 'text?',
    /** URL to import; null if bundled with this tool. */
    entry: 'fileUrl?',
    commit: 'commit?',
    '*': 'never',
  },
  /** `name`: the version, plus the path if two binaries share it. */
  Runtime: { 'name, v8, path': 'text', version: 'version', '*': 'never' },
  /** The delay that a relay adds: 0 for none. */
  Distance: { rttMs: 'rttMs', jitterPercent: 'percent' },
  FaultPlan: {
    name: 'text',
    kind: "'none'|'cut'|'half-open'|'idle-drop'|'idle-reset'|'slow'|'stall'|'freeze'|'restart'|'loading'|'maxclients'|'oom'|'failover'|'switchover'",
    by: "'nobody'|'relay'|'server'|'client'",
    keepsData: 'flag',
    /** By how much round trips are longer, or how long a connection may be idle. */
    byMs: 'amount?',
    /** Null where it is over at once, or for good. */
    lastsMs: 'amount?',
    /** When it strikes, from the start of a run. */
    atMs: 'amount',
    /** How long operations begin, without a pause. Missing where all runs last as long. */
    'durationMs?': 'overZero',
  },
  OpenLoopPlan: {
    ratePerSecond: 'positive',
    /** The range of the search in which the rate is a step; null where the rate was asked for. */
    search: { '?': ['positive', 'positive'] },
    /** The rate counts as sustained only if the p99 from the scheduled start is within this; null for any. */
    sloMs: 'amount?',
    arrivals: "'even'|'poisson'|'recorded'",
    'speed?': 'overZero',
    whenFull: "'wait'|'drop'|'fail'",
    /** Commands in flight, in all processes together. */
    maxInFlight: 'positive',
    '*': 'never',
  },
  Chosen: {
    id: 'name',
    parameter: 'any',
    'title?': 'text',
    /** In rows of tables; the title by default. */
    'name?': 'text',
    /** What the argument chooses, such as COUNT 100; what the messages of a workload go through. */
    'choice?, sendsThrough?': 'string',
    /** Each operation is a fresh process; its operations have keys of their own where something breaks. */
    'startsProcesses?, ownKeys?': 'flag',
    /** The user's command that makes the data of each key; `hasValues`: whether values of the tool are sent. */
    'madeBy?': { command: 'string?', hasValues: 'flag', 'finds?': "'something'|'nothing'", '*': 'never' },
    /** Of a workload with data of its own, in averages; `share` of the recorded commands. */
    'data?': {
      'keys, keyBytes, valueBytes, ratePerSecond, tasks?': 'positive',
      'share?': 'share',
      '*': 'never',
    },
    '*': 'never',
  },
  CellWords: { scenario: 'ScenarioWords?', variant: 'string?', 'way?': { row: 'string' }, 'code?': 'string' },
  ScenarioWords: { 'options?': { '*': { row: 'string', 'always?': 'flag' } } },
  /** One more run of the cell, profiled; none of its timed runs. */
  CellProfile: {
    /** CPU time, or bytes that were allocated. */
    unit: "'µs'|'bytes'",
    samples: 'count',
    /** Functions, those that count most first: null is what belongs to no package, and native code, which has no file. */
    frames: [
      { part: CODE_PART, 'package, file': 'string?', name: 'string', line: 'positive?', [COUNTED]: 'amount' },
      10_000,
    ],
    /** What small functions counted together. */
    rest: [{ part: CODE_PART, package: 'string?', [COUNTED]: 'amount' }, 10_000],
    elapsedMs: 'overZero',
    operations: 'count',
    /** Without the sampling thread. */
    cpuUsPerOp: 'amount',
    processes: 'positive',
  },
  RoundTrips: { count: 'positive', 'p50Us, p99Us': 'amount' },

  // A run and its parts, besides their figures.
  Run: {
    /** From 1; 0 if it failed before the first timed run. */
    round: 'count',
    start: 'positive',
    /** The processors were kept awake; missing where they could sleep. */
    'awake?': 'true',
    taskElapsedMs: ['amount'],
    /** Replies to EXISTS; null if the workload sends none. */
    answers: 'Answers?',
    /** Commands answered from the client's own cache; missing without one. */
    'cacheHits?': 'count',
    latency: 'Latency?',
    /** Missing where only counts are known, as of faults. */
    'parts?': ['RunPart'],
    /** Only for pipelining explicit and window, where the tool itself makes the batches. */
    batching: 'Batching?',
    openLoop: 'OpenLoopRun?',
    processes: ['ProcessFigures'],
    'machines?': ['MachineFigures'],
    /** How much later the last machine started than the first. */
    'startSkewMs?': 'amount',
    client: 'ClientCost?',
    server: 'ServerCost?',
    'relay?': 'RelayRun',
    'fault?': 'FaultRun',
    'cold?': 'ColdRun',
    /** Missing where a run is in one piece, as with faults. */
    'slices?': ['Slice'],
    wrongReplies: 'count',
    errors: { '*': 'positive' },
    failed: 'text?',
    /** Missing if there are none; `warnings` are the same in words. */
    'warningFacts?': ['RunWarning'],
    warnings: ['text'],
  },
  Answers: { 'true, false': 'count', '*': 'never' },
  /** `hdr`: an HdrHistogram of nanoseconds, compressed, in base64. */
  Latency: { count: 'positive', hdr: 'hdr' },
  /** A command of a mix, such as `GET@100kb`, reported separately. */
  RunPart: { name: 'text', count: 'count', perSecond: 'amount', latency: 'Latency?' },
  Batching: { '*': 'never' },
  /** An open loop. The run's `latency` counts from the scheduled start. */
  OpenLoopRun: {
    /** Whether the intended rate was sustained, with nothing dropped and the p99 within the SLO. */
    held: 'flag',
    latencyFromSend: 'Latency?',
  },
  ProcessFigures: {
    operations: 'count',
    /** By command name, in lower case. */
    calls: { '*': 'count' },
    'opsPerSecond, cpuUtilization': 'amount',
    eventLoopUtilization: 'share',
    peakRssBytes: 'positive',
    p99Us: 'amount?',
    '*': 'never',
  },
  /** `startedAfterMs`: after the run's first machine. */
  MachineFigures: {
    name: 'text',
    'startedAfterMs, clockErrorMs, elapsedMs, opsPerSecond, cpuUtilization': 'amount',
    operations: 'count',
    latency: 'Latency?',
  },
  ClientCost: {},
  /** `replicas`: missing without any. CPU figures are those of the primaries. */
  ServerCost: { nodes: { '?': ['NodeCost'] }, 'replicas?': ['NodeCost'] },
  /** `node`: host:port */
  NodeCost: { node: 'text', 'commands, cpuUtilization': 'amount?' },
  /** Delay beyond what was asked of the relay, request and reply together; null without round trips. */
  RelayRun: {
    'lateP50Us, lateP99Us': 'amount?',
    /** How often it stopped reading because its buffer was full. */
    pauses: 'count',
  },
  /** A part of a run, executed in one go. The cells of a group alternate slice by slice. */
  Slice: {
    elapsedMs: 'overZero',
    operations: 'count',
    /** The client's, without the cost of starting and ending the slice. */
    cpuUs: 'amount',
    /** How long the worker's main thread, and the server's, waited for CPU that other programs used; CPU steal. */
    'waitedMs, serverWaitedMs, stolenMs': 'amount?',
    /** Whether these took too large a share (method.js). */
    disturbed: 'flag',
    /** How many disturbed attempts preceded it. */
    repeats: 'count',
  },
  /** Medians over the fresh processes of a run, up to the first reply. */
  ColdRun: {},
  /** A run with a fault. Times count from it (or the end of the pause); those "since the start" exclude the pause. */
  FaultRun: {
    /** Since the start: when it struck, and when the server was back to normal; null if no fault was planned. */
    'struckAtMs, overAtMs': 'amount?',
    /** Connections, writes or servers that the fault hit. */
    met: 'amount?',
    /** What the first caller after a pause got; missing without one. */
    'firstCallError?': 'string?',
    /** `unsent`: never given to the client, as --max-in-flight was reached, or the worker had ended. */
    'scheduled, acknowledged, unsent': 'count',
    /** How operations are checked: by their replies only, or by what the server's data shows. */
    proves: "'reads'|'replies'|'writes'|'repeats'",
    doneThoughUnanswered: 'count?',
    /** Whether that answer came before the end of the run. */
    longestWaitAnswered: 'flag',
    /** After how long the client's options end a silent connection; null for never, missing where that is unknown. */
    'silenceLimitMs?': 'amount?',
    /** What ended the worker or would have ended an application; null if nothing did. */
    crash: 'FaultCrash?',
    /** `due` and `inTime` by scheduled start, the others by the time of the result or error. */
    timeline: 'Timeline',
    /** By the keys of the one node of a cluster that breaks and of the others; missing where keys are not assigned to nodes. */
    'nodes?': { 'broken, others': 'NodesOutcome' },
  },
  Timeline: { bucketMs: 'positive', 'due, inTime, acknowledged, failed, waiting': ['count'] },
  /** Figures of a run with a fault, for some of its operations. */
  NodesOutcome: {
    'scheduled, acknowledged, failed, late, unanswered, wrong, lostWithServer': 'count',
    'recoveredMs, firstSuccessMs': 'amount?',
    longestWaitMs: 'amount',
    longestWaitAnswered: 'flag',
    'doneTwice, lost, doneThoughFailed, doneThoughUnanswered': 'count?',
    'doneInPart?': 'count?',
    'lastLostMs?, firstCallMs?': 'amount?',
    'firstCallError?': 'string?',
    timeline: 'Timeline',
  },
  /** `at`: the first line of the stack that is not Node's own; `ms`: since the start. */
  FaultCrash: {
    kind: "'exception'|'rejection'|'exit'|'stuck'",
    message: 'string',
    at: 'string?',
    ms: 'amount',
  },
});

/** The shapes that have figures, by the `in` of those. */
export const PARTS = /** @type {const} */ ({
  run: 'Run',
  latency: 'Latency',
  batching: 'Batching',
  openLoop: 'OpenLoopRun',
  fault: 'FaultRun',
  cold: 'ColdRun',
  client: 'ClientCost',
  server: 'ServerCost',
});

/** With the figures. @returns {Record<string, Type>} */
export function storedShapes() {
  /** @type {Record<string, any>} */
  const shapes = { ...STORED_KINDS, ...SHAPES };
  for (const { in: part = 'run', name, schema: type, isOptional } of METRICS) {
    if (type === undefined) continue;
    const shape = PARTS[/** @type {keyof typeof PARTS} */ (part)];
    shapes[shape] = { ...shapes[shape], [isOptional ? `${name}?` : name]: type };
  }
  return shapes;
}

const check = createChecks(storedShapes);

/** By their types. */
const LINES = {
  header: check('ResultHeader'),
  planned: check('PlannedRecord'),
  distance: check('DistanceRecord'),
  cell: check('CellRecord'),
  run: check('RunRecord'),
  end: check('ResultEnd'),
};

/** A closed loop does that only if it failed, or under a fault; reports divide by its rate. @param {any} run */
const didNothing = ({ failed, openLoop, fault, opsPerSecond }) =>
  failed === null && openLoop === null && fault === undefined && opsPerSecond === 0;

/** Where neither cores nor the reason is known, a report has nothing to say. @param {any} placement */
const isUnplaced = ({ note, serverCpus, workerCpus }) =>
  note === null && (serverCpus === null || workerCpus === null);

/** What no type can say. @type {Partial<Record<keyof typeof LINES, (line: any) => string | null>>} */
const RULES = {
  header: ({ placements }) => (placements.some(isUnplaced) ? 'placements must have cores or a note' : null),
  run: ({ run }) => (didNothing(run) ? 'run/opsPerSecond must be above 0' : null),
};

/** @param {any} line of a saved result @returns {string | null} what is wrong with it */
export function lineError(line) {
  if (typeof line?.type !== 'string' || !Object.hasOwn(LINES, line.type)) {
    return `expected a type out of ${Object.keys(LINES).join(', ')}`;
  }
  const type = /** @type {keyof typeof LINES} */ (line.type);
  return LINES[type](line) ?? RULES[type]?.(line) ?? null;
}

/**
 * @param {object} facts @param {Plan} facts.plan @param {Settings} facts.settings
 * @param {ResultHeader['command']} [facts.command] where it is no benchmark
 * @param {{id: string, title: string, format?: string}} facts.suite @param {Environment} facts.environment
 * @param {ServerFacts[]} facts.servers one per topology @param {Placement[]} facts.placements
 * @param {ResultHeader['tool']} facts.tool @param {Date} facts.startedAt @param {WakingFact} [facts.waking]
 * @returns {ResultHeader}
 */
export const createHeader = ({ plan, settings, suite, startedAt, servers, ...facts }) => ({
  type: 'header',
  schemaVersion: SCHEMA_VERSION,
  ...facts,
  server: servers[0],
  servers,
  startedAt: startedAt.toISOString(),
  seed: settings.seed,
  suite: { id: suite.id, title: suite.title, format: suite.format ?? 'table' },
  settings: storedOf(settings),
  cells: plan.cells,
});

/** @param {any} settings @returns {any} */
const storedOf = (settings) =>
  Object.fromEntries(
    Object.keys(SHAPES.StoredSettings).flatMap((key) => {
      const name = key.replace('?', '');
      return key !== name && !settings[name] ? [] : [[name, settings[name] ?? null]];
    }),
  );
