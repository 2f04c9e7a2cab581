import type { PluginOptions } from '../api.js';
import type { Cell, Plan, SkipReason } from '../core/plan/types.js';
import type { PluginFolders } from '../core/plugins/types.js';
import type { ServerFacts } from '../core/server/types.js';
import type { Fact, ResultLine, Run } from '../core/store/types.js';
import type { ProfileKind, Second } from '../core/worker/types.js';

import type { CommandData, CostModel, ProfileSettings, Settings, Written } from '../options/types.js';
import type { CodeDifference, Contrast } from './judge/types.js';

export interface BenchmarkOptions
  extends Written<Omit<Settings, 'iterations' | 'profile'>>,
    Written<PluginOptions> {
  suite?: string;
  iterations?: number | `${number}` | 'auto' | CostModel;
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
  /** What is done, where it is no benchmark. */
  command?: CommandData;
  /** Start of `budgetMs`, in ms since 1970; the time of the call by default. */
  startedAtMs?: number;
}

export type BenchmarkEvent =
  | { type: 'install'; release: string; folder: string }
  | { type: 'plan'; plan: Plan; settings: Settings; server: ServerFacts; servers: ServerFacts[] }
  | { type: 'group'; index: number; cells: Cell[] }
  /** How long this group still takes. */
  | { type: 'time-left'; leftMs: number }
  | { type: 'start'; start: number; cells: Cell[] }
  /** The worker of a cell is ready. */
  | { type: 'started'; cell: Cell }
  | { type: 'run'; cell: Cell; round: number }
  | { type: 'run-end'; cell: Cell; round: number; run: Run }
  | { type: 'second'; cell: Cell; second: Second }
  | { type: 'round-end'; round: number }
  | { type: 'step'; cell: Cell; held: boolean; runs: Run[] }
  | { type: 'profile'; cell: Cell; kind: ProfileKind }
  /** `message`: the fact in words. */
  | { type: 'note'; cell: Cell | null; fact: Fact | string; message: string }
  | { type: 'stall'; cell: Cell; stalledMs: number }
  | { type: 'failure'; cell: Cell; message: string };

/** An event before its notes are worded. */
export type BareEvent =
  | Exclude<BenchmarkEvent, { type: 'note' }>
  | Omit<Extract<BenchmarkEvent, { type: 'note' }>, 'message'>;

export interface Bisection {
  client: string;
  metric: string;
  unit: string;
  /** The oldest first. */
  releases: string[];
  /** The oldest and newest release and their ratio; null until measured. */
  ends: { test: string; medians: { low: number; high: number }; contrast: Contrast } | null;
  questions: BisectionQuestion[];
  /** Each change: the last release before it, the first after it. Empty if the ends do not differ. */
  steps: {
    before: string;
    after: string;
    /** What the later release costs more per operation, by code; null if it could not be profiled. */
    code: CodeDifference | null;
  }[];
}

/** A release compared with one on each side of the change. */
export interface BisectionQuestion {
  low: string;
  release: string;
  high: string;
  /** `between`: the change comes in several steps; `broken`: not measurable. */
  side: 'low' | 'high' | 'between' | 'broken';
  /** Whether the statistics decide; otherwise the nearer side wins. */
  sure: boolean;
  medians: { low: number; release: number; high: number } | null;
  toLow: Contrast | null;
  toHigh: Contrast | null;
  test: string | null;
  /** Why it could not be measured. */
  reason: string | null;
}

export interface MeasuredRelease {
  /** With release and variant: `redis@5.8.3:default`. */
  name: string;
  client: string;
  variant: string;
  version: string;
  /** `there`: already in the folder; `missing`: not measured yet; `left out`: not measurable. */
  state: 'there' | 'added' | 'missing' | 'left out';
  /** The saved result, if added. */
  file: string | null;
  /** Why it is left out, or why its runs failed. */
  why: SkipReason | string | null;
}
