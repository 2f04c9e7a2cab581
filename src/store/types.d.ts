import type { GenericSchema } from 'valibot';
import type { CellWords } from '../axes/types.js';
import type { Finding } from '../commands/benchmark/findings/types.js';
import type { Comparison, GroupComparison } from '../commands/benchmark/judge/types.js';
import type { ChoiceRow } from '../commands/benchmark/report/types.js';
import type { Breakdown, CellBreakdown, NoBreakdown } from '../commands/breakdown/types.js';
import type { CommandName } from '../commands/types.js';
import type { CpuLimited, NotAwake, PlacementNote, WakeUpCost } from '../machine/types.js';
import type { CostModel, ReadFrom, Topology, Transport } from '../options/types.js';
import type { Verdict } from '../report/types.js';
import type { MemoryNeed, SkipReason } from '../run/plan/types.js';
import type { Emitted, Lookups, MeasuredRun } from '../worker/types.js';

export interface ResultHeader {
  type: 'header';
  schemaVersion: number;
  tool: { name: 'redis-pipe-bench'; version: string };
  startedAt: string;
  seed: number;
  /** Missing for a benchmark. */
  command?: CommandName;
  /** `format`: the default for printing. */
  suite: { id: string; format: string; title: string };
  settings: StoredSettings;
  environment: Environment;
  server: ServerFacts;
  servers: ServerFacts[];
  placements: Placement[];
  /** What a wake-up costs; missing where processors were not to be kept awake. */
  waking?: WakingFact;
  cells: Cell[];
}

export interface PlannedRecord {
  type: 'planned';
  cell: Cell;
}

/** PING times before the first run of a group that has a relay; `undelayed`: through a relay without delay. */
export interface DistanceRecord {
  type: 'distance';
  group: string;
  /** The server and the cells measured on it; missing with a single server. */
  server?: string;
  cells?: string[];
  direct: RoundTrips;
  undelayed: RoundTrips;
  distant: RoundTrips;
}

export interface CellRecord {
  type: 'cell';
  cell: string;
  iterations: number | null;
  effectiveOptions: Record<string, unknown>;
  /** False if it was still getting faster when the warm-up ended. */
  warm?: boolean;
  /** Where it turned out that there is no time for it. */
  skipped?: SkipReason | null;
  /** Only what was asked for, and only in the record after the cell's last run. */
  profiles?: { cpu?: CellProfile; heap?: CellProfile };
  /** Of a pass after its timed runs, or why there is none. */
  breakdown?: CellBreakdown;
  noBreakdown?: NoBreakdown;
}

export interface RunRecord {
  type: 'run';
  cell: string;
  at: string;
  run: Run;
}

/** Its warnings are those of findings too, in words. */
export interface ResultEnd {
  type: 'end';
  finishedAt: string;
  partial: boolean;
  failure: string | null;
  warningFacts: Notice[];
  warnings: string[];
}

export interface Cell {
  /** `group`: the same for all cells that are compared. */
  id: string;
  group: string;
  variant: string;
  pipelining: string;
  workload: string;
  client: string;
  scenario: string;
  /** What was asked for: an exact version, or `path:…`; null where no release was. */
  version: string | null;
  /** Missing for a variant that comes with the client. `base`: the variant that these options extend. */
  ownVariant?: { base: string; options: Record<string, unknown> };
  copy: number;
  /** Missing or null where there is only one server, as are its settings. */
  server?: string | null;
  serverConfig?: string | null;
  /** Node of its worker; null for the tool's own. */
  node: string | null;
  /** Null where the client has no package, or it is not installed. */
  release: Release | null;
  runtime: Runtime | null;
  /** What Node loads before all else in its worker. */
  imported?: Imported;
  /** What bundled the client's library into one file. */
  bundle?: 'none' | 'esbuild';
  /**
   * Operations that a process can have in flight, and the size of their batches; null if unknown. `limit`: the option of the
   * client that allows no more.
   */
  inFlight?: { atOnce: number; batch: number; limit?: string } | null;
  /** Its client is the floor that the others are compared with. */
  floor: boolean;
  /** Its client, scenario or workload is a file of the user's, which may have changed since. */
  ownCode?: true;
  scenarioOptions: Record<string, string | number | boolean>;
  /** Ids of the axes that --compare made choices; missing where there are none. */
  compared?: string[];
  /** Behind the prefix of its keys, where compared cells store different data. */
  keyMark?: string;
  way?: string;
  readFrom?: ReadFrom;
  /** What texts in replies become; strings if missing. */
  replies?: 'string' | 'buffer';
  encode?: 'none' | 'json' | 'msgpack' | 'json+gzip';
  pin: 'apart' | 'same' | 'off';
  transport: Transport;
  topology: Topology;
  /** `valueSize`: of the longest value. `processes`: on each machine, each with all of the tasks. */
  keySize: number;
  valueSize: number;
  shortestValue: number;
  keys: number;
  tasks: number;
  processes: number;
  /** Machines that share the tasks; missing where there is only this one. */
  machines?: number;
  appWorkUs: number;
  distance?: Distance;
  openLoop: OpenLoopPlan | null;
  chosen: { pipelining: Chosen; workload: Chosen };
  /** The words of its plugins, so that a report needs none of them. */
  words: CellWords;
  skipped: SkipReason | null;
}

interface StoredSettings {
  runs: number;
  starts: 'auto' | number;
  /** Whether cells near the best got more starts; missing where all got as many. */
  races?: true;
  /** What the user gave; missing where that was nothing. */
  budgetMs?: number;
  warmupRuns: number;
  runTimeMs: number;
  durationMs: number | null;
  iterations: 'auto' | number | CostModel;
  value: 'text' | 'json' | 'records';
  keyDistribution: 'uniform' | 'zipf' | 'sequential';
  /** Whether each operation had data made anew. */
  prepareEach?: true;
  oneSlot: boolean;
  assert: string[];
  assertStrict: boolean;
  smoke: boolean;
}

export interface Environment {
  node: string;
  v8: string;
  os: string;
  arch: string;
  cpuModel: string;
  cpuCount: number;
  memoryBytes: number;
  packages: Record<string, string>;
  /** The NODE_OPTIONS of workers, and of the tool's main process; missing where there are none. */
  nodeOptions?: string;
}

export interface ServerFacts {
  kind: 'managed' | 'external';
  name?: string;
  software: string;
  version: string | null;
  mode: string | null;
  transports: Transport[];
  /** host:port, cluster only. */
  nodes: string[] | null;
  replicas?: string[];
  config: {
    save: string | null;
    appendonly: string | null;
    maxmemory: string | null;
    'io-threads': string | null;
  };
  /** Fastest of some PINGs to an external server. */
  roundTripUs?: number;
  /** Name of an earlier server that is the same process at another address. */
  sameAs?: string;
}

export interface Placement {
  pin: 'apart' | 'same' | 'off';
  serverCpus: number[] | null;
  workerCpus: number[] | null;
  relayCpus?: number[];
  note: PlacementNote | null;
}

export interface Release {
  package: string;
  version: string;
  /** Checkout or tarball, as the user typed it; what is stored has the last part of an absolute one. */
  path: string | null;
  /** URL to import; null if bundled with this tool, missing in what is stored. */
  entry?: string | null;
  commit: string | null;
}

/** `name`: the version, plus the name of its file, or its number, if two binaries share it. */
export interface Runtime {
  name: string;
  v8: string;
  /** Missing in what is stored. */
  path?: string;
  version: string;
}

/**
 * `args`: what Node is started with, missing in what is stored. `instruments`: methods of the client that it replaced, and channels of the client that
 * have a subscriber; missing where that is not known.
 */
export interface Imported {
  name: string;
  args?: string[];
  instruments?: string[];
}

/** The delay that a relay adds: 0 for none. */
export interface Distance {
  rttMs: number;
  jitterPercent: number;
}

export interface OpenLoopPlan {
  ratePerSecond: number;
  /** The range of the search in which the rate is a step; null where the rate was asked for. */
  search: [number, number] | null;
  /** The rate counts as sustained only if the p99 from the scheduled start is within this; null for any. */
  sloMs: number | null;
  arrivals: 'even' | 'poisson' | 'recorded';
  speed?: number;
  whenFull: 'wait' | 'drop' | 'fail';
  /** Commands in flight, in all processes together. */
  maxInFlight: number;
}

export interface Chosen {
  id: string;
  parameter: unknown;
  title?: string;
  /** The name in rows of tables; the title by default. */
  name?: string;
  /** What the argument chooses, such as COUNT 100; what a workload sends through. */
  choice?: string;
  sendsThrough?: string;
  /** Each operation is a fresh process; its operations have keys of their own where something breaks. */
  startsProcesses?: boolean;
  ownKeys?: boolean;
  /** The user's command that makes the data of each key; `hasValues`: whether values of the tool are sent. */
  madeBy?: { command: string | null; hasValues: boolean; finds?: 'something' | 'nothing' };
  /** Averages of a workload with data of its own; `share`: how many of the recorded commands. */
  data?: {
    keys: number;
    keyBytes: number;
    valueBytes: number;
    ratePerSecond: number;
    tasks?: number;
    share?: number;
  };
}

/** `native` is Node's, V8's and the system calls made there; `poll` is where the event loop waits and reads. */
type CodePart = 'package' | 'node' | 'native' | 'poll' | 'garbage' | 'tool' | 'application' | 'other';

/** One more run of the cell, profiled; none of its timed runs. */
export interface CellProfile {
  /** CPU time, or bytes that were allocated. */
  unit: 'µs' | 'bytes';
  samples: number;
  /** Functions, those that count most first: null is what belongs to no package, and native code, which has no file. */
  frames: {
    part: CodePart;
    package: string | null;
    file: string | null;
    name: string;
    line: number | null;
    self: number;
    variance: number;
  }[];
  /** What small functions counted together. */
  rest: {
    part: CodePart;
    package: string | null;
    self: number;
    variance: number;
  }[];
  elapsedMs: number;
  operations: number;
  /** The sampling thread's is left out. */
  cpuUsPerOp: number;
  processes: number;
}

interface RoundTrips {
  count: number;
  p50Us: number;
  p99Us: number;
}

export interface Run {
  /** Counts from 1; 0 if it failed before the first timed run. */
  round: number;
  start: number;
  /** The processors were kept awake; missing where they could sleep. */
  awake?: true;
  taskElapsedMs: number[];
  /** Replies to EXISTS; null if the workload sends none. */
  answers: Answers | null;
  /** Missing where no cache was filled. */
  lookups?: Lookups;
  /** Commands answered from the client's own cache; missing without one. */
  cacheHits?: number;
  latency: Latency | null;
  /** Missing where only counts are known. */
  parts?: RunPart[];
  /** Only for pipelining explicit and window, where the tool itself makes the batches. */
  batching: Batching | null;
  openLoop: OpenLoopRun | null;
  processes: ProcessFigures[];
  machines?: MachineFigures[];
  /** How much later the last machine started than the first. */
  startSkewMs?: number;
  client: ClientCost | null;
  server: ServerCost | null;
  relay?: RelayRun;
  /** Missing where a run is in one piece. */
  slices?: Slice[];
  wrongReplies: number;
  errors: Record<string, number>;
  /** From before its start, too; missing where that is not known. */
  emitted?: Emitted;
  failed: string | null;
  /** Missing if there are none; `warnings` are the same in words. */
  warningFacts?: RunWarning[];
  warnings: string[];
  averageMs: number | null;
  spreadMs: number | null;
  elapsedMs: number | null;
  operations: number;
  commands: number;
  opsPerSecond: number | null;
  connections: number | null;
}

export interface Answers {
  true: number;
  false: number;
}

/** `hdr`: an HdrHistogram of nanoseconds, compressed, in base64. */
export interface Latency {
  count: number;
  hdr: string;
  minUs: number;
  meanUs: number;
  p50Us: number;
  p90Us: number;
  p99Us: number;
  p999Us: number;
  maxUs: number;
}

/** A command of a mix, such as `GET@100kb`, reported separately. */
export interface RunPart {
  name: string;
  count: number;
  perSecond: number;
  latency: Latency | null;
}

export interface Batching {
  commandsPerBatch: number | null;
  heldUs: number | null;
  waitingUsPerOp: number | null;
}

/** An open loop. The run's `latency` counts from the scheduled start. */
export interface OpenLoopRun {
  /** Whether the intended rate was sustained, with nothing dropped and the p99 within the SLO. */
  held: boolean;
  latencyFromSend: Latency | null;
  intendedPerSecond: number;
  achievedPerSecond: number;
  latenessP99Us: number | null;
  scheduled: number;
  acknowledged: number;
  waited: number;
  dropped: number;
  failed: number;
  unsent: number;
  inFlightMax: number;
  waitingShare: number;
}

export interface ProcessFigures {
  operations: number;
  /** The keys are names of commands in lower case. */
  calls: Record<string, number>;
  opsPerSecond: number;
  cpuUtilization: number;
  eventLoopUtilization: number;
  peakRssBytes: number;
  p99Us: number | null;
}

/** `startedAfterMs`: after the run's first machine. */
export interface MachineFigures {
  name: string;
  startedAfterMs: number;
  clockErrorMs: number;
  elapsedMs: number;
  opsPerSecond: number;
  cpuUtilization: number;
  operations: number;
  latency: Latency | null;
}

export interface ClientCost {
  cpuUsPerOp: number | null;
  cpuUtilization: number | null;
  eventLoopUtilization: number;
  appWorkUsPerOp?: number | null;
  encodeUsPerOp?: number | null;
  gcPauseMs: number;
  allocatedBytesPerOp: number | null;
  contextSwitchesPerOp?: number | null;
  eventLoopDelayP99Us?: number | null;
  eventLoopDelayMaxUs?: number | null;
  gcLongestMs?: number | null;
  peakRssBytes: number;
}

/** `replicas`: missing without any. CPU figures are those of the primaries. */
export interface ServerCost {
  nodes: NodeCost[] | null;
  replicas?: NodeCost[];
  replicaReadShare?: number | null;
  replicaUtilization?: number | null;
  cpuUsPerCommand: number | null;
  allThreadsCpuUsPerCommand: number | null;
  sleepsPerCommand?: number | null;
  cpuUtilization: number | null;
  busiestNodeUtilization: number | null;
  commandsPerRead: number | null;
  commands: number | null;
  connections: number | null;
  netInputBytes: number | null;
  netOutputBytes: number | null;
  moved: number | null;
  asked: number | null;
}

/** `node`: host:port */
export interface NodeCost {
  node: string;
  commands: number | null;
  cpuUtilization: number | null;
}

/** Delay beyond what was asked of the relay, request and reply together; null without round trips. */
interface RelayRun {
  lateP50Us: number | null;
  lateP99Us: number | null;
  /** How often it stopped reading because its buffer was full. */
  pauses: number;
}

/** A part of a run, executed in one go. The cells of a group alternate slice by slice. */
export interface Slice {
  elapsedMs: number;
  operations: number;
  /** The client's, without the cost of starting and ending the slice. */
  cpuUs: number;
  /** How long the worker's main thread, and the server's, waited for CPU that other programs used; CPU steal. */
  waitedMs: number | null;
  serverWaitedMs: number | null;
  stolenMs: number | null;
  /** Whether waiting took too large a share (method.js). */
  disturbed: boolean;
  /** Disturbed attempts that preceded this one. */
  repeats: number;
}

export type ResultFacts = Omit<ResultHeader, 'type' | 'cells'>;
export type Ending = Omit<ResultEnd, 'type'>;
export type CellDetails = Omit<CellRecord, 'type' | 'cell'>;
export type MeasuredDistance = Omit<DistanceRecord, 'type'>;

/** Stored as data; report/words/fact-words.js puts it into words. */
export type Fact = SkipReason | PlacementNote | RunWarning | Notice | NoBreakdown;

/**
 * What bounds how much a benchmark may store: the server's maxmemory; without one, a figure of the tool's; the memory of this
 * machine; a smaller figure where the server reports nothing.
 */
export type MemoryBound = 'maxmemory' | 'unlimited' | 'machine' | 'unknown';

/** About a whole benchmark, or a cell before its runs; `why` is the text of an error. */
export type Notice = Notices[keyof Notices];
export interface Notices {
  common: CommonNotice;
}

type CommonNotice =
  | { kind: 'option-unknown'; source: string; clients: string[]; option: string }
  | { kind: 'options-unchecked'; client: string; version: string | null; options: string[] }
  | {
      kind: 'variant-partly';
      client: string;
      version: string | null;
      variant: string;
      options: string[];
    }
  | { kind: 'memory-unknown' }
  | (MemoryNeed & {
      kind: 'memory-small';
      bytes: number;
      /** Missing in results from before only maxmemory was one. */
      bound?: MemoryBound;
      freeBytes?: number;
      usedBytes: number;
      maxBytes: number;
      policy: string;
    })
  | {
      kind: 'no-room';
      bytes: number;
      bound: MemoryBound;
      freeBytes: number;
      usedBytes: number;
      maxBytes: number;
      policy: string;
    }
  /** `operations`: the most that a run had room for; `bytes`: what each stores, at most. */
  | { kind: 'memory-bounds-runs'; workload: string; operations: number; bytes: number }
  | { kind: 'slow-prepare'; seconds: number }
  | { kind: 'command-grows'; command: string; bytes: number }
  | { kind: 'certificate-unverified'; server: string }
  | { kind: 'writes-copied'; aof: boolean; rdb: boolean; replicas: number }
  | { kind: 'one-key' }
  /** Its process had nothing left to do; after 2 s it was ended. */
  | { kind: 'import-lingers'; import: string; ms: number }
  | { kind: 'few-processors'; server: string | null; threads: number; replicas: number; cpus: number }
  /** `mostProcesses`: what the open-files limit allows; null if that is not the constraint. */
  | { kind: 'group-in-turns'; cells: number; turns: number; freeBytes: number; mostProcesses: number | null }
  /** `why` is null if there is no home folder. */
  | { kind: 'keys-unremembered'; why: string | null }
  | { kind: 'keys-left'; prefix: string; why: string }
  | { kind: 'old-keys-left'; prefix: string; why: string }
  | { kind: 'old-keys-removed'; keys: number }
  | { kind: 'distance-unmeasured'; why: string }
  | CpuLimited
  | { kind: 'few-ports'; perMinute: number; ports: number }
  | { kind: 'waiting-for-ports'; taken: number; ports: number }
  | WakingFact
  | { kind: 'no-profile'; why: string }
  | { kind: 'profile-not-kept'; cell: string; why: string }
  | { kind: 'unfinished'; torn: boolean; runs: number };

/** What a wake-up costs, measured before the runs, or why processors are not kept awake. */
export type WakingFact = ({ kind: 'wake-up' } & WakeUpCost) | ({ kind: 'not-kept-awake' } & NotAwake);

export type RunWarning = RunWarnings[keyof RunWarnings];
export interface RunWarnings {
  common: CommonWarning;
}

type CommonWarning =
  | { kind: 'no-info'; why?: 'denied' | 'unknown' | 'uncounted' }
  /** `uncounted`: of 100 commands of the tool's own. */
  | { kind: 'server-miscounts'; uncounted: number }
  | { kind: 'cache-miscounted'; cached: number; claimed: number; missing: number }
  | { kind: 'command-miscounted'; command: string; claimed: number; counted: number }
  /** The server has no counts per command. */
  | { kind: 'commands-miscounted'; claimed: number; counted: number }
  | { kind: 'other-commands'; commands: Record<string, number> }
  | { kind: 'processor-taken' }
  | { kind: 'much-garbage' }
  | { kind: 'app-work-off'; more: boolean; beyondShare: number }
  | { kind: 'crowded'; processes: number; cpus: number }
  | { kind: 'stalled'; ms: number }
  | { kind: 'started-apart'; ms: number; beyondShare: number }
  | { kind: 'own-tail'; name: string; times: number }
  /** The run covers a part of a recording whose rate differs from the whole's. */
  | { kind: 'part-of-recording' }
  /** Relay: it added more delay than asked for; its buffer was full. */
  | { kind: 'farther-than-asked' }
  | { kind: 'narrow-line' }
  | { kind: 'kept-alive'; processes: number; of: number }
  | { kind: 'types-only'; command: string }
  /** `prepared`: whether the user had data stored. */
  | { kind: 'empty-replies'; command: string; prepared: boolean }
  /** The command takes away what it finds, or `reads` it. */
  | { kind: 'found-nothing'; command: string; empty: number; operations: number; reads?: true }
  | { kind: 'other-sizes'; all: number; commands: Record<string, number> }
  | { kind: 'transactions-left-out'; transactions: number }
  | { kind: 'evicted'; keys: number };

export type CellResult = Cell & CellDetails & CellConclusions;

interface CellConclusions {
  connections: number | null;
  runs: Run[];
  summary: Summary | null;
  roundTripUs?: number;
  /** Its server, or the one that is the same process; missing with a single server. */
  serverProcess?: string;
}

export type Report = ResultFacts & Ending & Conclusions;

interface Conclusions {
  cells: CellResult[];
  /** Missing if no group has a relay. */
  distances?: MeasuredDistance[];
  comparisons: Comparison[];
  findings: Finding[];
  choices: ChoiceRow[];
  assertions: Verdict[];
}

/** A report without its words; its warnings are only those of the benchmark itself. */
export type ReportData = Omit<Report, 'choices' | 'comparisons'> & {
  comparisons: GroupComparison[];
};

/** The lines of a saved result, in the order they are written: header, records, end. A report is computed from them. */
export type ResultLine = ResultHeader | ResultRecord | ResultEnd;

export type ResultRecord = PlannedRecord | DistanceRecord | CellRecord | RunRecord;

export interface Metric {
  id: string;
  /** Other names that assertions and --metric take. */
  aliases?: readonly string[];
  /** One sentence without its full stop, for `list`. */
  meaning: string;
  /** The head of its column in a page. */
  title: string;
  heading?: string;
  unit: string;
  better: 'more' | 'less' | null;
  /** The part of a run and of a summary that holds it; missing where it stands in the run itself. */
  in?: keyof Summary;
  /** What it is called there. */
  name: string;
  /** How a run's figure is computed from what workers measured; in `batching` only if there were batches. */
  from?: (measured: MadeFrom) => number | null;
  /** What is stored; missing where nothing is. */
  schema?: GenericSchema<number | null | undefined>;
  /** How it is read from a pass after the runs, which is no run. */
  ofPass?: (pass: Breakdown) => number | null;
  /** How it is read from a run, if not by its name. */
  of?: (figures: Figures) => number | null | undefined;
  /** How a cell's figure is made from its runs. `histogram`: of the merged histogram; null: runs do not have it. */
  fromRuns: 'median' | 'sum' | 'max' | 'histogram' | null;
  growsWithIterations?: boolean;
  /** A figure of fewer operations is stored, but not shown: a percentile would be the slowest of them. */
  fewest?: number;
  text?: (value: number | null | undefined, digits?: number) => string;
  /** Its title in each table that has a column of it. */
  tables?: Readonly<Record<string, string>>;
}

/**
 * A figure under its id. By default it has that as its name and its meaning as its title, is the median of the runs, and
 * less of it is better where it is a time or a number of bytes.
 */
export type FigureEntry = Omit<Metric, 'id' | 'name' | 'title' | 'better' | 'fromRuns'> &
  Partial<Pick<Metric, 'title' | 'better' | 'fromRuns'>> & { name?: NameInPart };

type Part = Extract<keyof Summary, keyof Run>;
type NameInPart = { [Name in Part]-?: keyof NonNullable<Summary[Name]> & string }[Part];

/** What the workers of a run measured, merged. */
export interface MadeFrom extends Pick<MeasuredRun, 'client' | 'elapsedMs' | 'openLoop'> {
  operations: number;
  batches: Record<'batches' | 'commands' | 'heldMs' | 'waitedMs', number>;
}

/** What `of` reads: runs and summaries have the same parts. */
export type Figures = Run | Summary;

export interface Figure {
  value: number;
  round: number;
  /** Absent in files from before cells had several starts. */
  start?: number;
  awake?: boolean;
  noise?: Noise;
}

/** How much the slices of a start vary, by the logarithms of their rates; one alone does not show it. */
export interface Noise {
  variance: number;
  degrees: number;
  slices: number;
}

/** What the successful runs of a cell come to. */
export interface Summary {
  runs: number;
  failedRuns: number;
  averageMs: number;
  spreadMs: number;
  elapsedMs: number;
  operations: number;
  commands: number;
  opsPerSecond: number;
  connections: number | null;
  cacheHitRate?: number | null;
  hitRate?: number | null;
  commandsPerSecond?: number | null;
  opsPerSecondLow: number;
  opsPerSecondHigh: number;
  /** Those of the medians, by metric id; null with fewer than two runs. */
  intervals: Record<string, Interval | null>;
  /** Shorter than what the tool sizes runs to. */
  tooShort: boolean;
  /** How much operations per second vary. */
  variation: number | null;
  latency: Latency | null;
  parts: RunPart[];
  answers: Answers | null;
  /** Missing where no run has it. */
  emitted?: Pick<Emitted, 'errors'>;
  lookups?: Omit<Lookups, 'hits' | 'misses'>;
  batching: Batching | null;
  openLoop: OpenLoopSummary | null;
  client: ClientCost;
  server: ServerCost;
  bottleneck: Bottleneck;
  /** How much it waited for CPU that other programs used; null if unknown. */
  waits: Waits | null;
  breakdown?: CellBreakdown;
}

export interface Interval {
  low: number;
  high: number;
  /** Its real confidence: 0.98 of 6 runs. */
  level: number;
}

export interface OpenLoopSummary extends Omit<OpenLoopRun, 'latencyFromSend'> {
  heldRuns: number;
  /** The p99 of the median run. */
  p99Us: number | null;
  p99UsFromSend?: number | null;
  latencyFromSend: Latency | null;
}

/** What limited a cell. */
export interface Bottleneck {
  /** Null where it is not known. */
  limit: 'client' | 'application' | 'server' | 'round-trips' | 'processor' | null;
  clientBusy: number;
  /** Null without work of the application's own. */
  appBusy: number | null;
  serverBusy: number | null;
  /** Processors that all threads used; missing where the main thread did the work. */
  serverThreads?: number;
  /** Where client and server share a processor. */
  clientCpu: number | null;
  sharedCore: boolean;
}

export interface Waits {
  slices: number;
  disturbed: number;
  repeats: number;
  waitedShare: number;
  stolenShare: number | null;
}

/** One figure per run of a cell, above 0. */
export type Sample = Figure[];

export interface Tested {
  by: 'starts' | null;
  comparisons: number;
  /** The most of a cell; absent where nothing was compared. */
  starts?: number;
  /**
   * The smallest difference that could be claimed, 0.08 for 8 %; if none was, for the pair that varies most. Null where not
   * even ten times as much could be.
   */
  tellsApart?: number | null;
  /** `not-compared`: the machine was too busy, or it was a smoke run. */
  reason: 'one-cell' | 'one-start' | 'open-loop' | 'not-compared' | null;
}
