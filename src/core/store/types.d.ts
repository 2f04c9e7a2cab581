import type {
  AssertionResult,
  ChoiceRow,
  Comparison,
  Finding,
  GroupComparison,
  Summary,
} from '../../benchmark/judge/types.js';
import type { Settings } from '../../options/types.js';
import type { LeftOut } from '../../traffic/types.js';
import type {
  CpuLimited,
  Environment,
  NotAwake,
  Placement,
  PlacementNote,
  WakeUpCost,
} from '../machine/types.js';
import type { Cell, MemoryNeed, SkipReason } from '../plan/types.js';
import type { Account, Answers } from '../plugins/types.js';
import type { ServerFacts } from '../server/types.js';
import type { ClientProbe } from '../worker/meters/types.js';
import type { FaultCrash, FoldedProfile, ProfileKind, RoundTrips } from '../worker/types.js';

export interface ProcessFigures {
  operations: number;
  /** By command name, in lower case. */
  calls: Record<string, number>;
  opsPerSecond: number;
  cpuUtilization: number;
  eventLoopUtilization: number;
  peakRssBytes: number;
  p99Us: number | null;
}

export interface MachineFigures {
  name: string;
  /** After the run's first machine. */
  startedAfterMs: number;
  clockErrorMs: number;
  elapsedMs: number;
  operations: number;
  opsPerSecond: number;
  cpuUtilization: number;
  latency: Latency | null;
}

export interface AgentFacts {
  name: string;
  tool: string;
  node: string;
  packages: Record<string, string>;
  cpuModel: string;
  cpuCount: number;
  /** The limit per process; null if unknown. */
  openFiles: number | null;
  /** Identifies the machine: equal for all of its agents. */
  machine: string;
  /** Added to its monotonic clock, `offsetMs` gives the control Redis time, to within `errorMs`. */
  clock: { offsetMs: number; errorMs: number };
}

export interface Run {
  /** From 1; 0 if it failed before the first timed run. */
  round: number;
  /** Which start of the cell's worker, from 1. */
  start: number;
  /** Whether the processors were kept awake; missing where they could sleep. */
  awake?: boolean;
  averageMs: number | null;
  /** Slowest minus fastest task. */
  spreadMs: number | null;
  taskElapsedMs: number[];
  /** From the start of the first task to the end of the last. */
  elapsedMs: number | null;
  operations: number;
  commands: number;
  /** Replies to EXISTS; null if the workload sends none. */
  answers: Answers | null;
  opsPerSecond: number | null;
  /** Open during the run, or opened in it by scenarios that do so. */
  connections: number | null;
  /** Commands answered from the client's own cache; missing without one. */
  cacheHits?: number;
  latency: Latency | null;
  /** Missing where only counts are known, as of faults. */
  parts?: RunPart[];
  /** Only for pipelining explicit and window, where the tool itself makes the batches. */
  batching: Batching | null;
  /** null in a closed loop. */
  openLoop: OpenLoopRun | null;
  processes: ProcessFigures[];
  /** Only where agents generated the load. */
  machines?: MachineFigures[];
  startSkewMs?: number;
  client: ClientCost | null;
  server: ServerCost | null;
  /** How exact the relay was; missing without one. */
  relay?: RelayRun;
  fault?: FaultRun;
  /** Only where each operation was a fresh process. */
  cold?: ColdRun;
  /** Missing where a run is in one piece, as with faults. */
  slices?: Slice[];
  wrongReplies: number;
  /** Failed operations by cause. */
  errors: Record<string, number>;
  failed: string | null;
  /** Warnings as data; missing if there are none. */
  warningFacts?: RunWarning[];
  /** The same in words. */
  warnings: string[];
}

/** Stored as data; report/words/fact-words.js puts it into words. */
export type Fact = SkipReason | PlacementNote | RunWarning | Notice;

/** About a whole benchmark, or a cell before its runs; `why` is the text of an error. */
export type Notice =
  | { kind: 'option-unknown'; source: string; clients: string[]; option: string }
  | { kind: 'agent-node'; agent: string; node: string; here: string }
  | { kind: 'agent-package'; agent: string; package: string; version: string; here: string | null }
  | { kind: 'agent-silent'; agent: string }
  | { kind: 'agent-refuses'; why: string }
  | { kind: 'memory-unknown' }
  | (MemoryNeed & {
      kind: 'memory-small';
      bytes: number;
      usedBytes: number;
      maxBytes: number;
      policy: string;
    })
  | { kind: 'command-grows'; command: string; bytes: number }
  | { kind: 'certificate-unverified'; server: string }
  | { kind: 'writes-copied'; aof: boolean; rdb: boolean; replicas: number }
  | { kind: 'one-key' }
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
  | { kind: 'no-inspector'; node: string }
  | { kind: 'profile-not-kept'; cell: string; why: string }
  | { kind: 'unfinished'; torn: boolean; runs: number }
  | ReplayNote;

/** What a wake-up costs, measured before the runs, or why processors are not kept awake. */
export type WakingFact = ({ kind: 'wake-up' } & WakeUpCost) | ({ kind: 'not-kept-awake' } & NotAwake);

export type ReplayNote =
  | { kind: 'replay-lacks'; file: string; missing: number; recorded: number; leftOut: LeftOut[] }
  | { kind: 'replay-transactions'; file: string; transactions: number; sent: number }
  | { kind: 'replay-unblocked'; file: string; commands: Record<string, number> }
  | { kind: 'replay-tasks'; file: string; tasks: number }
  | { kind: 'replay-beginning'; file: string; sent: number };

export type RunWarning =
  | { kind: 'no-info'; why?: 'denied' | 'unknown' }
  | { kind: 'cache-miscounted'; cached: number; claimed: number; missing: number }
  | { kind: 'command-miscounted'; command: string; claimed: number; counted: number }
  /** For a server without counts per command. */
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
  | { kind: 'late-fault'; ms: number }
  | { kind: 'kept-alive'; processes: number; of: number }
  | { kind: 'types-only'; command: string }
  /** `prepared`: whether the user had data stored. */
  | { kind: 'empty-replies'; command: string; prepared: boolean }
  | { kind: 'not-replayed'; command: string; why: string }
  | { kind: 'other-sizes'; all: number; commands: Record<string, number> }
  | { kind: 'transactions-left-out'; transactions: number }
  | { kind: 'evicted'; keys: number };

/** A part of a run, executed in one go. The cells of a group alternate slice by slice. */
export interface Slice {
  elapsedMs: number;
  operations: number;
  /** The client's, without the cost of starting and ending the slice. */
  cpuUs: number;
  /** How long the worker's main thread waited for CPU that other programs used; null if unknown. */
  waitedMs: number | null;
  serverWaitedMs: number | null;
  /** CPU steal. */
  stolenMs: number | null;
  /** Whether waiting for CPU and CPU steal took too large a share (method.js). */
  disturbed: boolean;
  /** How many disturbed attempts preceded it. */
  repeats: number;
}

/** Measured on a slice of one iteration per task. */
export interface FixedCost {
  cpuUs: number;
  operations: number;
  contextSwitches: ClientProbe['contextSwitches'];
}

/** A command of a mix, reported separately. */
export interface RunPart {
  /** Such as `GET@100kb`. */
  name: string;
  count: number;
  perSecond: number;
  latency: Latency | null;
}

/** Delay beyond what was asked of the relay, request and reply together. */
export interface RelayRun {
  /** null without round trips. */
  lateP50Us: number | null;
  lateP99Us: number | null;
  /** How often it stopped reading because its buffer was full. */
  pauses: number;
}

/** PING times before the first run of a group that has a relay. */
export interface MeasuredDistance {
  group: string;
  /** The server and the cells measured on it; missing with a single server. */
  server?: string;
  cells?: string[];
  direct: RoundTrips;
  /** Through a relay without delay: its overhead. */
  undelayed: RoundTrips;
  distant: RoundTrips;
}

/** An operation of a run with a fault. Times are since the start. */
export interface FaultOperation {
  scheduledMs: number;
  /** When the caller got a result or an error; null for never. */
  atMs: number | null;
  /** The error that the caller got; null if it succeeded or got no reply. */
  cause: string | null;
  /** Only for a wrong reply: `nothing` if it said that nothing was there. */
  wrong?: 'value' | 'nothing';
  /** How often it was executed, by the server's data; null if that does not show it. */
  times: number | null;
}

/** What one process did in a run with a fault, and what it left on the server. */
export interface FaultLog {
  operations: Map<number, Omit<FaultOperation, 'times'>>;
  /** How often each was executed, by the server's data; null if that does not show it. */
  times: Map<number, number | null> | null;
  scheduled: number;
  dropped: number;
  unsent: number;
  elapsedMs: number;
  /** `rssBytes` is the largest. */
  firstRssBytes: number;
  rssBytes: number;
  /** null if the process died first, as for `client` and `calls`. */
  loopDelayMaxMs: number | null;
  crash: FaultCrash | null;
  client: ClientProbe | null;
  calls: Record<string, number> | null;
}

/** The setting of a run with a fault. Times are since its start. */
export interface FaultSetting {
  durationMs: number;
  sloMs: number;
  /** How operations are checked: by their replies only, or by what the server's data shows. */
  proves: 'reads' | 'replies' | Account['proves'];
  /** `ms` is 0 without a pause. */
  pause: { atMs: number; ms: number };
  /** null if no fault was planned. */
  strike: {
    struckAtMs: number;
    lateMs: number;
    overAtMs: number;
    /** When the server lost its data: what was acknowledged before is gone. */
    freshFromMs: number | undefined;
    promotedAtMs?: number;
    met: number;
  } | null;
}

/** Medians over the fresh processes of a run, up to the first reply. */
export interface ColdRun {
  firstReplyMs: number | null;
  startMs: number | null;
  importMs: number | null;
  connectMs: number | null;
  replyMs: number | null;
  cpuMs: number | null;
  startCpuMs: number | null;
  importCpuMs: number | null;
  connectCpuMs: number | null;
  replyCpuMs: number | null;
  modules: number | null;
  rssBytes: number | null;
  installedBytes: number | null;
}

/** A run with a fault. Times count from it (or the end of the pause); those "since the start" exclude the pause. */
export interface FaultRun {
  /** Since the start; null if no fault was planned, like all that depends on it. */
  struckAtMs: number | null;
  struckLateMs: number | null;
  /** When the server was back to normal, since the start. */
  overAtMs: number | null;
  /** Until the first Sentinel named another primary; missing if none did. */
  promotedMs?: number;
  /** Connections, writes or servers that the fault hit. */
  met: number | null;
  scheduled: number;
  acknowledged: number;
  failed: number;
  /** Acknowledged too late for --slo. */
  late: number;
  /** Callers without a result or an error at the end. */
  unanswered: number;
  /** Never given to the client: --max-in-flight was reached, or the worker had ended. */
  unsent: number;
  /** Until the first success of an operation that began after the fault; null for never. */
  firstSuccessMs: number | null;
  /** The first caller's wait after a pause, for a result or an error; null for never, missing without a pause. */
  firstCallMs?: number | null;
  firstCallError?: string | null;
  /** Until operations were in time again with no later outage; null for never. */
  heldAgainMs: number | null;
  longestWaitMs: number;
  longestWaitAnswered: boolean;
  /** The source of the counts below. */
  proves: FaultSetting['proves'];
  /** Wrong replies. */
  wrong: number;
  /** Executed more than once; null, like the counts below, if the data does not show it. */
  doneTwice: number | null;
  lost: number | null;
  /** Until the last lost one was acknowledged; missing if none was lost. */
  lastLostMs?: number;
  /** Lost, or read and not found, because the server lost its data. */
  lostWithServer: number;
  /** Only partly in the data; missing if there are none. */
  doneInPart?: number;
  /** In the data, although the caller got an error or nothing. */
  doneThoughFailed: number | null;
  doneThoughUnanswered: number | null;
  loopDelayMaxMs: number | null;
  memoryGrowthBytes: number;
  /** What ended the worker or would have ended an application; null if nothing did. */
  crash: FaultCrash | null;
  timeline: FaultTimeline;
}

export interface FaultTimeline {
  bucketMs: number;
  /** By scheduled start; `inTime` counts those done in time. */
  due: number[];
  inTime: number[];
  /** By the time of the result or error. */
  acknowledged: number[];
  failed: number[];
  waiting: number[];
}

export interface Latency {
  count: number;
  minUs: number;
  meanUs: number;
  p50Us: number;
  p90Us: number;
  p99Us: number;
  p999Us: number;
  maxUs: number;
  /** HdrHistogram of nanoseconds, compressed, in base64. */
  hdr: string;
}

/** An open loop. The run's `latency` counts from the scheduled start. */
export interface OpenLoopRun {
  intendedPerSecond: number;
  /** Whether the intended rate was sustained, with nothing dropped and the p99 within the SLO. */
  held: boolean;
  /** Acknowledged operations over the time until the last was sent, backlog included. */
  achievedPerSecond: number;
  scheduled: number;
  acknowledged: number;
  dropped: number;
  failed: number;
  /** Operations delayed by --max-in-flight. */
  waited: number;
  unsent: number;
  /** With several processes, the sum of their maxima. */
  inFlightMax: number;
  /** From the scheduled start to sending. */
  latenessP99Us: number | null;
  /** Share of the time in which the event loop only waited for the next operation to be due. */
  waitingShare: number;
  latencyFromSend: Latency | null;
}

export interface Batching {
  commandsPerBatch: number;
  /** From the first command of a batch until it was sent: the real window. */
  heldUs: number;
  /** Client CPU spent on reading the clock. */
  waitingUsPerOp: number;
}

/** The client's own cost, without application work. The metrics in `client` describe each figure. */
export interface ClientCost {
  cpuUsPerOp: number | null;
  cpuUtilization: number | null;
  eventLoopUtilization: number;
  appWorkUsPerOp?: number | null;
  eventLoopDelayP99Us?: number | null;
  gcPauseMs: number;
  allocatedBytesPerOp: number | null;
  peakRssBytes: number;
  [metric: string]: number | null | undefined;
}

export interface ServerCost {
  commands: number | null;
  commandsPerRead: number | null;
  /** Main thread only. */
  cpuUsPerCommand: number | null;
  /** With io-threads, other threads work too. */
  allThreadsCpuUsPerCommand: number | null;
  /** Sleeps of the main thread; missing if not observed. */
  sleepsPerCommand?: number | null;
  /** CPUs in use on average, summed over the nodes of a cluster. */
  cpuUtilization: number | null;
  /** Replicas included. */
  busiestNodeUtilization: number | null;
  connections: number | null;
  netInputBytes: number | null;
  netOutputBytes: number | null;
  /** MOVED and ASK redirections; null if the cluster does not report them. */
  moved: number | null;
  asked: number | null;
  nodes: NodeCost[] | null;
  /** Missing, like the next two, without replicas. CPU figures above are those of the primaries. */
  replicas?: NodeCost[];
  replicaUtilization?: number | null;
  /** Share of the read-only commands that replicas answered. */
  replicaReadShare?: number | null;
}

export interface NodeCost {
  /** host:port */
  node: string;
  commands: number | null;
  cpuUtilization: number | null;
}

export interface CellDetails {
  /** Per task; null in runs of a fixed time. */
  iterations: number | null;
  effectiveOptions: Record<string, unknown>;
  /** false if it was still getting faster when the warm-up ended. */
  warm?: boolean;
  /** Only what was asked for, and only in the record after the cell's last run. */
  profiles?: CellProfiles;
}

export interface CellResult extends Cell, CellDetails {
  connections: number | null;
  runs: Run[];
  summary: Summary | null;
  /** To its external server, from ServerFacts. */
  roundTripUs?: number;
  /** Its server, or the one that is the same process; missing with a single server. */
  serverProcess?: string;
}

export interface StoredSettings
  extends Pick<Settings, 'runs' | 'warmupRuns' | 'runTimeMs' | 'iterations' | 'value' | 'keyDistribution'>,
    Pick<Settings, 'oneSlot' | 'assert' | 'assertStrict' | 'smoke'> {
  starts: Settings['starts'];
  /** In percent; null if the number of runs was fixed. */
  untilStable: number | null;
  /** Whether cells near the best got more starts; missing where all got as many. */
  races?: boolean;
  durationMs: number | null;
}

export interface ResultFacts {
  schemaVersion: 2;
  tool: { name: string; version: string };
  startedAt: string;
  seed: number;
  /** `format`: the default for printing. */
  suite: { id: string; title: string; format: string };
  settings: StoredSettings;
  environment: Environment;
  /** Missing if this machine generated the load. */
  agents?: AgentFacts[];
  server: ServerFacts;
  /** One per topology. */
  servers: ServerFacts[];
  placements: Placement[];
  /** Missing where processors were not to be kept awake. */
  waking?: WakingFact;
}

export interface Ending {
  finishedAt: string;
  partial: boolean;
  failure: string | null;
  /** Warnings as data. */
  warningFacts: Notice[];
  /** The same in words, with those of findings. */
  warnings: string[];
}

export interface Report extends ResultFacts, Ending {
  cells: CellResult[];
  /** Missing if no group has a relay. */
  distances?: MeasuredDistance[];
  comparisons: Comparison[];
  /** All conclusions as data. */
  findings: Finding[];
  /** What to choose. */
  choices: ChoiceRow[];
  assertions: AssertionResult[];
}

/** A report without its words; its warnings are only those of the benchmark itself. */
export type ReportData = Omit<Report, 'choices' | 'comparisons'> & {
  comparisons: GroupComparison[];
};

export interface SavedResult {
  file: string;
  /** null if the file is damaged. */
  header: ResultHeader | null;
  /** Failed runs included. */
  runs: number;
  complete: boolean;
}

/** The lines of a saved result, in the order they are written: header, records, end. A report is computed from them. */
export type ResultLine = ResultHeader | ResultRecord | ResultEnd;

export interface ResultHeader extends ResultFacts {
  type: 'header';
  /** Skipped cells included. */
  cells: Cell[];
}

export type ResultRecord = PlannedRecord | DistanceRecord | CellRecord | RunRecord;

/** A cell that is not in the header: the next step of a search. */
export interface PlannedRecord {
  type: 'planned';
  cell: Cell;
}

export interface DistanceRecord extends MeasuredDistance {
  type: 'distance';
}

export interface CellRecord extends CellDetails {
  type: 'cell';
  /** Its id. */
  cell: string;
}

export type CellProfiles = Partial<Record<ProfileKind, CellProfile>>;

/** A profiled run, separate from the timed ones. */
export interface CellProfile extends FoldedProfile {
  elapsedMs: number;
  operations: number;
  /** Without the sampling thread. */
  cpuUsPerOp: number;
  /** Of the cell; the first is sampled. */
  processes: number;
}

export interface RunRecord {
  type: 'run';
  /** The id of its cell. */
  cell: string;
  at: string;
  run: Run;
}

export interface ResultEnd extends Ending {
  type: 'end';
}
