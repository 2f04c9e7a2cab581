import type { PluginOptions } from '../../api.js';
import type { CostModel, ProfileSettings, Settings, Written } from '../../options/types.js';
import type { PluginFolders } from '../../plugins/types.js';
import type { Cell, Plan } from '../../run/plan/types.js';
import type { ServerFacts } from '../../server/types.js';
import type { Fact, ResultLine, Run } from '../../store/types.js';
import type { ProfileKind, Second, Stage } from '../../worker/types.js';

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
  /** `doing`: before its first run. */
  | { type: 'stall'; cell: Cell; stalledMs: number; doing?: Stage }
  | { type: 'failure'; cell: Cell; message: string };

/** An event before its notes are worded. */
export type BareEvent =
  | Exclude<BenchmarkEvent, { type: 'note' }>
  | Omit<Extract<BenchmarkEvent, { type: 'note' }>, 'message'>;
