import * as v from 'valibot';
import { COMMANDS } from '../commands/all.js';
import { CELL_ENTRIES, HEADER_ENTRIES, PARTS, PASS_ENTRIES } from '../commands/figures.js';
import { withoutFolder } from '../long-names.js';
import {
  amount,
  anyNumber,
  count,
  integer,
  list,
  name,
  noList,
  number,
  overZero,
  percent,
  positive,
  recordOf,
  share,
  text,
  textOf,
  time,
  version,
  whole,
  wrongIn,
} from '../schema.js';
import { METRICS } from './metrics.js';

/** @import { GenericSchema, InferOutput, ObjectEntries } from 'valibot' */
/** @import { FIGURES } from '../commands/figures.js' */
/** @import { Environment, Placement } from '../machine/types.js' */
/** @import { Settings } from '../options/types.js' */
/** @import { Chosen } from '../plugins/types.js' */
/** @import { Plan } from '../run/plan/types.js' */
/** @import { ServerFacts } from '../server/types.js' */
/** @import { Batching, Cell, CellRecord, ClientCost, DistanceRecord, Latency, OpenLoopRun, PlannedRecord, ResultEnd, ResultHeader, ResultLine, Run, Release, RunRecord, ServerCost, WakingFact } from './types.js' */

/** The lines of a saved result, which types.d.ts explains. What a later release adds may be missing. */

export const SCHEMA_VERSION = 2;

const PIN = v.picklist(['apart', 'same', 'off']);
const TRANSPORT = v.picklist(['tcp', 'unix', 'tls']);
const CPUS = list(count, 100_000, 1);
const CODE_PART = v.picklist([
  'package',
  'node',
  'native',
  'poll',
  'garbage',
  'tool',
  'application',
  'other',
]);
const COST_MODEL = v.strictObject({ budget: overZero, perOperation: overZero, perByte: overZero });
const OPTION_WORDS = v.object({ row: v.string(), always: v.optional(v.boolean()) });
/** @type {GenericSchema<Record<string, string>>} */
const PACKAGES = v.pipe(
  recordOf(v.string()),
  v.check((packages) => Object.keys(packages).length > 0, 'expected some packages, got none'),
);
/** Compressed, in base64. */
const HISTOGRAM = textOf('a histogram', /^HISTF/);

/**
 * What a part of a run stores of the figures, by the names that they have there.
 * @template Part
 * @typedef {{[Id in keyof Figures as PlaceOf<Figures[Id]> extends Part ? NameOf<Figures[Id], Id> : never]:
 *   Figures[Id] extends {schema: infer S extends GenericSchema} ? InferOutput<S> : never}} FiguresIn
 */
/** @typedef {typeof FIGURES} Figures */
/** @template F @typedef {F extends {schema: any} ? F extends {in: infer Part} ? Part : 'run' : never} PlaceOf */
/** @template F @template Id @typedef {F extends {name: infer Name} ? Name : Id} NameOf */

/** @param {string} part @returns {ObjectEntries} */
function figuresIn(part) {
  const stored = METRICS.flatMap(({ in: place = 'run', name, schema }) =>
    place === part && schema !== undefined ? [[name, schema]] : [],
  );
  return Object.fromEntries(stored);
}

/**
 * @template {string} Part
 * @template {ObjectEntries} Entries
 * @param {Part} part
 * @param {Entries} entries what it stores besides its figures
 * @returns {GenericSchema<InferOutput<v.ObjectSchema<Entries, undefined>> & FiguresIn<Part>>}
 */
function partOf(part, entries) {
  return /** @type {any} */ (v.object({ ...entries, ...figuresIn(part) }));
}

/** Whatever the tool says in its own words, as data: types.d.ts has what there is. @type {GenericSchema<any>} */
export const FACT = v.object({
  kind: name,
  command: v.optional(text),
  name: v.optional(text),
  commands: v.optional(recordOf(positive)),
  cached: v.optional(count),
  claimed: v.optional(count),
  counted: v.optional(count),
  cpus: v.optional(count),
  missing: v.optional(integer),
  more: v.optional(v.boolean()),
  beyondShare: v.optional(amount),
  ms: v.optional(amount),
  times: v.optional(amount),
  processes: v.optional(positive),
  keys: v.optional(positive),
  limitedTo: v.optional(overZero),
  asIsUs: v.optional(overZero),
  keptAwakeUs: v.optional(v.nullable(overZero)),
  offered: v.optional(list(text)),
  own: v.optional(list(text)),
  able: v.optional(list(text)),
  clients: v.optional(list(text)),
  leftOut: v.optional(list(v.object({ reason: text, commands: recordOf(positive) }))),
});

const STORED_SETTINGS = v.object({
  runs: positive,
  starts: v.union([v.literal('auto'), positive]),
  races: v.optional(v.literal(true)),
  budgetMs: v.optional(overZero),
  warmupRuns: count,
  runTimeMs: overZero,
  durationMs: v.nullable(overZero),
  iterations: v.union([v.literal('auto'), positive, COST_MODEL]),
  value: v.picklist(['text', 'json', 'records']),
  keyDistribution: v.picklist(['uniform', 'zipf', 'sequential']),
  prepareEach: v.optional(v.literal(true)),
  oneSlot: v.boolean(),
  assert: list(text),
  assertStrict: v.boolean(),
  smoke: v.boolean(),
});

const ENVIRONMENT = v.object({
  node: version,
  v8: text,
  os: text,
  arch: text,
  cpuModel: text,
  cpuCount: positive,
  memoryBytes: positive,
  packages: PACKAGES,
  nodeOptions: v.optional(text),
});

const SERVER_FACTS = v.object({
  kind: v.picklist(['managed', 'external']),
  name: v.optional(text),
  software: text,
  version: v.nullable(v.string()),
  mode: v.nullable(v.string()),
  transports: list(TRANSPORT, 3, 1),
  nodes: v.nullable(list(text, 100_000, 1)),
  replicas: v.optional(list(text)),
  config: v.strictObject({
    save: v.nullable(v.string()),
    appendonly: v.nullable(v.string()),
    maxmemory: v.nullable(v.string()),
    'io-threads': v.nullable(v.string()),
  }),
  roundTripUs: v.optional(amount),
  sameAs: v.optional(text),
});

const PLACEMENT = v.object({
  pin: PIN,
  serverCpus: v.nullable(CPUS),
  workerCpus: v.nullable(CPUS),
  relayCpus: v.optional(CPUS),
  note: v.nullable(FACT),
});

const RELEASE = v.strictObject({
  package: text,
  version,
  path: v.nullable(text),
  // Older files have it.
  entry: v.optional(v.nullable(textOf('a file URL', /^file:/))),
  commit: v.nullable(textOf('a commit', /^[0-9a-f]{4,}( with changes)?$/)),
});

const RUNTIME = v.strictObject({
  name: text,
  v8: text,
  // Older files have it.
  path: v.optional(text),
  version,
});

const DISTANCE = v.object({ rttMs: number(0, 10_000), jitterPercent: percent });

const OPEN_LOOP_PLAN = v.strictObject({
  ratePerSecond: positive,
  search: v.nullable(v.strictTuple([positive, positive])),
  sloMs: v.nullable(amount),
  arrivals: v.picklist(['even', 'poisson', 'recorded']),
  speed: v.optional(overZero),
  whenFull: v.picklist(['wait', 'drop', 'fail']),
  maxInFlight: positive,
});

const CHOSEN = v.strictObject({
  id: name,
  parameter: v.any(),
  title: v.optional(text),
  name: v.optional(text),
  choice: v.optional(v.string()),
  sendsThrough: v.optional(v.string()),
  startsProcesses: v.optional(v.boolean()),
  ownKeys: v.optional(v.boolean()),
  madeBy: v.optional(
    v.strictObject({
      command: v.nullable(v.string()),
      hasValues: v.boolean(),
      finds: v.optional(v.picklist(['something', 'nothing'])),
    }),
  ),
  data: v.optional(
    v.strictObject({
      keys: positive,
      keyBytes: positive,
      valueBytes: positive,
      ratePerSecond: positive,
      tasks: v.optional(positive),
      share: v.optional(share),
    }),
  ),
});

const CELL_WORDS = v.object({
  scenario: v.nullable(v.object({ options: v.optional(recordOf(OPTION_WORDS)) })),
  variant: v.nullable(v.string()),
  way: v.optional(v.object({ row: v.string() })),
  code: v.optional(v.string()),
});

/** @type {GenericSchema<Cell>} */
const CELL = v.object({
  ...CELL_ENTRIES,
  id: text,
  group: text,
  variant: text,
  pipelining: text,
  workload: text,
  client: name,
  scenario: name,
  version: v.nullable(textOf('a version or path:…', /^(\d+\.\d+\.\d+|path:.)/)),
  ownVariant: v.optional(v.object({ base: name, options: recordOf(v.unknown()) })),
  copy: positive,
  server: v.optional(v.nullable(text)),
  serverConfig: v.optional(v.nullable(text)),
  node: v.nullable(version),
  release: v.nullable(RELEASE),
  runtime: v.nullable(RUNTIME),
  imported: v.optional(v.strictObject({ name: text, instruments: v.optional(list(text)) })),
  bundle: v.optional(v.picklist(['none', 'esbuild'])),
  inFlight: v.optional(
    v.nullable(v.strictObject({ atOnce: positive, batch: positive, limit: v.optional(text) })),
  ),
  floor: v.boolean(),
  ownCode: v.optional(v.literal(true)),
  scenarioOptions: recordOf(
    v.union([text, anyNumber, v.boolean()]),
    textOf('the name of an option', /^[a-z][A-Za-z0-9]*$/),
  ),
  compared: v.optional(list(v.string())),
  keyMark: v.optional(v.string()),
  way: v.optional(textOf('the name of a way', /^[\w-]+$/)),
  readFrom: v.optional(v.picklist(['primary', 'replica'])),
  replies: v.optional(v.picklist(['string', 'buffer'])),
  encode: v.optional(v.picklist(['none', 'json', 'msgpack', 'json+gzip'])),
  pin: PIN,
  transport: TRANSPORT,
  topology: v.picklist(['standalone', 'cluster', 'sentinel']),
  keySize: positive,
  valueSize: positive,
  shortestValue: positive,
  keys: positive,
  tasks: positive,
  processes: positive,
  machines: v.optional(positive),
  appWorkUs: amount,
  distance: v.optional(DISTANCE),
  openLoop: v.nullable(OPEN_LOOP_PLAN),
  chosen: v.strictObject({ pipelining: CHOSEN, workload: CHOSEN }),
  words: CELL_WORDS,
  skipped: v.nullable(FACT),
});

/** @type {GenericSchema<ResultHeader>} */
const HEADER = v.object({
  ...HEADER_ENTRIES,
  type: v.literal('header'),
  schemaVersion: whole(SCHEMA_VERSION, SCHEMA_VERSION),
  tool: v.strictObject({ name: v.literal('redis-pipe-bench'), version }),
  startedAt: time,
  seed: count,
  command: v.optional(v.picklist(COMMANDS)),
  suite: v.object({ id: name, format: name, title: text }),
  settings: STORED_SETTINGS,
  environment: ENVIRONMENT,
  server: SERVER_FACTS,
  servers: list(SERVER_FACTS, 1_000_000, 1),
  placements: list(PLACEMENT, 1_000_000, 1),
  waking: v.optional(FACT),
  cells: list(CELL),
});

/** @type {GenericSchema<PlannedRecord>} */
const PLANNED_RECORD = v.object({ type: v.literal('planned'), cell: CELL });

const ROUND_TRIPS = v.object({ count: positive, p50Us: amount, p99Us: amount });

/** @type {GenericSchema<DistanceRecord>} */
const DISTANCE_RECORD = v.object({
  type: v.literal('distance'),
  group: text,
  server: v.optional(text),
  cells: v.optional(list(text)),
  direct: ROUND_TRIPS,
  undelayed: ROUND_TRIPS,
  distant: ROUND_TRIPS,
});

export const CELL_PROFILE = v.object({
  unit: v.picklist(['µs', 'bytes']),
  samples: count,
  frames: list(
    v.object({
      part: CODE_PART,
      package: v.nullable(v.string()),
      file: v.nullable(v.string()),
      name: v.string(),
      line: v.nullable(positive),
      self: amount,
      variance: amount,
    }),
    10_000,
  ),
  rest: list(
    v.object({
      part: CODE_PART,
      package: v.nullable(v.string()),
      self: amount,
      variance: amount,
    }),
    10_000,
  ),
  elapsedMs: overZero,
  operations: count,
  cpuUsPerOp: amount,
  processes: positive,
});

/** @type {GenericSchema<CellRecord>} */
const CELL_RECORD = v.object({
  ...PASS_ENTRIES,
  type: v.literal('cell'),
  cell: text,
  iterations: v.nullable(positive),
  effectiveOptions: recordOf(v.unknown()),
  warm: v.optional(v.boolean()),
  skipped: v.optional(v.nullable(FACT)),
  profiles: v.optional(
    v.pipe(noList, v.strictObject({ cpu: v.optional(CELL_PROFILE), heap: v.optional(CELL_PROFILE) })),
  ),
});

export const ANSWERS = v.strictObject({ true: count, false: count });

/** @type {GenericSchema<Latency>} */
export const LATENCY = partOf('latency', { count: positive, hdr: HISTOGRAM });

export const RUN_PART = v.object({
  name: text,
  count,
  perSecond: amount,
  latency: v.nullable(LATENCY),
});

/** @type {GenericSchema<OpenLoopRun>} */
export const OPEN_LOOP_RUN = partOf('openLoop', { held: v.boolean(), latencyFromSend: v.nullable(LATENCY) });

/** @type {GenericSchema<Batching>} */
export const BATCHING = partOf('batching', {});

/** @type {GenericSchema<ClientCost>} */
export const CLIENT_COST = partOf('client', {});

export const PROCESS_FIGURES = v.strictObject({
  operations: count,
  calls: recordOf(count),
  opsPerSecond: amount,
  cpuUtilization: amount,
  eventLoopUtilization: share,
  peakRssBytes: positive,
  p99Us: v.nullable(amount),
});

const MACHINE_FIGURES = v.object({
  name: text,
  startedAfterMs: amount,
  clockErrorMs: amount,
  elapsedMs: amount,
  opsPerSecond: amount,
  cpuUtilization: amount,
  operations: count,
  latency: v.nullable(LATENCY),
});

const NODE_COST = v.object({
  node: text,
  commands: v.nullable(amount),
  cpuUtilization: v.nullable(amount),
});

/** @type {GenericSchema<ServerCost>} */
export const SERVER_COST = partOf('server', {
  nodes: v.nullable(list(NODE_COST)),
  replicas: v.optional(list(NODE_COST)),
});

const RELAY_RUN = v.object({
  lateP50Us: v.nullable(amount),
  lateP99Us: v.nullable(amount),
  pauses: count,
});

const SLICE = v.object({
  elapsedMs: overZero,
  operations: count,
  cpuUs: amount,
  waitedMs: v.nullable(amount),
  serverWaitedMs: v.nullable(amount),
  stolenMs: v.nullable(amount),
  disturbed: v.boolean(),
  repeats: count,
});

/** The parts of runs that commands bring. */
const PARTS_OF_COMMANDS = Object.fromEntries(
  Object.entries(PARTS).map(([part, { entries }]) => [
    part,
    v.optional(v.object({ ...entries, ...figuresIn(part) })),
  ]),
);

/** @type {GenericSchema<Run>} */
const RUN = partOf('run', {
  round: count,
  start: positive,
  awake: v.optional(v.literal(true)),
  taskElapsedMs: list(amount),
  answers: v.nullable(ANSWERS),
  cacheHits: v.optional(count),
  lookups: v.optional(partOf('lookups', { hits: count, misses: count })),
  latency: v.nullable(LATENCY),
  parts: v.optional(list(RUN_PART)),
  batching: v.nullable(BATCHING),
  openLoop: v.nullable(OPEN_LOOP_RUN),
  processes: list(PROCESS_FIGURES),
  machines: v.optional(list(MACHINE_FIGURES)),
  startSkewMs: v.optional(amount),
  client: v.nullable(CLIENT_COST),
  server: v.nullable(SERVER_COST),
  relay: v.optional(RELAY_RUN),
  slices: v.optional(list(SLICE)),
  wrongReplies: count,
  errors: recordOf(positive),
  emitted: v.optional(
    partOf('emitted', { firstError: v.nullable(v.string()), reconnections: count, ends: count }),
  ),
  failed: v.nullable(text),
  warningFacts: v.optional(list(FACT)),
  warnings: list(text),
  ...PARTS_OF_COMMANDS,
});

/** @type {GenericSchema<RunRecord>} */
const RUN_RECORD = v.object({
  type: v.literal('run'),
  cell: text,
  at: time,
  run: RUN,
});

/** @type {GenericSchema<ResultEnd>} */
const RESULT_END = v.object({
  type: v.literal('end'),
  finishedAt: time,
  partial: v.boolean(),
  failure: v.nullable(v.string()),
  warningFacts: list(FACT),
  warnings: list(text),
});

/** @type {Map<string, GenericSchema<ResultLine>>} */
const LINES = new Map(
  Object.entries({
    header: HEADER,
    planned: PLANNED_RECORD,
    distance: DISTANCE_RECORD,
    cell: CELL_RECORD,
    run: RUN_RECORD,
    end: RESULT_END,
  }),
);

/** A closed loop does that only if it failed, or where a command broke something; reports divide by its rate. @param {Run} run */
const didNothing = ({ failed, openLoop, opsPerSecond, ...parts }) =>
  failed === null &&
  openLoop === null &&
  opsPerSecond === 0 &&
  !Object.keys(PARTS).some((part) => part in parts);

/** Where neither cores nor the reason is known, a report has nothing to say. @param {Placement} placement */
const isUnplaced = ({ note, serverCpus, workerCpus }) =>
  note === null && (serverCpus === null || workerCpus === null);

/** @param {unknown} line of a saved result @returns {string | null} what is wrong with it */
export function lineError(line) {
  const schema = LINES.get(Object(line).type);
  if (schema === undefined) return `expected a type out of ${[...LINES.keys()].join(', ')}`;
  return wrongIn(schema, line) ?? brokenRule(/** @type {ResultLine} */ (line));
}

/** What no schema says. @param {ResultLine} line */
function brokenRule(line) {
  if (line.type === 'header' && line.placements.some(isUnplaced))
    return 'placements: expected cores or a note';
  if (line.type === 'run' && didNothing(line.run))
    return 'run.opsPerSecond: expected a number above 0, got 0';
  return null;
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
  cells: plan.cells.map(storedCell),
});

/** Where files lie on this machine is nobody's business, and a reader has no use for it. @template {Partial<Cell>} Any @param {Any} cell @returns {Any} */
export function storedCell({ imported, runtime, release, chosen, ...cell }) {
  return /** @type {Any} */ ({
    ...cell,
    ...(release !== undefined && { release: release && storedRelease(release) }),
    ...(runtime !== undefined && { runtime: runtime && without('path', runtime) }),
    ...(chosen !== undefined && { chosen: { ...chosen, workload: storedWorkload(chosen.workload) } }),
    ...(imported !== undefined && { imported: without('args', imported) }),
  });
}

/** @param {Release} release */
const storedRelease = ({ entry: _, path, ...release }) => ({ ...release, path: path && withoutFolder(path) });

/** @param {Chosen} workload */
function storedWorkload(workload) {
  const { file } = Object(workload.parameter);
  if (typeof file !== 'string') return workload;
  return { ...workload, parameter: { ...Object(workload.parameter), file: withoutFolder(file) } };
}

/** @template {object} Any @template {keyof Any} Name @param {Name} name @param {Any} object @returns {Omit<Any, Name>} */
const without = (name, { [name]: _, ...others }) => others;

/** @param {Record<string, any>} settings @returns {any} */
const storedOf = (settings) =>
  Object.fromEntries(
    Object.entries(STORED_SETTINGS.entries).flatMap(([name, { type }]) =>
      type === 'optional' && !settings[name] ? [] : [[name, settings[name] ?? null]],
    ),
  );
