import type { FaultRun } from '../core/store/types.js';
import type { FaultCrash } from '../core/worker/types.js';

/** Over the runs of a cell; null if it never happened. */
export interface FaultRange {
  low: number | null;
  high: number | null;
  /** Whether it never happened in some run. */
  never: boolean;
}

/** Over all runs; see FaultRun. */
export interface FaultOutcome {
  cell: string;
  group: string;
  runs: number;
  struck: boolean;
  /** Whether something was lost or repeated, a caller never got an answer, or a process ended. */
  harmed: boolean;
  /** Whether a run ended during the fault, when missing answers mean nothing. */
  outlasted: boolean;
  /** The share of operations in time just before the fault, in the best run; null if there were too few. */
  inTimeBefore: number | null;
  /** Runs too short to show the recovery. `heldAgainMs` excludes them, and those that were late before the fault. */
  unseenRuns: number;
  /** How long runs should last to show the recovery. */
  neededMs: number;
  scheduled: FaultRange;
  heldAgainMs: FaultRange;
  longestWaitMs: FaultRange;
  failed: FaultRange;
  unanswered: FaultRange;
  /** If it does not prove one of the following, that is null. */
  proves: NonNullable<FaultRun['proves']>;
  wrong: FaultRange;
  doneTwice: FaultRange;
  doneInPart: FaultRange;
  lost: FaultRange;
  crashes: FaultCrash[];
}
