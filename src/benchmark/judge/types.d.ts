import type { Answers } from '../../core/plugins/types.js';
import type {
  Batching,
  ClientCost,
  ColdRun,
  FaultRun,
  Figure,
  Latency,
  OpenLoopRun,
  RunPart,
  ServerCost,
} from '../../core/store/types.js';
import type { CodeFrame, ProfileKind } from '../../core/worker/types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { FINDINGS } from '../findings/all.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { CAUSES, One } from '../findings/causes.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { waitsOf } from './slices.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { findBottleneck } from './summary.js';

export interface Interval {
  low: number;
  high: number;
  /** The coverage reached: 0.9375 for five runs, which are too few for 0.95. */
  level: number;
}

export interface Summary {
  runs: number;
  failedRuns: number;
  averageMs: number;
  elapsedMs: number;
  spreadMs: number;
  opsPerSecond: number;
  opsPerSecondLow: number;
  opsPerSecondHigh: number;
  /** By metric id, of the medians; null with fewer than two runs. */
  intervals: Record<string, Interval | null>;
  /** The standard deviation of operations per second over their mean. */
  variation: number | null;
  /** Whether its runs were so much shorter than planned that they mean nothing. */
  tooShort: boolean;
  latency: Latency | null;
  answers: Answers | null;
  parts?: RunPart[];
  cacheHitRate?: number | null;
  batching: Batching | null;
  openLoop: OpenLoopSummary | null;
  /** Medians or maxima over the runs. */
  fault?: Partial<FaultRun> | null;
  cold?: Partial<ColdRun> | null;
  client: ClientCost;
  server: ServerCost;
  bottleneck: ReturnType<typeof findBottleneck>;
  waits: ReturnType<typeof waitsOf>;
}

/** Medians over the runs; sums of what must not happen at all. */
export type OpenLoopSummary = OpenLoopRun & {
  heldRuns: number;
  /** From the scheduled start; the median of the runs' own p99, because `held` follows most runs. */
  p99Us: number | null;
};

/** One figure per run of a cell, above 0. */
export type Sample = Figure[];

export interface Contrast {
  /** The ratio of the medians. */
  ratio: number;
  /** The 95 % interval of this comparison alone, widened to include the ratio. */
  low: number;
  high: number;
  p: number;
  /** Corrected for the number of comparisons (Holm). */
  pAdjusted: number;
  differs: boolean;
}

export interface Shift {
  p: number;
  /** Of the means; missing where the test does not estimate it. */
  difference?: number;
  /** Computed on demand: of many comparisons only p is needed. */
  interval(level?: number): { low: number; high: number };
}

export interface Tested {
  by: 'starts' | 'mann-whitney' | 'welch' | 'paired' | null;
  comparisons: number;
  /** The fewest starts of a cell; absent if runs were compared. */
  starts?: number;
  /** The smallest difference that could be claimed, 0.08 for 8 %; if none was, for the pair that varies most. */
  tellsApart?: number;
  reason: 'one-cell' | 'too-few-runs' | 'open-loop' | null;
}

/** What to choose, as a row: what is best, and how far the others are behind it. */
export interface ChoiceRow {
  axis: string;
  /** null for all clients. */
  client: string | null;
  /** Where it holds. */
  groups: string[];
  choose: string;
  /** Those groups in words; empty for all. */
  where: string;
  /** Several where no difference is shown; none where it depends on the other choices. */
  best: string[];
  /** How many times faster the best are, at least and at most, and in how many of the pairs of cells that shows; null in none. */
  behind: { value: string; low: number | null; high: number | null; shown: number; pairs: number }[];
  texts: Record<'best' | 'behind', string>;
}

export interface GroupComparison {
  group: string;
  tested: Tested;
  /** The fastest first. */
  ranking: {
    cell: string;
    opsPerSecond: number;
    /** Than the fastest; null if it finished no operation. */
    timesSlower: number | null;
    /** In operations per second; null for the fastest, and with fewer than two runs. */
    againstFastest: Contrast | null;
    /** Against the cell that the user named first. */
    againstFirst: Contrast | null;
    /** Its share of the floor's operations per second; null without a floor. */
    ofCeiling: number | null;
  }[];
  versions: VersionSeries[];
}

export interface Comparison extends GroupComparison {
  /** Which test was used, in words. */
  test: string;
}

/** Cells that differ only in the release of their client or of Node. */
export interface VersionSeries {
  axis: 'release' | 'node';
  /** The oldest first. */
  entries: VersionEntry[];
}

export type VersionEntry = { cell: string; version: string } & Record<
  'opsPerSecond' | 'cpuUsPerOp',
  VersionFigure
>;

export interface VersionFigure {
  median: number | null;
  /** Over the previous version; null for the oldest, and with fewer than two runs. */
  toPrevious: Contrast | null;
  /** Over the newest version. */
  toNewest: Contrast | null;
}

export interface ReportComparison extends ComparedReports {
  /** Which test was used, in words. */
  test: string;
  cells: ComparedCell[];
  /** What else differs between the two and may be why. */
  warnings: string[];
}

/** The same without words. */
export interface ComparedReports {
  metric: string;
  unit: string;
  /** null if neither direction is better. */
  moreIsBetter: boolean | null;
  tested: Tested;
  cells: ComparedFigures[];
  /** Of the ratios of all cells, new over base. */
  geometricMean: number;
  onlyBase: string[];
  onlyNew: string[];
  findings: ComparisonFinding[];
}

/** A cell of both reports, with its medians. */
export interface ComparedFigures {
  cell: string;
  base: number;
  new: number;
  /** New over base. */
  ratio: number;
  /** null with fewer than two runs on either side. */
  contrast: Contrast | null;
}

export interface ComparedCell extends ComparedFigures {
  name: string;
  /** The conditions of its group, in words. */
  group: string;
}

export type ComparisonFinding =
  /** `clients`: whose options. */
  | { kind: 'difference'; subject: Subject; changes: Change[]; clients?: string[] }
  | { kind: 'ended-early'; report: 'base' | 'new' }
  /** In one of the results, so they are not compared. */
  | { kind: 'started-once'; cells: string[] }
  /** These cells waited for CPU for most of a result, so regressions cannot be judged. */
  | {
      kind: 'disturbed';
      cells: string[];
      baseWaitedShare: number | null;
      newWaitedShare: number | null;
    }
  /** All cells, or the floor, moved the same way: the machine may have changed. */
  | { kind: 'moved'; what: 'floor' | 'all'; cells: string[]; ratio: number };

export type Subject = 'machine' | 'versions' | 'server' | 'placement' | 'settings' | 'options';

export type Change = { name: string; base: string | null; new: string | null };

/** A conclusion as data; the report makes its words. `group` is null for the whole benchmark. */
export type Finding = { group: string | null; cells: string[] } & FindingFigures;

type FindingFigures = FiguresOf<(typeof FINDINGS)[number]>;

/** What each file makes. */
type FiguresOf<File> = File extends { id: infer Id; find(judged: any): (infer Figures)[] }
  ? { kind: Id } & Figures
  : never;

/** Operations per second of two cells that differ in one choice only. */
export type Gain = Record<'winner' | 'loser' | 'better' | 'worse', string> &
  Pick<Contrast, 'ratio' | 'low' | 'high' | 'pAdjusted'>;

/** Of an operation. */
interface ProfiledCosts {
  cell: string;
  kind: ProfileKind;
  unit: 'µs' | 'bytes';
  perOp: number;
  /** The CPU of the profiled run over that of the timed ones, less 1; null if it does not matter. */
  offBy: number | null;
}

/** By the code that costs it. */
export interface CodeCosts extends ProfiledCosts {
  samples: number;
  /** Of the cell, whose first one was sampled. */
  processes: number;
  /** The largest first: by owner, package, file, function. `functions` lack small ones. */
  kinds: CodeCost[];
  parts: CodeCost[];
  modules: CodeCost[];
  functions: CodeCost[];
}

interface CostOfCode extends CodeFrame {
  perOp: number;
  /** One standard error of the profile alone. */
  samplingError: number;
  /** One standard error, that of the timed runs included. */
  error: number;
}

export type CodeCost = CostOfCode & { share: number };

/** What an operation of one cell costs more than one of another, beyond the errors of both. */
export interface CodeDifference extends ProfiledCosts {
  than: string;
  againstPerOp: number;
  againstOffBy: number | null;
  /** The largest first; negative if it costs less. */
  kinds: CodeChange[];
  modules: CodeChange[];
  functions: CodeChange[];
}

export type CodeChange = CostOfCode & { againstPerOp: number; more: number };

/** Why a cell is slower, each proven by a test of its own. */
export type Cause = (typeof CAUSES)[number] extends infer File ? CauseOf<File> : never;

type CauseOf<File> = File extends { id: infer Id; find(pair: any): infer Found }
  ? { kind: Id } & One<Found>
  : never;
