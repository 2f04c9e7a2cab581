export type { Environment, Imported, Placement, Release, Runtime } from '../store/types.js';

/** Stays unique when the system reuses a pid. */
export interface ProcessIdentity {
  pid: number;
  start: string;
  /** The scope in which the pid is unique. */
  place: string;
}

/** Worded in report/words/fact-words.js. */
type NoteKind =
  | 'pin-off'
  | 'no-taskset'
  | 'one-cpu'
  | 'server-unknown'
  | 'server-elsewhere'
  | 'server-not-pinned';
export type PlacementNote = { [Kind in NoteKind]: { kind: Kind } }[NoteKind];

/** In `throttled` of so many periods it had used all the time of one. */
export interface CpuLimited {
  kind: 'cpu-limited';
  setting: string;
  /** Processors' worth of time. */
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
