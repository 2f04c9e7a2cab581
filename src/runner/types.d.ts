import type { RunQueue } from '../machine/types.js';
import type { Cell } from '../plan/types.js';
import type { RelayFigures } from '../relay/types.js';
import type { MachineFigures, Notice, ProcessFigures, RunWarning } from '../results/types.js';
import type { ServerDelta } from '../server/types.js';
import type { MeasuredRun, RunLength, Second } from '../worker/types.js';

/** What a worker reports of its cell. */
export interface CellFacts {
  /** Held open. */
  connections: number;
  /** The client's options as it uses them. */
  effectiveOptions: Record<string, unknown>;
  /** What of its replies cannot be checked. */
  remarks: RunWarning[];
}

/** A run as the worker and the server saw it. */
export interface Observed extends Omit<CellFacts, 'effectiveOptions'> {
  measured: MeasuredRun & {
    /** The figures of each process, where there are several. */
    processes?: ProcessFigures[];
    /** Of each machine, where the load comes from agents. */
    machines?: MachineFigures[];
  };
  seen: ServerDelta | null;
  /** The longest time in which the worker received nothing; 0 where that cannot be seen. */
  stalledMs: number;
}

/** The same, with what became of keys meanwhile. */
export interface WatchedRun extends Observed {
  /** By the server since the run before. */
  evictedKeys: number;
  /** Of those stored for this cell. */
  expiredKeys: number;
  /** null where there is no relay. */
  relay: RelayFigures | null;
}

/** A piece of a run, executed in one go. */
export interface SeenSlice extends WatchedRun {
  runQueue: RunQueue;
}

/** Watches one run, or slice of one. */
export type Observer = (length: RunLength) => Promise<Omit<SeenSlice, 'connections' | 'remarks'>>;

/** Of a worker in whose run something breaks. */
export interface FaultFacts extends CellFacts {
  /** Until its connections were open, and one had a reply. */
  connectMs: number;
  /** Where its account looks when the run is over. */
  evidence: unknown;
  /** To which each of its messages is sent; none for other workloads. */
  receivers: number;
  /** Keys it may write; null where that is not known. */
  keys: string[] | null;
  onlyReads: boolean;
}

/** The processes of a cell, on this machine or on others, as one. */
export interface WorkerProcess {
  pid: number | undefined;
  call(method: string, params?: unknown): Promise<any>;
  /** Asks the current run to end at its next iteration; its answer still comes. */
  stop(): void;
  /** The same, and kills the process when no answer comes. */
  interrupt(): void;
  kill(): Promise<void>;
  /**
   * @param length `timed`: a closed loop is stopped after `durationMs`. `startAtMs`: by the clock that all processes
   *   of a machine share; soon, if it is missing.
   */
  run(length: RunLength & { timed: boolean; startAtMs?: number }): Promise<Observed['measured']>;
}

export interface LocalWorkers extends WorkerProcess {
  /** Has them end as if this process were gone: they remove their keys first. */
  dismiss(): Promise<void>;
}

/** What counts instructions. */
export interface CounterSource {
  name: 'perf' | 'valgrind';
  /** In a slice: enough for several garbage collections, in a second or less. */
  sliceOperations: number;
  /** Rejects with the reason where it does not work on this machine. */
  check(): Promise<void>;
  /** For one worker. */
  open(): Promise<Counter>;
}

export interface Counter {
  /** The command that the worker must run under. */
  under: string[];
  /** That goes with it. */
  folder?: string;
  /** Counts all threads of the worker during some work; `kernel` is null where that cannot be counted. */
  count<Done>(
    pid: number,
    work: () => Promise<Done>,
  ): Promise<{ done: Done; user: number; kernel: number | null }>;
  close(): Promise<void>;
}

/**
 * @param cell that they run; `isPinned`: from their start, not only once they are prepared; `under` and `folder` are a
 *   counter's
 * @param cpus the processors that they share; null for all @param leaves of its client
 */
export type StartWorkers = (
  cell: Pick<Cell, 'processes' | 'runtime' | 'machines'> & { isPinned?: boolean } & Partial<
      Pick<Counter, 'under' | 'folder'>
    >,
  cpus: number[] | null,
  onSecond: (second: Second) => void,
  leaves?: (pid: number) => string,
) => WorkerProcess;

/** A fault that has happened; times by the clock that all processes share. */
export interface Strike {
  struckAtMs: number;
  /** When it was over, and the server as before; of a cut at once. */
  endedAtMs: number;
  /** From when on a server without the old data answers. */
  freshFromMs?: number;
  /** When the first Sentinel named another primary. */
  promotedAtMs?: number;
  /** How many connections it met, or writes, servers or slots. */
  met: number;
}

export interface GroupOutcome {
  /** Why the server was lost, if it was. */
  lost: unknown;
  keysRemoved: boolean;
}

export interface PlanOutcome extends Pick<GroupOutcome, 'lost'> {
  /** Why it was ended early, if so. */
  halted: string | null;
  warningFacts: Notice[];
}

/** What was done about the keys of another invocation. */
export interface Swept {
  prefix: string;
  /** When it started; null where that is not known. */
  at: string | null;
  /** Left alone, because it may still be running. */
  inUse: boolean;
  removed: number;
  failure: string | null;
}
