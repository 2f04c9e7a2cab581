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
/** Time spent waiting for CPU, in ms; null if not reported. */
export interface RunQueue {
  /** Main thread. */
  workerQueuedMs: number | null;
  /** Time its main thread ran. */
  workerRanMs: number | null;
  /** Main threads of a local server. */
  serverQueuedMs: number | null;
  /** CPU steal, in steps of 10 ms. */
  stolenMs: number | null;
}

/** Of the control group that this process runs in; others may share it. */
export interface CpuLimit {
  /** Such as `cpu.max`. */
  setting: string;
  /** How many processors' worth of time in each period. */
  cpus: number;
  /** So far: periods in which it ran, and those in which it was stopped. */
  periods: number;
  throttled: number;
}

/** In so many of the periods it was stopped, because it had used all the time of one. */
export interface CpuLimited {
  kind: 'cpu-limited';
  setting: string;
  /** CPUs. */
  limitedTo: number;
  periods: number;
  throttled: number;
}

/** Idle-priority loops, one on each processor. */
export interface KeptAwake {
  pids: number[];
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
  /** How they ended, in words that follow their name. */
  ended: Promise<string>;
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
