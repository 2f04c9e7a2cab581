import type { ScenarioWords } from '../axes/types.js';
import type { Finding } from '../commands/benchmark/findings/types.js';
import type { Comparison, GroupComparison } from '../commands/benchmark/judge/types.js';
import type { ChoiceRow } from '../commands/benchmark/report/types.js';
import type { LeftOut } from '../commands/traffic/types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { KINDS } from '../contract/check.js';
import type { CpuLimited, NotAwake, PlacementNote, WakeUpCost } from '../machine/types.js';
import type { Verdict } from '../report/types.js';
import type { Cell, MemoryNeed, SkipReason } from '../run/plan/types.js';
import type { Of, ValuesOf } from '../types.js';
import type { MeasuredRun } from '../worker/types.js';
// @ts-ignore as above
import type { FIELDS } from './fields.js';
// @ts-ignore as above
import type { PARTS, SHAPES, STORED_KINDS } from './shapes.js';
// @ts-ignore as above
import type { summarize } from './summary.js';

/** What is stored, by its name in shapes.js. */
export type Stored<Name extends keyof Names> = Names[Name];

type Fields = typeof FIELDS;
type Parts = typeof PARTS;
type Shapes = typeof SHAPES;

type Names = ValuesOf<typeof KINDS> &
  ValuesOf<typeof STORED_KINDS> &
  Told & {
    [Name in Exclude<keyof Shapes, keyof Told>]: Of<
      Name extends Parts[keyof Parts] ? Shapes[Name] & FiguresOf<Name> : Shapes[Name],
      Names
    >;
  };

/** Where shapes.js says less. */
interface Told {
  ScenarioWords: ScenarioWords;
  Notice: Notice;
  PlacementNote: PlacementNote;
  RunWarning: RunWarning;
  SkipReason: SkipReason;
  WakingFact: WakingFact;
}

/** The figures that a shape has, in the language of check.js. */
type FiguresOf<Shape> = {
  [Id in keyof Fields as KeyIn<Shape, Is<Fields[Id]>, Id>]: Is<
    Fields[Id]
  > extends `${string} ${infer Type} ${string}`
    ? Type
    : never;
};

type Is<Field> = Field extends { is: infer Text } ? Text : Field;

type KeyIn<Shape, Text, Id extends string> = Text extends `${string} computed ${string}`
  ? never
  : Text extends `${infer Place} ${string}`
    ? Place extends `${infer Part}.${infer Name}`
      ? If<Part, Shape, Name>
      : Place extends `${infer Part}?`
        ? If<Part, Shape, `${Id}?`>
        : If<Place, Shape, Id>
    : never;

type If<Part, Shape, Name> = Parts[Part & keyof Parts] extends Shape ? Name : never;

export type ResultHeader = Stored<'ResultHeader'>;
export type CellRecord = Stored<'CellRecord'>;
export type RunRecord = Stored<'RunRecord'>;
export type ResultEnd = Stored<'ResultEnd'>;
export type ResultFacts = Omit<ResultHeader, 'type' | 'cells'>;
export type Ending = Omit<ResultEnd, 'type'>;
export type CellDetails = Omit<CellRecord, 'type' | 'cell'>;
export type MeasuredDistance = Omit<Stored<'DistanceRecord'>, 'type'>;
export type AgentFacts = Stored<'AgentFacts'>;
export type CellProfile = Stored<'CellProfile'>;
export type Run = Stored<'Run'>;
export type Latency = Stored<'Latency'>;
export type Batching = Stored<'Batching'>;
export type RunPart = Stored<'RunPart'>;
export type OpenLoopRun = Stored<'OpenLoopRun'>;
export type ProcessFigures = Stored<'ProcessFigures'>;
export type MachineFigures = Stored<'MachineFigures'>;
export type ClientCost = Stored<'ClientCost'>;
export type ServerCost = Stored<'ServerCost'>;
export type NodeCost = Stored<'NodeCost'>;
export type Slice = Stored<'Slice'>;
export type ColdRun = Stored<'ColdRun'>;
export type FaultRun = Stored<'FaultRun'>;

/** Stored as data; report/words/fact-words.js puts it into words. */
export type Fact = SkipReason | PlacementNote | RunWarning | Notice;

/**
 * What bounds how much a benchmark may store: the server's maxmemory; without one, a figure of the tool's; the memory of this
 * machine; a smaller figure where the server reports nothing.
 */
export type MemoryBound = 'maxmemory' | 'unlimited' | 'machine' | 'unknown';

/** About a whole benchmark, or a cell before its runs; `why` is the text of an error. */
export type Notice =
  | { kind: 'option-unknown'; source: string; clients: string[]; option: string }
  | { kind: 'options-unchecked'; client: string; version: string | null; options: string[] }
  | {
      kind: 'variant-partly';
      client: string;
      version: string | null;
      variant: string;
      options: string[];
    }
  | { kind: 'agent-node'; agent: string; node: string; here: string }
  | { kind: 'agent-package'; agent: string; package: string; version: string; here: string | null }
  | { kind: 'agent-silent'; agent: string }
  | { kind: 'agent-refuses'; why: string }
  | { kind: 'memory-unknown' }
  | (MemoryNeed & {
      kind: 'memory-small';
      bytes: number;
      /** Missing in results from before only maxmemory was one. */
      bound?: MemoryBound;
      freeBytes?: number;
      usedBytes: number;
      maxBytes: number;
      policy: string;
    })
  | {
      kind: 'no-room';
      bytes: number;
      bound: MemoryBound;
      freeBytes: number;
      usedBytes: number;
      maxBytes: number;
      policy: string;
    }
  /** `operations`: the most that a run had room for; `bytes`: what each stores, at most. */
  | { kind: 'memory-bounds-runs'; workload: string; operations: number; bytes: number }
  | { kind: 'slow-prepare'; seconds: number }
  | { kind: 'command-grows'; command: string; bytes: number }
  | { kind: 'certificate-unverified'; server: string }
  | { kind: 'writes-copied'; aof: boolean; rdb: boolean; replicas: number }
  | { kind: 'one-key' }
  | { kind: 'few-processors'; server: string | null; threads: number; replicas: number; cpus: number }
  /** `mostProcesses`: what the open-files limit allows; null if that is not the constraint. */
  | { kind: 'group-in-turns'; cells: number; turns: number; freeBytes: number; mostProcesses: number | null }
  /** `why` is null if there is no home folder. */
  | { kind: 'keys-unremembered'; why: string | null }
  | { kind: 'keys-left'; prefix: string; why: string }
  | { kind: 'old-keys-left'; prefix: string; why: string }
  | { kind: 'old-keys-removed'; keys: number }
  | { kind: 'distance-unmeasured'; why: string }
  | CpuLimited
  | { kind: 'run-too-short'; fault: string; durationMs: number; neededMs: number; surely: boolean }
  | { kind: 'few-ports'; perMinute: number; ports: number }
  | { kind: 'waiting-for-ports'; taken: number; ports: number }
  | WakingFact
  | { kind: 'no-profile'; why: string }
  | { kind: 'profile-not-kept'; cell: string; why: string }
  | { kind: 'unfinished'; torn: boolean; runs: number }
  | ReplayNote;

/** What a wake-up costs, measured before the runs, or why processors are not kept awake. */
export type WakingFact = ({ kind: 'wake-up' } & WakeUpCost) | ({ kind: 'not-kept-awake' } & NotAwake);

export type ReplayNote =
  | { kind: 'replay-lacks'; file: string; missing: number; recorded: number; leftOut: LeftOut[] }
  | { kind: 'replay-transactions'; file: string; transactions: number; sent: number }
  | { kind: 'replay-unblocked'; file: string; commands: Record<string, number> }
  | { kind: 'replay-tasks'; file: string; tasks: number }
  | { kind: 'replay-beginning'; file: string; sent: number };

export type RunWarning =
  | { kind: 'no-info'; why?: 'denied' | 'unknown' | 'uncounted' }
  /** `uncounted`: of 100 commands of the tool's own. */
  | { kind: 'server-miscounts'; uncounted: number }
  | { kind: 'cache-miscounted'; cached: number; claimed: number; missing: number }
  | { kind: 'command-miscounted'; command: string; claimed: number; counted: number }
  /** For a server without counts per command. */
  | { kind: 'commands-miscounted'; claimed: number; counted: number }
  | { kind: 'other-commands'; commands: Record<string, number> }
  | { kind: 'processor-taken' }
  | { kind: 'much-garbage' }
  | { kind: 'app-work-off'; more: boolean; beyondShare: number }
  | { kind: 'crowded'; processes: number; cpus: number }
  | { kind: 'stalled'; ms: number }
  | { kind: 'started-apart'; ms: number; beyondShare: number }
  | { kind: 'own-tail'; name: string; times: number }
  /** The run covers a part of a recording whose rate differs from the whole's. */
  | { kind: 'part-of-recording' }
  /** Relay: it added more delay than asked for; its buffer was full. */
  | { kind: 'farther-than-asked' }
  | { kind: 'narrow-line' }
  | { kind: 'late-fault'; ms: number }
  | { kind: 'kept-alive'; processes: number; of: number }
  | { kind: 'types-only'; command: string }
  /** `prepared`: whether the user had data stored. */
  | { kind: 'empty-replies'; command: string; prepared: boolean }
  /** Of a command that takes away what it finds. */
  | { kind: 'found-nothing'; command: string; empty: number; operations: number }
  | { kind: 'not-replayed'; command: string; why: string }
  | { kind: 'other-sizes'; all: number; commands: Record<string, number> }
  | { kind: 'transactions-left-out'; transactions: number }
  | { kind: 'evicted'; keys: number };

export type CellResult = Cell & CellDetails & CellConclusions;

export interface CellConclusions {
  connections: number | null;
  runs: Run[];
  summary: Summary | null;
  /** To its external server, from ServerFacts. */
  roundTripUs?: number;
  /** Its server, or the one that is the same process; missing with a single server. */
  serverProcess?: string;
}

export type Report = ResultFacts & Ending & Conclusions;

export interface Conclusions {
  cells: CellResult[];
  /** Missing if no group has a relay. */
  distances?: MeasuredDistance[];
  comparisons: Comparison[];
  findings: Finding[];
  choices: ChoiceRow[];
  assertions: Verdict[];
}

/** A report without its words; its warnings are only those of the benchmark itself. */
export type ReportData = Omit<Report, 'choices' | 'comparisons'> & {
  comparisons: GroupComparison[];
};

/** The lines of a saved result, in the order they are written: header, records, end. A report is computed from them. */
export type ResultLine = ResultHeader | ResultRecord | ResultEnd;

export type ResultRecord = Stored<'PlannedRecord' | 'DistanceRecord' | 'CellRecord' | 'RunRecord'>;

export interface Metric {
  id: string;
  /** Other names that assertions and --metric take. */
  aliases?: readonly string[];
  /** One sentence without its full stop, for `list`. */
  meaning: string;
  /** The head of its column in a page. */
  title: string;
  heading?: string;
  unit: string;
  better: 'more' | 'less' | null;
  /** The part of a run and of a summary that holds it. */
  in?: Exclude<keyof Parts, 'run'> | 'bottleneck';
  name: string;
  /** How a run's figure is computed from what workers measured; in `batching` only if there were batches. */
  from?: (measured: MadeFrom) => number | null;
  /** What is stored, see check.js; missing where nothing is. */
  type?: string;
  /** Some runs do not have it, or older ones. */
  optional?: boolean;
  /** How it is read from a run, if not by its name. */
  of?: (run: any) => number | null | undefined;
  /** How a cell's figure is made from its runs. `histogram`: of the merged histogram; null: runs do not have it. */
  fromRuns: 'median' | 'sum' | 'max' | 'histogram' | null;
  growsWithIterations?: boolean;
  /** A figure of fewer operations is stored, but not shown. */
  fewest?: number;
  text?: (value: number | null | undefined, digits?: number) => string;
  /** Its title in each table that has a column of it. */
  tables?: Record<string, string>;
}

/** As fields.js has it. */
export type FieldInShort =
  | string
  | ({ is: string } & Partial<Pick<Metric, 'from' | 'of' | 'tables' | 'heading'>>);

/** What the workers of a run measured, merged. */
export interface MadeFrom extends Pick<MeasuredRun, 'client' | 'elapsedMs' | 'openLoop'> {
  operations: number;
  batches: Record<'batches' | 'commands' | 'heldMs' | 'waitedMs', number>;
}

/** What `of` reads: runs and summaries have the same parts. */
export type Figures = Run | Summary;

export interface Figure {
  value: number;
  round: number;
  /** Absent in files from before cells had several starts. */
  start?: number;
  awake?: boolean;
}

export type Summary = NonNullable<ReturnType<typeof summarize>>;

/** One figure per run of a cell, above 0. */
export type Sample = Figure[];

export interface Tested {
  by: 'starts' | 'mann-whitney' | 'welch' | 'paired' | null;
  comparisons: number;
  /** The fewest starts of a cell; absent if runs were compared. */
  starts?: number;
  /** The smallest difference that could be claimed, 0.08 for 8 %; if none was, for the pair that varies most. */
  tellsApart?: number;
  reason: 'one-cell' | 'too-few-runs' | 'open-loop' | null;
}
