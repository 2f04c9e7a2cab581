// @ts-ignore inferred from code: programs that use the package see any
import type { ownIdentity } from '../process/owner.js';
// @ts-ignore as above
import type { limitedBetween } from './cpu-limit.js';

export type { Environment, Placement, Release, Runtime } from '../store/types.js';

/** Stays unique when the system reuses a pid. */
export type ProcessIdentity = ReturnType<typeof ownIdentity>;

/** Worded in report/words/fact-words.js. */
type NoteKind =
  | 'pin-off'
  | 'no-taskset'
  | 'one-cpu'
  | 'server-unknown'
  | 'server-elsewhere'
  | 'server-not-pinned';
export type PlacementNote = { [Kind in NoteKind]: { kind: Kind } }[NoteKind];

export type CpuLimited = NonNullable<ReturnType<typeof limitedBetween>>;

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
