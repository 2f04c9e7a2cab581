import type { RunQueue } from '../../core/machine/types.js';
import type { Cell } from '../../core/plan/types.js';
import type { RelayFigures } from '../../core/relay/types.js';
import type { ServerDelta } from '../../core/server/types.js';
import type { MachineFigures, Notice, ProcessFigures, RunWarning } from '../../core/store/types.js';
import type { MeasuredRun, RunLength, Second } from '../../core/worker/types.js';

export interface CellFacts {
  /** Held open. */
  connections: number;
  /** As the client uses them. */
  effectiveOptions: Record<string, unknown>;
  /** Replies that cannot be checked. */
  remarks: RunWarning[];
}

/** A run as worker and server saw it. */
export interface Observed extends Omit<CellFacts, 'effectiveOptions'> {
  measured: MeasuredRun & {
    /** Per process, if there are several. */
    processes?: ProcessFigures[];
    /** Per machine, if agents send the load. */
    machines?: MachineFigures[];
  };
  seen: ServerDelta | null;
  /** The longest time without input to the worker; 0 if unknown. */
  stalledMs: number;
}

export interface WatchedRun extends Observed {
  /** Since the run before. */
  evictedKeys: number;
  /** Among those stored for this cell. */
  expiredKeys: number;
  /** null without a relay. */
  relay: RelayFigures | null;
}

/** A piece of a run, executed in one go. */
export interface SeenSlice extends WatchedRun {
  runQueue: RunQueue;
}

export type Observer = (length: RunLength) => Promise<Omit<SeenSlice, 'connections' | 'remarks'>>;

/** From a worker in whose run something breaks. */
export interface FaultFacts extends CellFacts {
  /** What its account reads after the run. */
  evidence: unknown;
  /** Keys it may write; null if unknown. */
  keys: string[] | null;
  onlyReads: boolean;
}

/** All processes of a cell, on this machine or others, as one. */
export interface WorkerProcess {
  pid: number | undefined;
  call(method: string, params?: unknown): Promise<any>;
  /** Ends the current run at its next iteration; its figures still arrive. */
  stop(): void;
  /** Like `stop`, and kills the process if it does not respond. */
  interrupt(): void;
  kill(): Promise<void>;
  /** @param length `timed`: ends after `durationMs`; `startAtMs`: on the machine's shared clock, or soon */
  run(length: RunLength & { timed: boolean; startAtMs?: number }): Promise<Observed['measured']>;
}

export interface LocalWorkers extends WorkerProcess {
  /** Ends workers as if this process were gone: they remove their keys first. */
  dismiss(): Promise<void>;
}

/**
 * @param cell `isPinned`: from the start, not only once prepared
 * @param cpus shared; null for all @param leaves by its client
 */
export type StartWorkers = (
  cell: Pick<Cell, 'processes' | 'runtime' | 'machines'> & { id?: string; isPinned?: boolean },
  cpus: number[] | null,
  onSecond: (second: Second) => void,
  leaves?: (pid: number) => string,
) => WorkerProcess;

/** A fault that has happened, on the clock that all processes share. */
export interface Strike {
  struckAtMs: number;
  /** When the server was as before; for a cut, at once. */
  endedAtMs: number;
  /** From when a server without the old data replies. */
  freshFromMs?: number;
  /** When the first Sentinel named another primary. */
  promotedAtMs?: number;
  /** Connections, writes or servers that it hit. */
  met: number;
}

export interface GroupOutcome {
  /** Why the server was lost, if it was. */
  lost: unknown;
  keysRemoved: boolean;
}

export interface PlanOutcome extends Pick<GroupOutcome, 'lost'> {
  /** Why it ended early, if so. */
  halted: string | null;
  warningFacts: Notice[];
}

/** What was done about another invocation's keys. */
export interface Swept {
  prefix: string;
  /** When it started; null if unknown. */
  at: string | null;
  /** Left alone, because it may still run. */
  inUse: boolean;
  removed: number;
  failure: string | null;
}
