import type { Measuring } from '../commands/types.js';
import type { Encoding, KeyDistribution, Replies, Settings } from '../options/types.js';
import type {
  Answers,
  Chosen,
  Connection,
  Finds,
  Items,
  Lease,
  PluginFolders,
  ScenarioOptions,
  Step,
  WorkloadPlugin,
} from '../plugins/types.js';
import type { OpenLoopPlan } from '../run/plan/types.js';
import type { Target, TlsOptions } from '../server/types.js';
import type { CellProfile } from '../store/types.js';

/** What a worker knows of its cell: plain JSON, so that it can travel to another machine. */
export interface Job {
  command: Measuring['name'];
  client: string;
  variant: string;
  /** The user's, over those of the variant. */
  clientOptions: Record<string, unknown>;
  /** The file to import for the client; null for the package that comes with this tool. */
  entry: string | null;
  pluginFolders: PluginFolders;
  scenario: string;
  scenarioOptions: ScenarioOptions;
  pipelining: Pick<Chosen, 'id' | 'parameter'>;
  workload: Pick<Chosen, 'id' | 'parameter'>;
  way?: string;
  encode?: Encoding;
  replies?: Replies;
  tasks: number;
  appWorkUs: number;
  keys: number;
  keySize: number;
  valueSize: number;
  shortestValue: number;
  /** Values of other sizes that the workload asks for. */
  ownSizes: { valueSize: number; keys: number }[];
  value: Settings['value'];
  keyDistribution: KeyDistribution;
  seed: number;
  latency: boolean;
  /** Null for a closed loop; the bound is that of this process. */
  load: OpenLoopPlan | null;
  part: Part;
  /** Whether the second of two processes only receives what the first sends. */
  pairs: boolean;
  /** How the paths begin at which each pair meets. */
  meeting?: string;
  keyPrefix: string;
  removal: string[];
  /** What code of one's own may store before it is known how much that is; missing where nobody knows. */
  untriedBytes?: number;
  /** Whether all keys live on one node of the cluster. */
  oneSlot: boolean;
  target: Target;
  runIds: string[] | null;
  /** Whether its commands may reach other keys than their own, as scripts do. */
  mayScript: boolean;
  /** What is told instead of a script's reply or error; missing where those are told. */
  silence?: string;
  /** To which addresses its processes may connect; missing where that is anywhere. */
  confinement?: Confinement;
  /** Whether each operation is followed, and so has a value in memory of its own: queues of them are measured. */
  isFollowed?: boolean;
}

/** What a client's code looks like in a process. `methods`: by where they stand; `code`: a hash. */
export interface ClientCode {
  methods: Record<string, { label: string; code: string }>;
  /** Channels of the client that have a subscriber. */
  channels: string[];
}

/** Addresses are host:port, or the path of a socket. */
export interface Confinement {
  /** null for any. */
  addresses: string[] | null;
  /** Nothing may be sent to these in clear. */
  onlyTls: string[];
  /** Whom TLS trusts, whatever the options of a client say. */
  tls: TlsOptions;
  /** Who may not connect elsewhere, in errors. */
  who: string;
}

/** What is open in a worker for a job; what is missing has nothing to do. */
export interface WorkerCell {
  /** Stores its data. */
  prepare(): PromiseLike<unknown>;
  beforeRun?(): Promise<void>;
  run(length: object, onNews: (news: object) => void): Promise<Partial<MeasuredRun>>;
  afterRun?(): Promise<Partial<AfterRun>>;
  makeAnew?(): Promise<void>;
  missingKeys?(): PromiseLike<number | undefined>;
  unanswered?(): number;
  stop(): void;
  /** What runs are made of, for what follows their operations. `connections`: those that are open. */
  inside?(): { items: Items; steps: Step[]; lease: Lease; connections: Connection[] };
  /** Removes its keys. The next cell may take over its connections. */
  leave?(): PromiseLike<unknown>;
  /** What the next cell takes over, where it needs the same; otherwise that is closed. */
  lend?(next: Job): Promise<object | undefined>;
  /** Removes its keys, and closes its connections. */
  finish?(onProgress?: () => void): Promise<void>;
}

/** `takeEmitted`: what its clients have emitted since it was last taken, from now on. */
export type OnStage = (stage: Stage, takeEmitted?: () => Emitted | null) => void;

/** `before`: the cell that this process has served until now. */
export type OpenCell = (
  job: Job,
  onStage: OnStage,
  openDelivery?: OpenDelivery,
  before?: WorkerCell,
) => Promise<WorkerCell>;

export interface AfterRun extends Leftovers {
  connections: number | null;
  /** Since the last run; null where the client emits nothing that is known. */
  emitted: Emitted | null;
  /** Null where they are not known. */
  writes: Write[] | null;
}

/** How often a cache was asked, and filled after a miss; `doubled`: while another backfill of the same key was in progress. */
export type Lookups = Record<'hits' | 'misses' | 'backfills' | 'doubled', number>;

/** What clients emit by themselves, whatever callers get. */
export interface Emitted {
  errors: number;
  firstError: string | null;
  /** Attempts to connect again. */
  reconnections: number;
  /** Connections that ended unasked, for good. */
  ends: number;
}

export interface RunControl {
  stopped: boolean;
  /** Called where looking at `stopped` would be too late. */
  onStop?(): void;
  /** Operations that were sent and have no reply yet. */
  unanswered?(): number;
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

/** One second of an open loop, as it ended. Operations are counted from the start. */
export interface Second {
  /** From 1. */
  second: number;
  intended: number;
  sent: number;
  acknowledged: number;
  dropped: number;
  inFlight: number;
  /** How late the operation was that was sent last. */
  latenessMs: number;
  rssBytes: number;
}

/** A run, or a slice of one, ends after this many iterations of each task, or after this time. */
export type RunLength = {
  iterations?: number;
  durationMs?: number;
  /** For an open loop, instead of its cell's. */
  ratePerSecond?: number;
  /** The iterations of the whole run; only the first slice has it. */
  ofRun?: number;
};

/** What was found once a run had ended: replies that no command asked for, and connections that had broken. */
export interface Leftovers {
  wrongReplies: number;
  firstWrongReply: string | null;
  /** By their texts. */
  errors?: Record<string, number>;
}

/** What the server must have after a run; `field`: of a hash, null for a string. */
export interface Write {
  key: string;
  field: string | null;
  value: string;
}

/** What one process measured; histograms are HdrHistograms of nanoseconds, compressed and in base64. */
export interface MeasuredRun extends Leftovers, RunCounts {
  startedAtMs: number;
  elapsedMs: number;
  taskElapsedMs: number[];
  taskIterations: number[];
  /** Operations that waited by themselves, which are none of these. */
  waited: number;
  errors: Record<string, number>;
  /** Null for a closed loop. */
  openLoop?: MeasuredOpenLoop | null;
  client: ClientProbe;
  latencyHdr: string | null;
  /** One for each command of a mix, by name. */
  commandHdrs: Record<string, string | null>;
}

interface MeasuredOpenLoop {
  scheduled: number;
  sent: number;
  dropped: number;
  waited: number;
  unsent: number;
  /** Sent, but came back with an error. */
  failed: number;
  inFlightMax: number;
  /** From the start to the last sending, and at least as long as the schedule. */
  sentUntilMs: number;
  /** Time that the event loop spent on nothing but looking at the clock. */
  waitedMs: number;
  /** Where the rate follows a recording. */
  intendedPerSecond?: number;
  latenessHdr: string | null;
  fromSendHdr: string | null;
}

/** What a command of the user, or of one of its shares, was answered. */
export interface Asked {
  /** Its words, with its share where another has the same. */
  name: string;
  text: string;
  /** `something left`: it takes away what it finds. */
  finds: Finds | 'something left';
  preparedBy: string | null;
  sent: number;
  /** 0 while no reply had anything in it. */
  filled: number;
  /** How often nothing was there, or left. */
  nothing: number;
}

/** What a worker counts of the operations of a run. */
export interface RunCounts {
  /** How often each command was sent, by name in lower case. */
  calls: Record<string, number>;
  /** Replies to EXISTS; null where the workload asks nothing. */
  answers: Answers | null;
  /** Null where the workload fills no cache. */
  lookups: Lookups | null;
  /** The commands of the user, in their order. */
  asked: Asked[];
  connectionsOpened: number;
  /** Commands that the client's own caches answered; null where it has opened none with a cache. */
  answeredByCaches: number | null;
  /** Made by the tool; null without any. */
  batches: { batches: number; commands: number; heldMs: number; waitedMs: number } | null;
}

/** What a run cost its process. */
export interface ClientProbe {
  /** User and system, all threads. */
  cpuUs: number;
  /** Those of the main thread; null where the system does not count them. */
  contextSwitches: number | null;
  eventLoopUtilization: number;
  /** The part of the CPU time that the application's own work took. */
  appWorkUs: number;
  /** Time to encode and decode values. */
  encodeUs: number;
  /** Turns of the event loop by how many microseconds they were busy; `watchedMs` includes idle time. */
  loop: { watchedMs: number; busyUs: Record<string, number> };
  garbage: { gcPauseMs: number; gcLongestMs: number; allocatedBytes: number | null };
  peakRssBytes: number;
}

/** Where an operation ends when what it sent arrives. */
export interface Delivery {
  /** Keys that it goes through. */
  keys: string[];
  /** Commands besides those of the operations, since the last call. */
  takeCalls(): Record<string, number>;
  /** At the end of a run: the receivers have nothing left to do. */
  settled(): Promise<void>;
  takeLeftovers(): Leftovers;
  close(): Promise<void>;
  /** Where another process receives it; `part`: among those that send. */
  elsewhere?: { part: Part; begin(): ArrivalTimes };
  /** Where another process sends it; the last of a run came at that time of the shared clock. */
  receive?(): Promise<{ lastAtMs: number }>;
}

/** `intend`: when the next value was meant to be sent, in units of the turn clock; latencies count from there. */
export interface ArrivalTimes {
  latencies: { encode(): string | null };
  fromSend: { encode(): string | null };
  intend(scheduledAt: number): void;
}

/** Changes `steps` so that their operations end on delivery. */
export type OpenDelivery = (work: {
  job: Job;
  workload: WorkloadPlugin;
  steps: Step[];
  connect(): Promise<Connection>;
  use<T>(use: (connection: Connection) => Promise<T>): PromiseLike<T>;
}) => Promise<Delivery>;

export type ProfileKind = 'cpu' | 'heap';

export type CodeFrame = Omit<FoldedProfile['frames'][number], keyof Counted>;
export type Counted = Pick<FoldedProfile['frames'][number], 'self' | 'variance'>;
/** A profile of V8 in a small form, without source text. */
export type FoldedProfile = Pick<CellProfile, 'unit' | 'samples' | 'frames' | 'rest'>;

/** What a cell waits for while it is prepared. */
export type Stage = 'connecting' | 'sending the first commands' | 'storing data';
