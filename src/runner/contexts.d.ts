/** What the runner hands on internally; programs that use the package do not see it. */
import type { BareEvent } from '../commands/types.js';
import type { createPlacer } from '../machine/placement.js';
import type { Settings } from '../options/types.js';
import type { Capacity, Cell } from '../plan/types.js';
import type { Catalogue } from '../plugins/types.js';
import type { Notice, ResultRecord } from '../results/types.js';
import type { NoServerProfile, Sampler, Server } from '../server/types.js';
import type { ProfileKind } from '../worker/types.js';
import type { DistantServer } from './distant-server.js';
import type { IdleWorkers } from './idle-workers.js';
import type { EvictionWatch } from './server-watch.js';
import type { CellFacts, CounterSource, StartWorkers, WorkerProcess } from './types.js';

/** The worker process of one cell after another. */
export interface StartedWorker {
  worker: WorkerProcess;
  facts: CellFacts;
  /** With how many tasks its code was compiled; null where it is cold. */
  warmWith: number | null;
}

export interface RunContext extends Place {
  settings: Settings;
  catalogue: Catalogue;
  /** The options of --config, by client. */
  clientOptions: Record<string, Record<string, unknown>>;
  keyPrefix: string;
  /** Ends the benchmark early, with what has been measured. */
  halt: (reason: string) => void;
  /** null where workers reach the server directly. */
  distant: DistantServer | null;
  /** null where each group has workers of its own. */
  idleWorkers: IdleWorkers | null;
  capacity: Capacity;
  signal: AbortSignal;
  /** Missing where the workers are processes of this machine. */
  startWorkers?: StartWorkers;
  onEvent: (event: BareEvent) => void;
  /** Called between runs with everything that was measured. */
  record: (record: ResultRecord) => void;
  /** Tells the user each message once, about several cells. */
  noteOnce: (fact: Notice) => void;
  /** The same, and keeps it for the report. */
  warn: (fact: Notice) => void;
  /** The ids of a group's cells that are profiled after their timed runs. */
  toProfile: (group: string) => Set<string>;
  /** Counts instructions after the timed runs. */
  counter?: CounterSource | null;
  isCounted?: boolean;
  /** Keeps V8's own profile of a cell; missing where nobody wants it. */
  keepProfile?: (cell: Cell, kind: ProfileKind, profile: object) => void;
}

/** What a group needs: the server and distance follow from the cell. */
export interface GroupContext extends Omit<RunContext, 'distant' | keyof Place> {
  placeOf(cell: Cell): Place;
}

type OfGroups = 'placeOf' | 'keyPrefix' | 'halt' | 'idleWorkers' | 'noteOnce' | 'warn';

export interface PlanContext extends Omit<GroupContext, OfGroups> {
  places: Place[];
  /** Where it is remembered which keys are stored; null where the user has no such place. */
  stateFolder: string | null;
}

/** A server, and where it and its workers run. */
export interface Place {
  server: Server;
  placer: Awaited<ReturnType<typeof createPlacer>>;
  evictions: EvictionWatch;
  /** Missing where nobody asked for it; why not, where the server cannot be profiled. */
  sampler?: Sampler | NoServerProfile;
}
