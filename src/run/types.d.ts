/** Internal to what runs cells; not exported by the package. */

import type { BareEvent } from '../commands/benchmark/types.js';
import type { CommandPlan, Measuring } from '../commands/types.js';
import type { NotAwake, Placement } from '../machine/types.js';
import type { Pin, Settings, Transport } from '../options/types.js';
import type { Catalogue } from '../plugins/types.js';
import type { Distance, Interrupted, Interruption, RelayFigures } from '../relay/types.js';
import type { Server, ServerDelta, Snapshot, Target } from '../server/types.js';
import type {
  CellResult,
  MachineFigures,
  Notice,
  ProcessFigures,
  ResultFacts,
  ResultRecord,
  RunWarning,
  WakingFact,
} from '../store/types.js';
import type { Emitted, MeasuredRun, ProfileKind, RunLength, Second, Stage } from '../worker/types.js';
import type { Capacity, Cell } from './plan/types.js';

export interface CellFacts {
  /** As the client uses them. */
  effectiveOptions: Record<string, unknown>;
  /** Replies that cannot be checked. */
  remarks: RunWarning[];
}

/** `processes`, `machines`: where there are several. */
export type MeasuredOfAll = MeasuredRun & { processes?: ProcessFigures[]; machines?: MachineFigures[] };

/** Time spent waiting for CPU by main threads, in ms; null if unknown. */
export interface RunQueue {
  workerQueuedMs: number | null;
  workerRanMs: number | null;
  serverQueuedMs: number | null;
  stolenMs: number | null;
}

/** A piece of a run, executed in one go. */
export interface SeenSlice {
  /** null where that is unknown. */
  connections: number | null;
  /** null where its client emits nothing that is known. */
  emitted: Emitted | null;
  remarks: RunWarning[];
  runQueue: RunQueue;
  /** null without one. */
  relay: RelayFigures | null;
  /** Commands that the server does not count. */
  uncounted: number;
  seen: ServerDelta | null;
  measured: MeasuredOfAll;
  evictedKeys: number;
  expiredKeys: number;
  /** The longest time without a reply; 0 if unknown. */
  stalledMs: number;
}
export type Observer = (length: RunLength) => Promise<SeenSlice>;
export type WatchedRun = Omit<SeenSlice, 'runQueue'>;
/** A run as worker and server saw it. */
export type Observed = Omit<WatchedRun, 'evictedKeys' | 'expiredKeys' | 'relay' | 'uncounted' | 'emitted'> &
  Partial<Pick<WatchedRun, 'uncounted' | 'emitted'>>;

/** All processes of a cell, on this machine or others, as one. */
export interface WorkerProcess {
  pid: number | undefined;
  pids: number[];
  call(method: string, params?: unknown): Promise<any>;
  /** `timed`: ends after `durationMs`; `startAtMs`: on the machine's shared clock, or soon. */
  run(length: RunLength & { timed: boolean; startAtMs?: number }): Promise<MeasuredOfAll>;
  /** Ends the current run at its next iteration; its figures still arrive. */
  stop(): void;
  /** Like `stop`, and kills the process if it does not respond. */
  interrupt(): void;
  kill(): Promise<void>;
}

/** `cpus`: shared by all its processes, null for any. */
export type StartWorkers = (
  cell: Pick<Cell, 'processes' | 'runtime' | 'imported' | 'machines'> & {
    id?: string;
    /** From the start, not only once prepared. */
    isPinned?: boolean;
    env?: NodeJS.ProcessEnv;
  },
  cpus: number[] | null,
  onSecond: (second: Second) => void,
  /** Of files that its client leaves behind. */
  tempFilePrefix?: (pid: number) => string,
  onStage?: (stage: Stage) => void,
) => WorkerProcess;

export interface RunContext extends Place {
  command: Measuring['name'];
  settings: Settings;
  catalogue: Catalogue;
  /** From --config, by client. */
  clientOptions: Record<string, Record<string, unknown>>;
  keyPrefix: string;
  /** Ends the benchmark early, keeping what was measured. */
  halt: (reason: string) => void;
  /** null if workers reach the server directly. */
  distant: DistantServer | null;
  capacity: Capacity;
  idlePrevention: IdlePrevention;
  signal: AbortSignal;
  /** Of the user's budget, for the group; missing without one. */
  budgetLeftMs?: () => number;
  /** Missing for processes on this machine. */
  startWorkers?: StartWorkers;
  onEvent: (event: BareEvent) => void;
  /** Called between runs with each new record. */
  record: (record: ResultRecord) => void;
  /** Reports each fact once for all cells, and keeps it for the report. */
  warn: (fact: Notice) => void;
  /** The group's cells with what was measured of them. */
  soFar: (group: string) => { cells: CellResult[]; settings: ResultFacts['settings'] };
  /** Keeps V8's own profile; missing unless requested. */
  keepProfile?: (cell: Cell, kind: ProfileKind, profile: object) => void;
}

/** The cell decides the server and distance. */
export interface GroupContext extends Omit<RunContext, 'distant' | keyof Place> {
  placeOf(cell: Cell): Place;
  /** Of the group's share of the budget: the user's, or the default one. */
  leftMs: () => number;
  /** A cell's group is measured now. */
  tellGroup: (cell: Cell) => void;
}

type OfGroups = 'placeOf' | 'leftMs' | 'tellGroup' | 'keyPrefix' | 'halt' | 'warn';

export type SetContext = Pick<RunContext, 'settings' | 'catalogue' | 'capacity' | 'startWorkers'>;

export interface PlanContext extends Omit<GroupContext, OfGroups> {
  places: Place[];
  /** Since the tool was started; the user's budget began then. */
  elapsedMs: () => number;
  keys: OwnKeys;
  commandPlan?: CommandPlan;
  /** Of the command. */
  runGroup: (cells: Cell[], context: GroupContext) => Promise<{ lost: unknown; keysRemoved: boolean }>;
  /** Groups that it measures together; each by itself if missing. */
  setsOf?: (groups: Cell[][], context: SetContext) => Cell[][][];
}

/** A server, and where it and its workers run. */
export interface Place {
  server: Server;
  placer: Placer;
  evictions: {
    mayHaveExpired(snapshot: Snapshot | null): boolean;
    /** Keys evicted since the last call. */
    since(snapshot: Snapshot | null): number;
  };
  headroom: Headroom;
}

export interface Placer {
  placements: Placement[];
  /** The CPUs that server and workers use where these are pinned. */
  pinned(): number[] | NotAwake;
  placementFor(pin: Pin): Placement;
  /** Moves a managed server to its CPUs unless it is there. */
  pinServer(placement: Placement): Promise<void>;
}

/** The memory of a server that cells may fill. */
export interface Headroom {
  beforeStart(bytes: number): Promise<void>;
  /** In each process; undefined where that is unknown. */
  untriedBytes(cell: Pick<Cell, 'processes' | 'machines'>): number | undefined;
  whileStoring<Stored>(store: () => Promise<Stored>, stop: () => unknown): Promise<Stored>;
  growthOf(cell: Cell, how: GrowthBounds): GrowthWatch;
}

export interface GrowthBounds {
  /** Operations of one iteration of all tasks, or of their batches. */
  atOnce: number;
  batch: number;
  /** Of its connections and commands in flight. */
  bufferBytes: number;
  /** Stores its keys as they were before the first run. */
  renew: (() => Promise<unknown>) | null;
  warn: (fact: Notice) => void;
}

export interface GrowthWatch {
  /** As much of a run as there is room for. */
  fit(length: RunLength, before: Snapshot | null): Promise<{ length: RunLength; before: Snapshot | null }>;
  learn(before: Snapshot | null, after: Snapshot | null, operations: number, elapsedMs: number): void;
  watch(
    stop: () => void,
    onLook: (read: { requestBytes: number; replyBytes: number }) => void,
  ): () => Promise<void>;
}

/** A relay before a server. */
export interface DistantServer {
  /** That it adds at first. */
  distance: Distance;
  /** Where workers connect. */
  targetOf(transport: Transport): Promise<Target>;
  pin(placement: Placement): Promise<void>;
  /** For traffic since the last call. */
  takeFigures(): Promise<RelayFigures>;
  /** Open connections stay open. */
  moveTo(distance: Distance): Promise<void>;
  /** By which a PING at this distance takes too long. */
  correct(us: number): Promise<void>;
  interrupt(interruption: Interruption): Promise<Interrupted>;
  /** What only its own program knows. */
  ask(request: string): Promise<any>;
  pid(): Promise<number | undefined>;
  end(): Promise<void>;
}

/** Keeps processors from sleeping in some runs. */
export interface IdlePrevention {
  fact: WakingFact | null;
  /** What runs may be: as the machine is, or kept awake. The first are warm-ups. */
  states: boolean[];
  keep(isAwake: boolean): void;
  end(): Promise<void>;
}

/** The keys of this invocation on external servers. */
export interface OwnKeys {
  prefix: string;
  notes: Notice[];
  /** Not all may be removed there. */
  doubt(server: Server): void;
  end(signal: AbortSignal): Promise<Notice[]>;
}

/** Load that comes from other machines. */
export interface Fleet {
  /** What the header of a result says of it. */
  facts: object;
  notes: Notice[];
  /** That a process may open on any of the machines; null if unknown. */
  openFiles: number | null;
  startWorkers: StartWorkers;
  /** Throws a UsageError for what cannot be done there. */
  settingsFor(settings: Settings): Settings;
  /** Throws a UsageError where that is not allowed there. */
  plan(servers: Server[], asked: object, prepared: object): Promise<void>;
  close(): Promise<void>;
}
