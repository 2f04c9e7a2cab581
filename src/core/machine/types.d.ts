import type { Stored } from '../store/types.js';

export type Release = Stored<'Release'>;
export type Runtime = Stored<'Runtime'>;

/** Stays unique when the system reuses a pid. */
export interface ProcessIdentity {
  pid: number;
  /** In the system's own unit. */
  start: string;
  /** Machine or container. */
  place: string;
}

export type Placement = Stored<'Placement'>;
/** Worded in report/words/fact-words.js. */
export type PlacementNote =
  | { kind: 'pin-off' }
  | { kind: 'no-taskset' }
  | { kind: 'one-cpu' }
  | { kind: 'server-unknown' }
  | { kind: 'server-elsewhere' }
  | { kind: 'server-not-pinned' };

export type Environment = Stored<'Environment'>;
/** In so many of the periods it was stopped, because it had used all the time of one. */
export interface CpuLimited {
  kind: 'cpu-limited';
  setting: string;
  /** CPUs. */
  limitedTo: number;
  periods: number;
  throttled: number;
}

/** Why processors are not kept awake. */
export type NotAwake =
  | { reason: 'system' | 'not-pinned' | 'server-elsewhere' }
  | { reason: 'cpu-limit'; limitedTo: number }
  | { reason: 'no-program'; program: string }
  | { reason: 'refused'; why: string };

/** Median time from a write until the reader on another processor runs; half of a round trip. */
export interface WakeUpCost {
  asIsUs: number;
  /** Null where they cannot be kept awake. */
  keptAwakeUs: number | null;
}
