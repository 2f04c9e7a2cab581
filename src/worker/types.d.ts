// @ts-ignore inferred from code: programs that use the package see any
import type { RUN_METERS } from '../meters/all-meters.js';
import type { ClientProbe, Taken } from '../meters/types.js';
import type { Encoding, KeyDistribution, Replies, ValueKind } from '../options/types.js';
import type { CellPoint, OpenLoopPlan } from '../plan/types.js';
import type { BatchMeter, Chosen, Cycle, Items, PluginFolders, Step, Tally } from '../plugins/types.js';
import type { ColdRun, Slowest } from '../results/types.js';
import type { Target } from '../server/types.js';

/** What a job has of its cell. */
type OfCell =
  | ('client' | 'variant' | 'scenario' | 'scenarioOptions' | 'tasks' | 'appWorkUs' | 'beside')
  | ('keys' | 'keySize' | 'valueSize' | 'shortestValue');

/** What a worker knows of its cell: plain JSON, so that it could travel to another machine. */
export interface Job extends Pick<CellPoint, OfCell> {
  /** To which addresses its processes may connect; missing where that is anywhere. */
  confinement?: Confinement;
  /** The file to import for the client; null for the package that comes with this tool. */
  entry: string | null;
  pluginFolders?: PluginFolders;
  pipelining: Chosen;
  workload: Chosen;
  /** How its requests are coded; missing for other workloads. */
  way?: string;
  /** Strings where it is missing. */
  replies?: Replies;
  /** How values are encoded; as they are where it is missing. */
  encode?: Encoding;
  value: ValueKind;
  /** Values of other sizes that the workload asks for. */
  ownSizes: { valueSize: number; keys: number }[];
  keyDistribution: KeyDistribution;
  seed: number;
  latency: boolean;
  /** Its instructions are counted: nothing looks at the clock. A fresh process waits before and after each part. */
  isCounted?: boolean;
  /** Whether something breaks in its run, so that each operation is followed. */
  isFollowed?: boolean;
  /** Whether garbage is collected after each run, to see what memory grows by. */
  settles?: boolean;
  /** The user's, over those of the variant. */
  clientOptions: Record<string, unknown>;
  /** Of a caller that must reach the server with every command. */
  withoutCache?: boolean;
  /** null for a closed loop; the bound is that of this process. */
  load: OpenLoopPlan | null;
  /** Which of the cell's processes this is. */
  part: Part;
  /** Whether they are pairs, of which the second process only receives the messages that the first sends. */
  pairs?: boolean;
  /** How the paths begin at which each pair meets. */
  meeting?: string;
  keyPrefix: string;
  /** Whether all keys live on one node of the cluster. */
  oneSlot: boolean;
  target: Target;
  /** How to remove a key: the command, and what follows the key. */
  removal: string[];
  /** Of the servers that a connection may reach; null where that cannot be checked. */
  runIds: string[] | null;
}

/** What a fresh process took to its first reply. */
export interface ColdStart extends Omit<ColdRun, 'installedBytes'> {
  /** Whether it went on after its connection was closed. */
  keptAlive: boolean;
  /** The client's own, secrets masked. */
  effectiveOptions: Record<string, unknown>;
}

/** Addresses are host:port, or the path of a socket. */
export interface Confinement {
  addresses: string[];
  /** Those among them that nothing may be sent to in clear. */
  onlyTls: string[];
}

/** How a run is ended before its time. */
export interface RunControl {
  stopped: boolean;
  /** Told of it, where looking at `stopped` would be too late. */
  onStop?(): void;
}

/** One of several processes that do the same work together: `index` counts from 0. */
export interface Part {
  index: number;
  count: number;
}

/** Times are in milliseconds since the start, operations count from 0. */
export interface Schedule {
  at(operation: number): number;
  /** How many operations are meant to have started before a time. */
  due(ms: number): number;
}

/** Where an open loop stands in the event loop; times by performance.now(). */
export interface Turn {
  startedAtMs: number;
  nowMs: number;
  /** When it last looked whether something was due. */
  beforeMs: number;
  /** Whether nothing was sent and nothing came back since. */
  idle: boolean;
  /** Time spent on nothing but looking. */
  waitedMs: number;
}

/** What an open loop counted in one run. */
export interface OpenLoopCounts {
  /** What was meant to start a second, where that follows a recording. */
  intendedPerSecond?: number;
  /** Operations that were meant to start in the run's time: sent, dropped and unsent together. */
  scheduled: number;
  sent: number;
  dropped: number;
  /** Of those sent, how many came back with an error. */
  failed: number;
  /** How many had to wait at the bound. */
  waited: number;
  /** Not sent before the end: an error, an interruption, or a backlog too long to be worked off. */
  unsent: number;
  /** Operations in flight at once, at most. */
  inFlightMax: number;
  /** Time that the event loop spent on nothing but looking at the clock. */
  waitedMs: number;
  /** From the start to the last sending, and at least as long as the schedule. */
  sentUntilMs: number;
  /** How late the operations were sent, added up by what held them up. */
  lateMs: Record<'bound' | 'loop' | 'pacing', number>;
  latenessHdr: string | null;
  fromSendHdr: string | null;
}

/** What one second of an open loop looked like, as it ended. Operations are counted from the start. */
export interface Second {
  /** From 1. */
  second: number;
  intended: number;
  sent: number;
  acknowledged: number;
  dropped: number;
  inFlight: number;
  /** Of the operation that was sent last. */
  latenessMs: number;
  rssBytes: number;
}

/** A run, or a slice of one, ends after so many iterations of each task, or after so long. */
export type RunLength = {
  iterations?: number;
  durationMs?: number;
  /** Of an open loop, where it is another than its cell's. */
  ratePerSecond?: number;
  /** Of the first slice, the iterations of the whole run. */
  ofRun?: number;
  /** Without the background load that the cell otherwise has. */
  alone?: boolean;
};

/** What the worker measured in one run. */
export interface Measured {
  elapsedMs: number;
  taskElapsedMs: number[];
  taskIterations: number[];
  wrongReplies: number;
  firstWrongReply: string | null;
  /** How many operations failed, by the text of their error. */
  errors: Record<string, number>;
}

/** What a task of a closed loop works with. */
export interface Loop {
  items: Items;
  cycle: Cycle;
  limit: number;
  /** No task starts another iteration once it is stopped. */
  control: RunControl;
  /** Of the event loop, in which something was answered. */
  turns: { count: number };
  recorder: Recorder;
  meter: BatchMeter;
  tally: Tally;
}

/** What came of the reads of a run whose replies show whether they are old or new. */
export interface StaleReads {
  reads: number;
  /** Whose reply was older than the last write that was acknowledged before they were sent. */
  stale: number;
  /** How many writes such a reply was behind, at most. */
  behind: number;
}

/** Replies that no command of a run asked for. */
export type Leftovers = Pick<Measured, 'wrongReplies' | 'firstWrongReply'>;

/** In units of 100 ns. */
export interface TurnClock {
  (): number;
  /** Reads one that stands still during a turn of the event loop again in the same turn. */
  anew?(): number;
}

/** Counts the latency of every operation of a run. */
export interface Recorder {
  /** The time of this turn of the event loop. */
  start(): number;
  /** Counts what began at `startedAt` and ends now; now is the start of the next. */
  done(startedAt: number, operations?: number, did?: Step[]): number;
  /** Counts a time that was measured elsewhere, in units of 100 ns. */
  count(units: number, operations?: number): void;
  /** An HdrHistogram of nanoseconds, compressed and in base64; null where nothing is recorded. */
  encode(): string | null;
}

export interface RoundTrips {
  count: number;
  p50Us: number;
  p99Us: number;
}

/** What became of a command of the background load. */
export interface BackgroundCounts extends Leftovers {
  name: string;
  /** In lower case, as the server counts it. */
  command: string;
  count: number;
  /** The time in which it was sent. */
  elapsedMs: number;
  /** Of all processes together; null where the next is sent when the last is answered. */
  wantedPerSecond: number | null;
  /** Latencies from when it was meant to be sent. */
  hdr: string | null;
  /** Sent by a process of its own, so that it holds up no measured operation. */
  elsewhere?: boolean;
}

/** What a worker tells of one run. */
export interface MeasuredRun extends Measured, Taken<typeof RUN_METERS> {
  openLoop?: OpenLoopCounts | null;
  /** By a clock that all processes of this machine share. */
  startedAtMs: number;
  client: ClientProbe;
  latencyHdr: string | null;
  /** Of each command of a mix; empty for other workloads. */
  commandHdrs: Record<string, string>;
  /** Missing where latencies are not recorded here. */
  slowest?: Slowest;
  /** The background load, which is none of the measured operations. */
  background: BackgroundCounts[];
}

export type ProfileKind = 'cpu' | 'heap';

/**
 * Whose code it is: native is Node's, V8's and the system calls made there; poll is where the event loop waits and
 * reads. The last three are a server's: its own, that of libraries which it loads, and the kernel's.
 */
export type CodePart =
  | ('package' | 'node' | 'native' | 'poll' | 'garbage' | 'tool' | 'application' | 'other')
  | ('server' | 'library' | 'kernel');

/** A function, as a reader finds it. */
export interface CodeFrame {
  part: CodePart;
  /** Of a server the library; null where it belongs to none. */
  package: string | null;
  /** In its package, in Node or in this tool; null for native code. */
  file: string | null;
  name: string;
  /** From 1, where the function begins. */
  line: number | null;
}

/** What small functions counted together. */
export interface RestOfCode extends Pick<CodeFrame, 'part' | 'package'>, Counted {}

export interface Counted {
  /** In a function and not in what it called. */
  self: number;
  /** Of `self`, by what each sample counted: the error of a sampled figure. */
  variance: number;
}

/** CPU time of a process that its sampled thread did not take. */
export interface OtherThreads {
  /** Of the threads that Node starts with: V8's, which help to collect garbage. */
  v8Us: number;
  /** Of those that came later: of native libraries. */
  nativeUs: number;
}

/** A profile of V8 in a small form, without source text. */
export interface FoldedProfile {
  /** What is counted: CPU time, or bytes that were allocated. */
  unit: 'µs' | 'bytes';
  /** So many samples were taken of that. */
  samples: number;
  /** Functions, those that count most first. */
  frames: (CodeFrame & Counted)[];
  rest: RestOfCode[];
  /** The place of the caller in this list, or -1; that of the function in `frames`; what was counted below it. */
  stacks: [caller: number, frame: number, total: number][];
}

/** How long a run goes on in which something breaks. */
export interface FaultRunLength {
  durationMs: number;
  /** In which nothing is sent; of no length where there is none. */
  pause: { atMs: number; ms: number };
  /** How long answers are waited for after that. */
  settleMs: number;
  /** By the clock that all processes share. */
  startAtMs: number;
}

/** What a process reports while something breaks; counts are from the start, lists since its last report. */
export interface FaultProgress extends Pick<OpenLoopCounts, 'scheduled' | 'dropped' | 'unsent'> {
  /** Two for each operation: its number, and when it was meant to start. */
  sent: number[];
  /** Three for each answer: the operation's number, when it came, and its cause: 0 where it was done, -1 where the reply was wrong, -2 where it said that there is nothing. */
  answered: number[];
  /** Three for each arrival of a message: its operation's number, the receiver, and when. */
  arrived: number[];
  /** Texts of errors that came up for the first time; causes count from 1 over all of them. */
  newCauses: string[];
  elapsedMs: number;
  rssBytes: number;
}

/** A command of a receiver. Times are since the start. */
export interface ReceiverCall {
  command: string;
  atMs: number;
  ms: number;
  /** The error that ended it; null for a reply, or nothing. */
  error: string | null;
  /** Whether it ended before the run did. */
  ended: boolean;
}

/** What would end an application's process, or has ended the worker's. */
export interface FaultCrash {
  kind: 'exception' | 'rejection' | 'exit' | 'stuck';
  message: string;
  /** The first line of the stack that is not Node's own; null where there is none. */
  at: string | null;
  /** Since the start. */
  ms: number;
}
