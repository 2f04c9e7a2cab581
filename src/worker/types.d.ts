// @ts-ignore inferred from code: programs that use the package see any
import type { createJob } from '../run/cell-worker.js';
import type { TlsOptions } from '../server/types.js';
import type { CellProfile } from '../store/types.js';
// @ts-ignore as above
import type { timedRun } from './cell.js';
// @ts-ignore as above
import type { createTally } from './failures.js';
// @ts-ignore as above
import type { Meter, PROCESS_METERS } from './meters/all-meters.js';
// @ts-ignore as above
import type { runOpenLoop } from './open-loop.js';

/** What a worker knows of its cell: plain JSON, so that it can travel to another machine. */
export interface Job extends ReturnType<typeof createJob> {
  /** To which addresses its processes may connect; missing where that is anywhere. */
  confinement?: Confinement;
  /** What is told instead of a script's reply or error; missing where those are told. */
  silence?: string;
  /** How the paths begin at which each pair meets. */
  meeting?: string;
  /** Whether each operation has a value in memory of its own, because queues of them are measured. */
  freshValues?: boolean;
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
  /** Removes its keys. */
  finish?(onProgress?: () => void): Promise<void>;
}

export type OpenCell = (job: Job, onStage: (stage: Stage) => void) => Promise<WorkerCell>;

export interface AfterRun extends Leftovers {
  connections: number | null;
  /** Null where they are not known. */
  writes: Write[] | null;
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
  /** Of the operation that was sent last. */
  latenessMs: number;
  rssBytes: number;
}

/** A run, or a slice of one, ends after this many iterations of each task, or after this time. */
export type RunLength = {
  iterations?: number;
  durationMs?: number;
  /** For an open loop, instead of its cell's. */
  ratePerSecond?: number;
  /** In the first slice, the iterations of the whole run. */
  ofRun?: number;
};

/** Replies that no command of a run asked for. */
export type Leftovers = Omit<ReturnType<ReturnType<typeof createTally>['counts']>, 'errors'>;

/** What the server must have after a run; `field`: of a hash, null for a string. */
export interface Write {
  key: string;
  field: string | null;
  value: string;
}

export type Taken<Meters extends Record<string, Meter<any>>> = {
  [Name in keyof Meters]: Awaited<ReturnType<ReturnType<Meters[Name]['watch']>['take']>>;
};

export type ClientProbe = Taken<typeof PROCESS_METERS>;

export interface MeasuredRun extends Omit<Awaited<ReturnType<typeof timedRun>>, 'openLoop'> {
  openLoop?: Awaited<ReturnType<typeof runOpenLoop>>['openLoop'] | null;
}

export type ProfileKind = 'cpu' | 'heap';

export type CodeFrame = Omit<FoldedProfile['frames'][number], keyof Counted>;
export type Counted = Pick<FoldedProfile['frames'][number], 'self' | 'variance'>;
/** A profile of V8 in a small form, without source text. */
export type FoldedProfile = Pick<CellProfile, 'unit' | 'samples' | 'frames' | 'rest'>;

/** Of a cell that is being prepared: what it waits for. */
export type Stage = 'connecting' | 'sending the first commands' | 'storing data';
