/** Internal to the runner; not exported by the package. */

// @ts-ignore inferred from code: programs that use the package see any
import type { createPlacer } from '../../core/machine/placement.js';
import type { Capacity, Cell } from '../../core/plan/types.js';
import type { Catalogue } from '../../core/plugins/types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { DistantServer } from '../../core/relay/distant-server.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { EvictionWatch } from '../../core/server/server-watch.js';
import type { Server } from '../../core/server/types.js';
import type { Notice, ResultRecord } from '../../core/store/types.js';
import type { Job, ProfileKind } from '../../core/worker/types.js';
import type { Settings } from '../../options/types.js';
import type { BareEvent } from '../types.js';
import type { GroupOutcome, StartWorkers } from './types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { Waking } from './waking.js';

export interface RunContext extends Place {
  /** By default a benchmark. */
  command?: Job['command'];
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
  waking: Waking;
  signal: AbortSignal;
  /** Missing for processes on this machine. */
  startWorkers?: StartWorkers;
  onEvent: (event: BareEvent) => void;
  /** Called between runs with each new record. */
  record: (record: ResultRecord) => void;
  /** Reports each message once for all cells. */
  noteOnce: (fact: Notice) => void;
  /** Like `noteOnce`, and keeps it for the report. */
  warn: (fact: Notice) => void;
  /** Ids of the group's cells to profile after their timed runs. */
  toProfile: (group: string) => Set<string>;
  /** Keeps V8's own profile; missing unless requested. */
  keepProfile?: (cell: Cell, kind: ProfileKind, profile: object) => void;
}

/** The cell decides the server and distance. */
export interface GroupContext extends Omit<RunContext, 'distant' | keyof Place> {
  placeOf(cell: Cell): Place;
}

type OfGroups = 'placeOf' | 'keyPrefix' | 'halt' | 'noteOnce' | 'warn';

/** The groups of another command than a benchmark. */
export type RunGroup = (cells: Cell[], context: GroupContext) => Promise<GroupOutcome>;

export interface PlanContext extends Omit<GroupContext, OfGroups> {
  places: Place[];
  /** Since the tool was started; the user's budget began then. */
  elapsedMs: () => number;
  /** Remembers which keys are stored; null if the user has no such folder. */
  stateFolder: string | null;
  runGroup?: RunGroup;
}

/** A server, and where it and its workers run. */
export interface Place {
  server: Server;
  placer: Awaited<ReturnType<typeof createPlacer>>;
  evictions: EvictionWatch;
}
