/** What the runner hands on inside of itself; programs that use the package do not see it. */
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

/** Of a worker process, while one cell has it after the other. */
export interface StartedWorker {
  worker: WorkerProcess;
  facts: CellFacts;
  /** With how many tasks its code has become compiled; null where it has not. */
  warmWith: number | null;
}

export interface RunContext extends Place {
  settings: Settings;
  catalogue: Catalogue;
  /** The options of --config, by client. */
  clientOptions: Record<string, Record<string, unknown>>;
  keyPrefix: string;
  evictions: EvictionWatch;
  /** Ends the benchmark early, with what has been measured. */
  halt: (reason: string) => void;
  /** null where workers reach the server directly. */
  distant: DistantServer | null;
  /** null where each group has workers of its own. */
  idleWorkers: IdleWorkers | null;
  /** The workers of a group that need more run in turns. */
  capacity: Capacity;
  signal: AbortSignal;
  /** Missing where the workers are processes of this machine. */
  startWorkers?: StartWorkers;
  onEvent: (event: BareEvent) => void;
  /** Called between runs with everything that was measured. */
  record: (record: ResultRecord) => void;
  /** Tells the user what concerns several cells, each message once. */
  noteOnce: (fact: Notice) => void;
  /** The same, and keeps it for the report. */
  warn: (fact: Notice) => void;
  /** Which cells of a group are profiled after their timed runs, if any are: their ids. */
  toProfile: (group: string) => Set<string>;
  /** What counts instructions after the timed runs. */
  counter?: CounterSource | null;
  /** Whether they are being counted. */
  isCounted?: boolean;
  /** Keeps V8's own profile of a cell; missing where nobody wants it. */
  keepProfile?: (cell: Cell, kind: ProfileKind, profile: object) => void;
}

/** What a group needs: which server and distance a cell has, is known from the cell. */
export interface GroupContext extends Omit<RunContext, 'distant' | 'evictions' | keyof Place> {
  /** Where the cell is measured. */
  placeOf(cell: Cell): WatchedPlace;
}

export interface WatchedPlace extends Place {
  evictions: EvictionWatch;
}

/** What a whole plan needs: a context for each server is made from it. */
export interface PlanContext
  extends Pick<
    RunContext,
    | 'settings'
    | 'catalogue'
    | 'clientOptions'
    | 'capacity'
    | 'signal'
    | 'startWorkers'
    | 'onEvent'
    | 'record'
    | 'toProfile'
    | 'keepProfile'
    | 'counter'
  > {
  places: Place[];
  /** Where it is remembered which keys are stored; null where the user has no such place. */
  stateFolder: string | null;
}

/** A server, and where it and its workers run. */
export interface Place {
  server: Server;
  placer: Awaited<ReturnType<typeof createPlacer>>;
  /** A string where the server cannot be profiled: why not; missing where nobody asked for it. */
  sampler?: Sampler | NoServerProfile;
}
