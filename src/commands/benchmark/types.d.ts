import type { PluginOptions } from '../../api.js';
import type { CostModel, ProfileSettings, Settings, Written } from '../../options/types.js';
import type { PluginFolders } from '../../plugins/types.js';
import type { Cell, Plan } from '../../run/plan/types.js';
import type { ServerFacts } from '../../server/types.js';
import type { Contrast } from '../../statistics/types.js';
import type { Fact, ResultLine, Run, Tested } from '../../store/types.js';
import type { ProfileKind, Second, Stage } from '../../worker/types.js';

export interface BenchmarkOptions
  extends Written<Omit<Settings, 'iterations' | 'profile' | 'breakdown'>>,
    Written<PluginOptions> {
  suite?: string;
  iterations?: number | `${number}` | 'auto' | CostModel;
  breakdown?: boolean | Settings['breakdown'];
  profile?: boolean | string | readonly string[] | ProfileSettings;
}

export interface BenchmarkHooks {
  /** Ends the benchmark early: the report then holds what was measured and is marked partial. */
  signal?: AbortSignal;
  onEvent?: (event: BenchmarkEvent) => void;
  /** Called as lines of the result become known, never during a timed run. A store here survives a killed process. */
  onLine?: (line: ResultLine) => void;
  /** Where the URL came from, for error messages: `--url` by default. */
  urlOrigin?: string;
  /** Remembers which keys are on an external server; null for no folder. */
  stateFolder?: string | null;
  pluginFolders?: PluginFolders;
  /** Start of `budgetMs`, in ms since 1970; the time of the call by default. */
  startedAtMs?: number;
}

export type BenchmarkEvent =
  | { type: 'install'; release: string; folder: string }
  | { type: 'plan'; plan: Plan; settings: Settings; server: ServerFacts; servers: ServerFacts[] }
  | { type: 'group'; index: number; cells: Cell[] }
  /** Iterations of one task in a millisecond. */
  | { type: 'warmed'; cell: Cell; perMs: number }
  /** How long this group still takes. */
  | { type: 'time-left'; leftMs: number }
  /** `more`: starts of as many cells that there is time for after this one; undefined where that is not known. */
  | { type: 'start'; start: number; cells: Cell[]; more?: number }
  /** The worker of a cell is ready. */
  | { type: 'started'; cell: Cell }
  | { type: 'run'; cell: Cell; round: number }
  | { type: 'run-end'; cell: Cell; round: number; run: Run }
  | { type: 'second'; cell: Cell; second: Second }
  | { type: 'round-end'; round: number }
  | { type: 'step'; cell: Cell; held: boolean; runs: Run[] }
  | { type: 'profile'; cell: Cell; kind: ProfileKind }
  | { type: 'breakdown'; cell: Cell }
  /** `message`: the fact in words. */
  | { type: 'note'; cell: Cell | null; fact: Fact | string; message: string }
  /** `doing`: before its first run. */
  | { type: 'stall'; cell: Cell; stalledMs: number; doing?: Stage }
  | { type: 'failure'; cell: Cell; message: string };

/** An event before its notes are worded. */
export type BareEvent =
  | Exclude<BenchmarkEvent, { type: 'note' }>
  | Omit<Extract<BenchmarkEvent, { type: 'note' }>, 'message'>;

/** What became of the cells of two results. */
export interface ReportComparison {
  metric: string;
  unit: string;
  /** Null if neither direction is better. */
  moreIsBetter: boolean | null;
  tested: Tested;
  cells: ComparedCell[];
  geometricMean: number | null;
  onlyBase: string[];
  onlyNew: string[];
  findings: ComparisonFinding[];
  /** Which test was used, in words; empty where nothing was judged. */
  test: string;
  /** Whether what the machine did in between may be part of a difference. */
  mayBeMachine: boolean;
  /** What else differs and may be why, in words. */
  warnings: string[];
}

export interface ComparedCell {
  cell: string;
  name: string;
  /** Its conditions in words. */
  group: string;
  /** The figures that the reports print. */
  base: number;
  new: number;
  /** New over base. */
  ratio: number;
  change: Change;
  /** Its ratio is free of what unchanged cells did; null where it is not judged. */
  contrast: Contrast | null;
  isAdjusted: boolean;
}

/**
 * `unchanged`: its package and options are the same, and others are compared with it; `not judged`: it waited for CPU;
 * `not compared`: too few runs or starts.
 */
export type Change =
  | 'better'
  | 'worse'
  | 'changed'
  | 'tied'
  | 'not decided'
  | 'not compared'
  | 'not judged'
  | 'unchanged';

export type ComparisonFinding =
  | Difference
  | { kind: 'ended-early'; report: 'base' | 'new' }
  | { kind: 'started-once'; cells: string[] }
  /** One of the results is a smoke run. */
  | { kind: 'smoke'; cells: string[] }
  | { kind: 'unchanged'; cells: string[]; ratio: number }
  | { kind: 'moved'; what: 'floor' | 'all'; cells: string[]; ratio: number }
  | {
      kind: 'disturbed';
      cells: string[];
      baseWaitedShare: number | null;
      newWaitedShare: number | null;
    };

export interface Difference {
  kind: 'difference';
  subject: Subject;
  /** Whose options differ. */
  clients?: string[];
  changes: { name: string; base: string | null; new: string | null }[];
}

export type Subject = 'machine' | 'versions' | 'server' | 'placement' | 'settings' | 'options' | 'events';
