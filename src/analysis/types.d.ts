import type { Answers } from '../plugins/types.js';
import type { Batching, ClientCost, Latency, OpenLoopRun, ServerCost } from '../results/types.js';

/** Between which figures the true one lies. */
export interface Interval {
  low: number;
  high: number;
  /** The coverage that was reached: 0.9375 for five runs, which are too few for 0.95. */
  level: number;
}

export interface Summary {
  runs: number;
  failedRuns: number;
  /** Medians over the runs. */
  averageMs: number;
  spreadMs: number;
  opsPerSecond: number;
  opsPerSecondLow: number;
  opsPerSecondHigh: number;
  /** By the ids of metrics, of the medians over the runs; null with fewer than two runs, or where runs do not have the figure. */
  intervals: Record<string, Interval | null>;
  /** How much the operations a second vary from run to run: their standard deviation over their mean. */
  variation: number | null;
  /** Of all runs together, as the answers are. */
  latency: Latency | null;
  answers: Answers | null;
  batching: Batching | null;
  openLoop: OpenLoopSummary | null;
  client: ClientCost;
  server: ServerCost;
  bottleneck: Bottleneck;
}

/** Medians over the runs; `held` if most of them did; sums of what must not happen at all. */
export interface OpenLoopSummary extends OpenLoopRun {
  heldRuns: number;
}

/** What limited a cell, and the shares of time that say so. */
export interface Bottleneck {
  /** null where the figures do not tell. */
  limit: 'client' | 'server' | 'round-trips' | null;
  clientBusy: number;
  /** Of a cluster the busiest node, or the processor that its nodes share. */
  serverBusy: number | null;
  sharedCore: boolean;
}

/** A cell against another one. */
export interface Contrast {
  /** The cell's median over the other's. */
  ratio: number;
  /** Its 95 % interval, of this comparison alone. */
  low: number;
  high: number;
  p: number;
  /** Corrected for the number of comparisons (Holm). */
  pAdjusted: number;
  /** Whether a difference can be claimed. */
  differs: boolean;
}

/** How far one sample lies above another. */
export interface Shift {
  /** Of no shift at all. */
  p: number;
  /** The 95 % interval, worked out when it is asked for: of many comparisons only p is needed. */
  interval(): { low: number; high: number };
}

export interface Comparison {
  group: string;
  /** Which test says what differs, in words. */
  test: string;
  /** The fastest first. */
  ranking: {
    cell: string;
    opsPerSecond: number;
    timesSlower: number;
    /** Its operations a second over those of the fastest; null for the fastest, and with fewer than two runs. */
    againstFastest: Contrast | null;
    /** The same over those of the cell that the user named first. */
    againstFirst: Contrast | null;
    /** Its share of the floor's operations a second; null where no floor was measured. */
    ofCeiling: number | null;
  }[];
  /** The releases of a client, or of Node, that stand side by side. */
  versions: VersionSeries[];
  /** Which is fastest and by how much. */
  conclusion: string;
  /** Why, in sentences built from the measured figures. */
  explanation: string[];
}

/** Cells that differ in nothing but the release of their client, or the Node that they run on. */
export interface VersionSeries {
  axis: 'release' | 'node';
  /** The oldest first. */
  entries: VersionEntry[];
}

export interface VersionEntry {
  cell: string;
  version: string;
  opsPerSecond: VersionFigure;
  cpuUsPerOp: VersionFigure;
}

export interface VersionFigure {
  median: number | null;
  /** This version's over the one's before; null for the oldest, and with fewer than two runs. */
  toPrevious: Contrast | null;
  /** This version's over the newest's. */
  toNewest: Contrast | null;
}

/** Two reports of the same cells. */
export interface ReportComparison {
  metric: string;
  unit: string;
  /** null where neither more nor less is. */
  moreIsBetter: boolean | null;
  /** Which test says what differs, in words. */
  test: string;
  cells: ComparedCell[];
  /** Of the ratios of all cells, new over base. */
  geometricMean: number;
  /** The names of the cells that the other report does not have, or has no result of. */
  onlyBase: string[];
  onlyNew: string[];
  /** What else differs between the two, and may be why. */
  warnings: string[];
}

/** A cell that two reports have, with the medians over its runs. */
export interface ComparedCell {
  cell: string;
  name: string;
  /** What the cells of its group have in common, in words. */
  group: string;
  base: number;
  new: number;
  /** New over base. */
  ratio: number;
  /** null with fewer than two runs on a side. */
  contrast: Contrast | null;
}

export interface AssertionResult {
  text: string;
  strict: boolean;
  holds: boolean;
  /** What the sides of its comparisons came to, or why that cannot be said. */
  figures: string[];
}
