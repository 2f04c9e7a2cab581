import type { AssertionResult, Comparison, Finding, GroupComparison, Summary } from '../analysis/types.js';
import type { Environment, Placement, PlacementNote } from '../machine/types.js';
import type { ClientProbe } from '../meters/types.js';
import type { Settings } from '../options/types.js';
import type { Cell, MemoryNeed, SkipReason } from '../plan/types.js';
import type { Account, Answers } from '../plugins/types.js';
import type { NoServerProfile, ServerFacts } from '../server/types.js';
import type { LeftOut } from '../traffic/types.js';
import type {
  FaultCrash,
  FoldedProfile,
  ProfileKind,
  ReceiverCall,
  RoundTrips,
  StaleReads,
} from '../worker/types.js';

/** What one process of a run did. */
export interface ProcessFigures {
  operations: number;
  /** Redis commands by name, in lower case. */
  calls: Record<string, number>;
  opsPerSecond: number;
  cpuUtilization: number;
  eventLoopUtilization: number;
  peakRssBytes: number;
  p99Us: number | null;
}

/** What one machine did of a run whose load came from agents. */
export interface MachineFigures {
  name: string;
  /** After the first machine of the run. */
  startedAfterMs: number;
  /** By how much its clock may be off, at most. */
  clockErrorMs: number;
  elapsedMs: number;
  operations: number;
  opsPerSecond: number;
  /** Of its workers. */
  cpuUtilization: number;
  latency: Latency | null;
}

/** A machine that brings load. */
export interface AgentFacts {
  name: string;
  /** The version of this tool there. */
  tool: string;
  node: string;
  packages: Record<string, string>;
  cpuModel: string;
  cpuCount: number;
  /** That a process may have; null where that is not known. */
  openFiles: number | null;
  /** The same for all agents of one machine. */
  machine: string;
  /** What is added to its monotonic clock to get that of the control Redis; at most so far off. */
  clock: { offsetMs: number; errorMs: number };
}

export interface Run {
  /** From 1; 0 if it failed before the first timed run. */
  round: number;
  /** Which life of the cell's worker it was made in, from 1; absent in files from before there were several. */
  start?: number;
  /** Average of the tasks' elapsed times. */
  averageMs: number | null;
  /** Slowest minus fastest task. */
  spreadMs: number | null;
  taskElapsedMs: number[];
  /** From the start of the first task to the end of the last. */
  elapsedMs: number | null;
  /** Iterations of all tasks. */
  operations: number;
  /** Redis commands in those. */
  commands: number;
  /** Replies to EXISTS; null if the workload sends none. */
  answers: Answers | null;
  opsPerSecond: number | null;
  /** Open during the run, or opened in it if the scenario does that. */
  connections: number | null;
  /** How old the replies were, where that is known. */
  staleReads?: StaleReads;
  /** Commands that the client answered out of its own cache; missing where it has none. */
  cacheHits?: number;
  latency: Latency | null;
  /** What it was made of, where that is distinguished; missing in older results. */
  parts?: RunPart[];
  /** Its slowest operations; missing without latencies, and in older results. */
  slowest?: Slowest;
  /** For pipelining explicit and window, where the tool makes the batches itself. */
  batching: Batching | null;
  /** null in a closed loop. */
  openLoop: OpenLoopRun | null;
  /** Of each worker process. */
  processes: ProcessFigures[];
  /** Of each machine, where the load came from agents. */
  machines?: MachineFigures[];
  /** How much later the last of them started than the first, in milliseconds. */
  startSkewMs?: number;
  client: ClientCost | null;
  /** What was left when it was over and its garbage collected; missing where it is not one of many at a rate. */
  settled?: NonNullable<ClientProbe['settled']>;
  server: ServerCost | null;
  /** How exact the relay was; missing where there was none. */
  relay?: RelayRun;
  /** What became of its operations while something broke; missing where nothing was meant to. */
  fault?: FaultRun;
  /** What its processes took, where each operation was one: medians; missing elsewhere. */
  cold?: ColdRun;
  /** The pieces in which it was executed; results of earlier versions do not have them. */
  slices?: Slice[];
  wrongReplies: number;
  /** How many operations failed, by cause. */
  errors: Record<string, number>;
  failed: string | null;
  /** What makes it doubtful, as data; missing where nothing does, and in results of earlier versions. */
  warningFacts?: RunWarning[];
  /** The same in words in a report, and sentences that were stored. */
  warnings: string[];
}

/** What is stored to be reported: data, whose words are made by report/words/fact-words.js. */
export type Fact = SkipReason | PlacementNote | RunWarning | Notice;

/** Facts about a whole benchmark, or about a cell before its runs; `why` is the text of an error. */
export type Notice =
  /** `own`: in the words of the option. */
  | { kind: 'option-weakened'; own: string[] }
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
  | { kind: 'script-blocks'; name: string }
  | { kind: 'few-processors'; server: string | null; threads: number; replicas: number; cpus: number }
  /** `mostProcesses`: by the open files that the tool may have; null where that is no limit. */
  | { kind: 'group-in-turns'; cells: number; turns: number; freeBytes: number; mostProcesses: number | null }
  /** `why` is null where there is no home folder. */
  | { kind: 'keys-unremembered'; why: string | null }
  | { kind: 'keys-left'; prefix: string; why: string }
  | { kind: 'old-keys-left'; prefix: string; why: string }
  | { kind: 'old-keys-removed'; keys: number }
  | { kind: 'distance-unmeasured'; why: string }
  | { kind: 'few-ports'; perMinute: number; ports: number }
  | { kind: 'waiting-for-ports'; taken: number; ports: number }
  | { kind: 'no-profile'; why: string }
  /** The timed runs have ended. */
  | { kind: 'counting'; source: CountedStart['source']; starts: number }
  /** No counters on this machine. */
  | { kind: 'no-counters'; why: string }
  /** Why cells have no counts, or what has failed of one. */
  | {
      kind: 'not-counted';
      reason: 'processes' | 'beside' | 'app-work' | 'waiting' | 'failed';
      cell: string | null;
      why: string | null;
    }
  | { kind: 'no-inspector'; node: string }
  | { kind: 'profile-not-kept'; cell: string; why: string }
  | { kind: 'unfinished'; torn: boolean; runs: number }
  | NoServerProfile
  | ReplayNote;

/** What of a recording a replay does not send as it was. */
export type ReplayNote =
  | { kind: 'replay-lacks'; file: string; missing: number; recorded: number; leftOut: LeftOut[] }
  | { kind: 'replay-transactions'; file: string; transactions: number; sent: number }
  | { kind: 'replay-unblocked'; file: string; commands: Record<string, number> }
  | { kind: 'replay-tasks'; file: string; tasks: number }
  | { kind: 'replay-beginning'; file: string; sent: number }
  | { kind: 'replay-sizes-assumed'; file: string };

export type RunWarning =
  | { kind: 'no-info' }
  | { kind: 'cache-miscounted'; cached: number; claimed: number; missing: number }
  | { kind: 'command-miscounted'; command: string; claimed: number; counted: number }
  /** Where the server does not count them one by one. */
  | { kind: 'commands-miscounted'; claimed: number; counted: number }
  | { kind: 'other-commands'; commands: Record<string, number> }
  | { kind: 'processor-taken' }
  | { kind: 'much-garbage' }
  | { kind: 'app-work-off'; more: boolean; beyondShare: number }
  | { kind: 'crowded'; processes: number; cpus: number }
  | { kind: 'stalled'; ms: number }
  /** Of several machines: they started so long, or so much of the run, apart; the tail is one's own. */
  | { kind: 'started-apart'; ms: number; beyondShare: number }
  | { kind: 'own-tail'; name: string; times: number }
  /** Background load came less often than it was asked for. */
  | { kind: 'late-company'; name: string }
  /** Of a recording with another rate than the whole. */
  | { kind: 'part-of-recording' }
  /** Of a relay: it added more than was asked for; more waited in it than it holds. */
  | { kind: 'farther-than-asked' }
  | { kind: 'narrow-line' }
  | { kind: 'late-fault'; ms: number }
  | { kind: 'stays-cold' }
  /** Fresh processes that did not end by themselves. */
  | { kind: 'kept-alive'; processes: number; of: number }
  /** What of its replies is not checked, or not sent. */
  | { kind: 'types-only'; command: string }
  | { kind: 'not-replayed'; command: string; why: string }
  | { kind: 'other-sizes'; all: number; commands: Record<string, number> }
  | { kind: 'transactions-left-out'; transactions: number }
  | { kind: 'evicted'; keys: number };

/** A piece of a run that was executed in one go. Slices of all cells of a group take turns. */
export interface Slice {
  elapsedMs: number;
  operations: number;
  /** Of the client, without what starting and ending the slice cost. */
  cpuUs: number;
  /** Of the server's main thread; null where it does not tell. */
  serverCpuUs: number | null;
  /** How long the worker's main thread waited for a processor of its own that others had; null where that is not known. */
  waitedMs: number | null;
  /** The server's main thread, likewise. */
  serverWaitedMs: number | null;
  /** Given to others by the hypervisor. */
  stolenMs: number | null;
  /** Of the worker; absent in files from before they were counted. */
  pageFaults?: number;
  /** Whether worker or server waited, or the hypervisor took their processors, for so long that its figures are theirs alone no more. */
  disturbed: boolean;
  /** How often it was run before and disturbed. */
  repeats: number;
}

/** A slice of one iteration of each task. */
export interface FixedCost {
  cpuUs: number;
  operations: number;
  counts: ClientProbe['counts'];
}

/** A part of the traffic of a run that is distinguished: a command of a mix. */
export interface RunPart {
  /** `GET@100kb` */
  name: string;
  /** Whether it is background load, and none of the measured operations. */
  company: boolean;
  count: number;
  perSecond: number;
  latency: Latency | null;
}

/** The slowest operations, of those in flight at the same time one, the slowest first. */
export interface Slowest {
  /** How long was looked for them, added up over processes. */
  watchedMs: number;
  operations: SlowOperation[];
  /** How much of that time things took, by what they are and how long they took at most. */
  covered: Record<string, Record<string, number>>;
}

export interface SlowOperation {
  ms: number;
  /**
   * What happened meanwhile: `garbage`, `busy` (the event loop), `cpu` (it had none), `reply` and the name of a large
   * reply or of background load, `server` and the name of a slow command. Of that it is known that, not when.
   */
  during: { what: string; fromMs: number; ms: number }[];
}

/** What round trips of a run took longer in the relay than was asked of it, request and reply together. */
export interface RelayRun {
  roundTrips: number;
  /** null without any. */
  lateP50Us: number | null;
  lateP99Us: number | null;
  /** How often it stopped reading, because too much waited in it. */
  pauses: number;
}

/** What a PING takes before the first run of a group that has a relay. */
export interface MeasuredDistance {
  group: string;
  /** To which server, and the cells that are measured on it; missing where there is one only. */
  server?: string;
  cells?: string[];
  /** To the server itself. */
  direct: RoundTrips;
  /** Through a relay without delay: what it costs. */
  undelayed: RoundTrips;
  /** At the distance that was asked for. */
  distant: RoundTrips;
  /** The same to a replica, where that is at another distance. */
  replica?: { direct: RoundTrips; distant: RoundTrips };
}

/** An operation of a run with a fault; times are since the start. */
export interface FaultOperation {
  scheduledMs: number;
  /** When its caller got a result or an error; null for never. */
  atMs: number | null;
  /** The error that its caller got; null where it was done, or the caller got nothing. */
  cause: string | null;
  /** Where its reply was not right: whether it said that there is nothing. */
  wrong?: 'value' | 'nothing';
  /** How often it was done, by the server's data; null where that does not tell. */
  times: number | null;
  /** Of a message, in this order; missing where it came nowhere. */
  arrivals?: FaultArrival[];
  /** When the server took the message, as its sender was told; null where it was not told, missing where it is none. */
  acceptedMs?: number | null;
}

/** That a message came to one of its receivers. */
export interface FaultArrival {
  receiver: number;
  atMs: number;
}

/** What a process did while something broke, and what it left on the server. */
export interface FaultLog {
  /** By their numbers. */
  operations: Map<number, Omit<FaultOperation, 'times'>>;
  /** To which each was sent as a message; none for other workloads. */
  receivers: number;
  /** Of messages that nobody sent. */
  unknownArrivals: number;
  /** How often each was done, by the server's data; null where that does not tell. */
  times: Map<number, number | null> | null;
  scheduled: number;
  dropped: number;
  unsent: number;
  elapsedMs: number;
  /** Memory at first, and at its largest. */
  firstRssBytes: number;
  rssBytes: number;
  /** null where it did not live to tell. */
  loopDelayMaxMs: number | null;
  crash: FaultCrash | null;
  /** What it used, and the commands that it claims; null where it did not live to tell. */
  client: ClientProbe | null;
  calls: Record<string, number> | null;
  longestCall: ReceiverCall | null;
}

/** What the nodes of a cluster counted in a run. */
export type Redirections = Pick<FaultRun, 'moved' | 'asked' | 'redirectedMs' | 'slotRefreshes'>;

/** What a run with a fault was meant to be; times are since its start. */
export interface FaultSetting {
  durationMs: number;
  sloMs: number;
  /** What is known of an operation: its reply, which is all there is to know of one that only reads, or by the server's data whether it was done, or how often. */
  proves: 'reads' | 'replies' | Account['proves'];
  /** In which nothing was sent; of no length where there was none. */
  pause: { atMs: number; ms: number };
  /** null where nothing was to break. */
  strike: {
    struckAtMs: number;
    /** How much later than it was meant to. */
    lateMs: number;
    overAtMs: number;
    /** What was acknowledged before, a server had whose data is gone. */
    freshFromMs: number | undefined;
    /** When the first Sentinel named another primary. */
    promotedAtMs?: number;
    met: number;
  } | null;
  /** Of a cluster. */
  cluster?: Redirections & Pick<FaultRun, 'connectMs'>;
}

/** What fresh processes took to their first reply, by parts: the medians of a run. */
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

/**
 * What became of the operations of a run while something broke. Times are from the fault, or from the end of the pause,
 * where nothing else is said; those since the start leave the pause out.
 */
export interface FaultRun {
  /** Since the start of the run; null where nothing was to break, as all that follows from it. */
  struckAtMs: number | null;
  /** How much later it struck than it was meant to. */
  struckLateMs: number | null;
  /** When the server was as before, since the start of the run. */
  overAtMs: number | null;
  /** Until the first Sentinel named another primary; missing where none did. */
  promotedMs?: number;
  /** How many connections it met, or writes, servers or slots. */
  met: number | null;
  scheduled: number;
  acknowledged: number;
  failed: number;
  /** Of those acknowledged, how many came too late for --slo. */
  late: number;
  /** Callers that got nothing until the end. */
  unanswered: number;
  /** Never given to the client: at the bound, or after its end. */
  unsent: number;
  /** Until the first operation that began after the fault was done; null for never. */
  firstSuccessMs: number | null;
  /** What the first caller after a pause waited for an answer of any kind; null for ever, missing without a pause. */
  firstCallMs?: number | null;
  /** The error that it got; null for none. */
  firstCallError?: string | null;
  /** Commands that nodes of a cluster sent elsewhere: for good, or this time. */
  moved?: number;
  asked?: number;
  /** From the first of those to the last; null where there were none. */
  redirectedMs?: number | null;
  /** How often clients asked a cluster for its slots, as Redis 7 and later count it. */
  slotRefreshes?: number;
  /** What it took to open the connections, where the first seed was dead. */
  connectMs?: number;
  /** Until operations were answered in time again, and no outage followed; null for never. */
  heldAgainMs: number | null;
  /** That a caller waited for an answer of any kind. */
  longestWaitMs: number;
  /** Whether that answer came before the end of the run. */
  longestWaitAnswered: boolean;
  /** What the following counts come from; missing in older results, which had `repeats`. */
  proves?: FaultSetting['proves'];
  /** Whose replies were wrong; missing in older results. */
  wrong?: number;
  /** Operations that the data has more than once; null where it does not tell, as what follows. */
  doneTwice: number | null;
  /** Acknowledged, and not in the data. */
  lost: number | null;
  /** Until the last of them was acknowledged; missing where none was lost. */
  lastLostMs?: number;
  /** The same, or read and not found, because the server lost its data. */
  lostWithServer: number;
  /** Of which the data has a part; missing where they have none. */
  doneInPart?: number;
  /** Messages that the server took and still had at the end; missing for other workloads, as what follows. */
  undelivered?: number;
  /** Taken by the fault on their way: published while a subscriber was away, or just popped; missing where the server keeps all. */
  missed?: number;
  /** That came after others that were sent later. */
  outOfOrder?: number;
  /** Until each receiver had a message that was sent after the fault; null for never, missing where none was taken then. */
  receiverBackMs?: number | null;
  /** The longest that a receiver waited for a command that should have ended; missing where none took longer. */
  blocked?: ReceiverCall;
  /** In the data, though their callers got an error, or nothing. */
  doneThoughFailed: number | null;
  doneThoughUnanswered: number | null;
  loopDelayMaxMs: number | null;
  memoryGrowthBytes: number;
  /** What would have ended an application, or has ended the worker; null where it lives. */
  crash: FaultCrash | null;
  timeline: FaultTimeline;
}

/** Counts of operations in each piece of a run's time. */
export interface FaultTimeline {
  bucketMs: number;
  /** By when they were meant to start; and how many of those were done in time. */
  due: number[];
  inTime: number[];
  /** By when their callers got a result or an error. */
  acknowledged: number[];
  failed: number[];
  /** At the end of each piece. */
  waiting: number[];
}

/** Of operations, in microseconds. */
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

/** How an open loop kept to its schedule. Its run's `latency` counts from the scheduled start. */
export interface OpenLoopRun {
  intendedPerSecond: number;
  /** Whether the intended rate was acknowledged, with nothing dropped and the p99 within the SLO. */
  held: boolean;
  /** Acknowledged operations over the time from the start until the last was sent, a backlog included. */
  achievedPerSecond: number;
  scheduled: number;
  sent: number;
  acknowledged: number;
  dropped: number;
  failed: number;
  /** Operations that had to wait at the bound. */
  waited: number;
  /** Not sent before the end of the run. */
  unsent: number;
  /** Most operations in flight at once; for several processes, the sum of their maxima. */
  inFlightMax: number;
  /** From the scheduled start to the sending. */
  latenessP99Us: number | null;
  latenessMaxUs: number | null;
  /** Shares of all lateness: waiting at the bound, a busy event loop, and the tool's own pacing. */
  latenessShares: Record<'bound' | 'loop' | 'pacing', number>;
  /** Share of the time that the event loop only waited for something to be due. */
  waitingShare: number;
  /** Latency from sending, as a closed loop would see it. */
  latencyFromSend: Latency | null;
}

/** The batches in which commands went out. */
export interface Batching {
  batches: number;
  commandsPerBatch: number;
  largestBatch: number;
  /** How long a batch stayed open, from its first command until it was sent: the real window. */
  heldUs: number;
  longestHeldUs: number;
  /** The part of the client's CPU that went into looking at the clock. */
  waitingUsPerOp: number;
}

/**
 * Of the client itself, without the application's own work: the metrics in `client`, which say what each is. Those that
 * older results lack may be missing.
 */
export interface ClientCost {
  cpuUsPerOp: number | null;
  cpuUtilization: number | null;
  eventLoopUtilization: number;
  appWorkUsPerOp?: number | null;
  eventLoopDelayP99Us?: number | null;
  gcCount: number;
  gcPauseMs: number;
  allocatedBytesPerOp: number | null;
  peakRssBytes: number;
  [metric: string]: number | null | undefined;
}

export interface ServerCost {
  commands: number | null;
  reads: number | null;
  writes: number | null;
  /** The batching that really happened. */
  commandsPerRead: number | null;
  /** Of the main thread. */
  cpuUsPerCommand: number | null;
  /** Of all threads: with io-threads others work too; missing in older results. */
  allThreadsCpuUsPerCommand?: number | null;
  /** How often its main thread went to sleep; missing in older results, and where it was not seen. */
  sleepsPerCommand?: number | null;
  /** Processors in use, on average; of a cluster by all nodes together. */
  cpuUtilization: number | null;
  /** That of the busiest node, replicas included; the same for a standalone server. */
  busiestNodeUtilization: number | null;
  connections: number | null;
  netInputBytes: number | null;
  netOutputBytes: number | null;
  /** Redirections by a cluster; null if it does not report them. */
  moved: number | null;
  asked: number | null;
  /** Of each node of a cluster. */
  nodes: NodeCost[] | null;
  /** Of each replica; missing where there are none, as are the next two. CPU next to these is that of the primaries. */
  replicas?: NodeCost[];
  /** Processors in use by all replicas together. */
  replicaUtilization?: number | null;
  /** Of the commands that only read, the part that replicas answered. */
  replicaReadShare?: number | null;
}

export interface NodeCost {
  /** host:port */
  node: string;
  commands: number | null;
  cpuUtilization: number | null;
}

/** What is known of a cell after its warm-up. */
export interface CellDetails {
  /** Of each task; null in runs of a fixed time. */
  iterations: number | null;
  effectiveOptions: Record<string, unknown>;
  /** false where it was still becoming faster when the warm-up had to end. */
  warm?: boolean;
  /** Where its time goes, and its memory; only of what was asked for, and in the record that follows its last run. */
  profiles?: CellProfiles;
  /** Starts of their own, after the timed ones; missing where nothing was counted. */
  counted?: CountedStart[];
}

export interface CellResult extends Cell, CellDetails {
  connections: number | null;
  runs: Run[];
  summary: Summary | null;
  /** Of its external server, from ServerFacts. */
  roundTripUs?: number;
  /** The name of its server, or of the one that is the same process; missing where there is one server. */
  serverProcess?: string;
}

/** Of the settings what a report is made with. */
export interface StoredSettings
  extends Pick<Settings, 'runs' | 'warmupRuns' | 'runTimeMs' | 'iterations' | 'value' | 'keyDistribution'>,
    Pick<Settings, 'oneSlot' | 'assert' | 'assertStrict' | 'smoke'> {
  /** Absent in files from before there were several. */
  starts?: Settings['starts'];
  /** In percent; null if the number of runs was fixed. */
  untilStable: number | null;
  /** How long a map may take; absent where it is none. */
  budgetMs?: number;
  durationMs: number | null;
}

/** What is known before the first run. */
export interface ResultFacts {
  schemaVersion: 1;
  tool: { name: string; version: string };
  startedAt: string;
  seed: number;
  /** `format` is the one it is printed in by default. */
  suite: { id: string; title: string; format: string };
  settings: StoredSettings;
  environment: Environment;
  /** Missing where the load came from this machine. */
  agents?: AgentFacts[];
  /** The first of the servers. */
  server: ServerFacts;
  /** One for each topology that was measured. */
  servers: ServerFacts[];
  placements: Placement[];
}

/** What is known after the last run. */
export interface Ending {
  finishedAt: string;
  /** Whether the benchmark ended before its last run. */
  partial: boolean;
  failure: string | null;
  /** What to know besides, as data; missing in results of earlier releases. */
  warningFacts?: Notice[];
  /** The same in words in a report, with those of findings, and sentences that were stored. */
  warnings: string[];
}

export interface Report extends ResultFacts, Ending {
  cells: CellResult[];
  /** Missing where no group has a relay. */
  distances?: MeasuredDistance[];
  comparisons: Comparison[];
  /** All conclusions as data; `advice`, `details`, `warnings` and the sentences of `comparisons` are made from them. */
  findings: Finding[];
  /** The first lines: what to do, how much it brings, how sure that is, and the conditions. */
  advice: string[];
  /** The technical side of those: the tests, and what was not measured. */
  details: string[];
  assertions: AssertionResult[];
}

/** A report before it has words; its warnings are only those of the benchmark itself. */
export type ReportData = Omit<Report, 'advice' | 'details' | 'comparisons'> & {
  comparisons: GroupComparison[];
};

/** A file of the history. */
export interface SavedResult {
  file: string;
  /** null where the file is damaged. */
  header: ResultHeader | null;
  /** How many were recorded, failed ones included. */
  runs: number;
  /** Whether the benchmark finished. */
  complete: boolean;
}

/**
 * The lines of a saved result in the order they are written: a header, what is measured, and the end.
 * A report is a function of them.
 */
export type ResultLine = ResultHeader | ResultRecord | ResultEnd;

export interface ResultHeader extends ResultFacts {
  type: 'header';
  /** Skipped ones included. */
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

/** A start in which instructions were counted; it has no times. */
export interface CountedStart {
  /** From 1. */
  start: number;
  /** By the processor's counters, or by valgrind, which executes each instruction. */
  source: 'perf' | 'valgrind';
  counted: InstructionCounts;
  /** Slices of one iteration of each task, and those from which the figures are made. */
  fixed: CountedSlice[];
  slices: CountedSlice[];
}

/** Instructions of all threads of the worker: the metrics in `counted`. */
export interface InstructionCounts {
  instructionsPerOp: number | null;
  instructionsPerCommand: number | null;
  /** null where the kernel's cannot be counted. */
  kernelInstructionsPerOp: number | null;
  /** While it was counted; null where the server does not tell. */
  commandsPerRead: number | null;
}

export interface CountedSlice {
  operations: number;
  instructions: number;
  kernelInstructions: number | null;
}

export type CellProfiles = Partial<Record<CostKind, CellProfile>>;

/** What was sampled: the client's CPU time or its memory, or the CPU time of the server's main thread. */
export type CostKind = ProfileKind | 'server';

/** A profiled run, which is none of the timed ones. */
export interface CellProfile extends FoldedProfile {
  elapsedMs: number;
  /** Commands, in a profile of the server. */
  operations: number;
  /** Of the profiled run, without the thread that takes the samples; of the server, by its own figures. */
  cpuUsPerOp: number;
  /** Of its CPU time, how much the kernel took. */
  systemShare: number;
  /** Of the cell; the samples are those of the first. Of a server its nodes, of which all are sampled. */
  processes: number;
}

export interface RunRecord {
  type: 'run';
  /** The id of its cell. */
  cell: string;
  /** When it ended. */
  at: string;
  run: Run;
}

export interface ResultEnd extends Ending {
  type: 'end';
}
