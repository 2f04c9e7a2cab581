declare module '../../options/types.js' {
  interface Settings {
    fault?: FaultSpec[];
    faultAtMs?: number;
    /** Pauses, in ms; 0 for none. */
    idle?: number[];
  }
}

declare module '../../run/plan/types.js' {
  interface SkipReasons {
    'fault-keys': { keys: number; most: number };
    'fault-of-sentinels': { fault: string };
    'fault-of-single': { fault: string; able: string[]; topology: string };
    'fault-over-unix': { fault: string };
    'fault-idle': { fault: string };
    'fault-rate': { most: number };
    'fault-waits': { command: string };
  }
}

declare module '../../store/types.js' {
  interface Cell {
    /** The client reconnects only with one. */
    fault?: FaultPlan;
    /** Nothing is sent in this time, and the fault strikes. */
    idleMs?: number;
  }
  interface Run {
    fault?: FaultRun;
  }
  interface Summary {
    /** Null where no run has it. */
    fault?: Partial<FaultRun> | null;
  }
  interface Notices {
    break: { kind: 'run-too-short'; fault: string; durationMs: number; neededMs: number; surely: boolean };
  }
  interface RunWarnings {
    break: { kind: 'late-fault'; ms: number };
  }
}

export interface FaultPlan {
  name: string;
  kind:
    | 'none'
    | 'cut'
    | 'half-open'
    | 'idle-drop'
    | 'idle-reset'
    | 'slow'
    | 'stall'
    | 'freeze'
    | 'restart'
    | 'loading'
    | 'maxclients'
    | 'oom'
    | 'failover'
    | 'switchover';
  by: 'nobody' | 'relay' | 'server' | 'client';
  keepsData: boolean;
  /** How much longer round trips are, or how long a connection may be idle. */
  byMs: number | null;
  /** Null where it is over at once, or for good. */
  lastsMs: number | null;
  /** When it strikes, from the start of a run. */
  atMs: number;
  /** How long operations begin, without a pause. Missing where all runs last as long. */
  durationMs?: number;
}

export type FaultSpec = Omit<FaultPlan, 'atMs'>;

/** A run with a fault. Times count from it (or the end of the pause); those "since the start" exclude the pause. */
export interface FaultRun extends NodesOutcome {
  /** Since the start: when it struck, and when the server was back to normal; null if no fault was planned. */
  struckAtMs: number | null;
  overAtMs: number | null;
  /** Connections, writes or servers that the fault hit. */
  met: number | null;
  /** Never given to the client, as --max-in-flight was reached, or the worker had ended. */
  unsent: number;
  /** How operations are checked: by their replies only, or by what the server's data shows. */
  proves: 'reads' | 'replies' | 'writes' | 'repeats';
  /** After how long the client's options end a silent connection; null for never, missing where that is unknown. */
  silenceLimitMs?: number | null;
  /** What ended the worker or would have ended an application; null if nothing did. */
  crash: FaultCrash | null;
  /** The keys of the one node of a cluster that breaks, and those of the others; missing where keys are not assigned to nodes. */
  nodes?: { broken: NodesOutcome; others: NodesOutcome };
  promotedMs?: number | null;
  memoryGrowthBytes: number;
  loopDelayMaxMs: number | null;
  struckLateMs: number | null;
}

export interface Timeline {
  bucketMs: number;
  due: number[];
  inTime: number[];
  acknowledged: number[];
  failed: number[];
  waiting: number[];
}

/** Figures of a run with a fault, for some of its operations. */
export interface NodesOutcome {
  /** What the first caller after a pause got; missing without one. */
  firstCallError?: string | null;
  scheduled: number;
  acknowledged: number;
  doneThoughUnanswered: number | null;
  /** Whether its answer came before the end of the run. */
  longestWaitAnswered: boolean;
  /** `due` and `inTime` by scheduled start, the others by the time of the result or error. */
  timeline: Timeline;
  recoveredMs: number | null;
  firstCallMs?: number | null;
  longestWaitMs: number;
  failed: number;
  unanswered: number;
  wrong: number;
  doneTwice: number | null;
  lost: number | null;
  lastLostMs?: number | null;
  doneInPart?: number | null;
  doneThoughFailed: number | null;
  late: number;
  firstSuccessMs: number | null;
  lostWithServer: number;
}

/** `at`: the first line of the stack that is not Node's own; `ms`: since the start. */
export interface FaultCrash {
  kind: 'exception' | 'rejection' | 'exit' | 'stuck';
  message: string;
  at: string | null;
  ms: number;
}
