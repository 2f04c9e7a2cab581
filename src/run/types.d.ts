/** Internal to what runs cells; not exported by the package. */

import type { BareEvent } from '../commands/benchmark/types.js';
import type { CommandPlan, Measuring, Settings } from '../options/types.js';
import type { Catalogue } from '../plugins/types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { OwnKeys } from '../server/stored-keys.js';
import type { Server } from '../server/types.js';
import type {
  CellResult,
  MachineFigures,
  Notice,
  ProcessFigures,
  ResultFacts,
  ResultRecord,
  RunWarning,
} from '../store/types.js';
import type { MeasuredRun, ProfileKind } from '../worker/types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { createObserver } from './cell-worker.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { DistantServer } from './distant-server.js';
import type { Capacity, Cell } from './plan/types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { IdlePrevention, placeServers } from './run-plan.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { startWorkers } from './workers.js';

export interface CellFacts {
  /** As the client uses them. */
  effectiveOptions: Record<string, unknown>;
  /** Replies that cannot be checked. */
  remarks: RunWarning[];
}

/** `processes`, `machines`: where there are several. */
export type MeasuredOfAll = MeasuredRun & { processes?: ProcessFigures[]; machines?: MachineFigures[] };

export type Observer = ReturnType<typeof createObserver>;
/** A piece of a run, executed in one go. */
export type SeenSlice = Awaited<ReturnType<Observer>>;
export type WatchedRun = Omit<SeenSlice, 'runQueue'>;
/** A run as worker and server saw it. */
export type Observed = Omit<WatchedRun, 'evictedKeys' | 'expiredKeys' | 'relay' | 'uncounted'> &
  Partial<Pick<WatchedRun, 'uncounted'>>;

/** All processes of a cell, on this machine or others, as one. */
export type WorkerProcess = Omit<ReturnType<typeof startWorkers>, 'dismiss'>;
export type StartWorkers = (...given: Parameters<typeof startWorkers>) => WorkerProcess;

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
export type Place = Awaited<ReturnType<typeof placeServers>>[number];

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
