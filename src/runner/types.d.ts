import type { BenchmarkEvent } from '../commands/types.js';
import type { Placer } from '../machine/types.js';
import type { Settings } from '../options/types.js';
import type { Answers, Batches, Catalogue } from '../plugins/types.js';
import type { ProcessFigures, ResultRecord } from '../results/types.js';
import type { Server, ServerDelta } from '../server/types.js';
import type { ClientProbe, Measured, OpenLoopCounts } from '../worker/types.js';

/** A run from all sides. */
export interface Observed {
  measured: Measured & {
    openLoop?: OpenLoopCounts | null;
    /** By a clock that all processes of this machine share. */
    startedAtMs: number;
    /** The figures of each process, where there are several. */
    processes?: ProcessFigures[];
    /** Commands that the run claims, by name in lower case. */
    calls: Record<string, number>;
    /** null where the workload asks nothing. */
    answers: Answers | null;
    connectionsOpened: number;
    client: ClientProbe;
    latencyHdr: string | null;
    batches: Batches | null;
  };
  /** Held open during the run. */
  connections: number;
  seen: ServerDelta | null;
  /** The longest time in which the worker did nothing at all; 0 where that was not to be seen. */
  stalledMs: number;
}

export interface WorkerProcess {
  pid: number | undefined;
  /** How long after it was asked for a run its clock starts. */
  startsInMs: number;
  call(method: string, params?: unknown): Promise<any>;
  /** Asks the run under way to end at its next iteration; its answer still comes. */
  stop(): void;
  /** The same, and kills the process when no answer comes. */
  interrupt(): void;
  kill(): Promise<void>;
}

export interface RunContext extends Place {
  settings: Settings;
  catalogue: Catalogue;
  /** What the user's configuration says, by client. */
  clientOptions: Record<string, Record<string, unknown>>;
  keyPrefix: string;
  signal: AbortSignal;
  onEvent: (event: BenchmarkEvent) => void;
  /** Takes each thing that is measured, between runs. */
  record: (record: ResultRecord) => void;
}

/** A server, and where it and its workers run. */
export interface Place {
  server: Server;
  placer: Placer;
}

export interface GroupOutcome {
  /** Why the server was lost, if it was. */
  lost: unknown;
  keysRemoved: boolean;
}

export interface PlanOutcome {
  lost: unknown;
  warnings: string[];
}
