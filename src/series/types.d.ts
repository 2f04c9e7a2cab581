import type { ComparisonFinding, Subject } from '../analysis/types.js';
import type { Unit } from '../metrics/types.js';
import type { Cell } from '../plan/types.js';

/** What the results of a folder follow each other by. */
export type SeriesOrder = 'time' | 'release' | 'commit';

/** A saved result without its runs: the figures of its cells, and what they were measured with. */
export interface ResultFigures {
  file: string;
  /** ISO 8601. */
  startedAt: string;
  seed: number;
  smoke: boolean;
  /** Installed client packages with their versions. */
  packages: Record<string, string>;
  conditions: SeriesConditions;
  cells: CellFigures[];
}

/** The machine, its versions, the server and the settings: figures are compared where all of it is the same. */
export type SeriesConditions = Partial<Record<Subject, Record<string, unknown>>>;

export interface CellFigures {
  cell: Cell;
  /** Medians of its warm runs, or of its counted starts, by the ids of metrics; only those that it has. */
  figures: Record<string, number>;
}

export interface SeriesPoint {
  /** Of its result, release or commit among all of the set, from 0; the same in all series. */
  place: number;
  file: string;
  /** When its benchmark began, in ISO 8601. */
  at: string;
  /** Of the client; null where it has no package. */
  release: string | null;
  /** Of a checkout that was measured. */
  commit: string | null;
  /** In the unit of the metric. */
  value: number;
  /** The same of raw, where that was measured beside it: how fast the machine was. */
  floor?: number;
}

/** One metric of one cell, as measured under the same conditions. */
export interface Series {
  /** The id of its first cell; in the order of releases or commits others may differ in those. */
  cell: string;
  /** Its first cell, for names. */
  example: Cell;
  metric: string;
  unit: Unit;
  /** Which of the set's conditions. */
  conditions: number;
  /** In order. */
  points: SeriesPoint[];
}

export interface SeriesSet {
  order: SeriesOrder;
  series: Series[];
  /** In the order in which they first came. */
  conditions: SeriesConditions[];
  leftOut: LeftOutOfSeries[];
}

/** A file, or some of its cells, that no series has. */
export interface LeftOutOfSeries {
  file: string;
  /** `copy`: of a result that another file has. */
  reason: 'unreadable' | 'smoke' | 'copy' | 'no-figures' | 'no-release' | 'no-commit';
  /** Ids of the cells; missing for the whole file. */
  cells?: string[];
  /** Why it cannot be read. */
  why?: string;
}

/** A set, and where its figures changed for good. */
export interface SeriesTrend extends SeriesSet {
  /** The largest ratio first. */
  changes: SeriesChange[];
  /** How many series have fewer points than can show a change, and how many that takes. */
  tooShort: number;
  fewestPoints: number;
  breaks: SeriesBreak[];
}

/** A change of one metric in one direction that came to several cells at once. */
export interface SeriesChange {
  metric: string;
  unit: Unit;
  conditions: number;
  /** Its first result, release or commit, and the one before. */
  since: SeriesPoint;
  before: SeriesPoint;
  /** Places of the results, releases or commits that it may as well have begun with, the first one included. */
  mayBe: number[];
  /** How many cells were measured then, of that client where releases or commits are followed. */
  of: number;
  /** The median of those of its cells. */
  ratio: number;
  cells: ChangedCell[];
}

export interface ChangedCell {
  cell: string;
  example: Cell;
  /** Medians of the results since the change before, and until the next one. */
  before: number;
  after: number;
  ratio: number;
  /** Of raw in the same results; 1 where it was not measured. */
  floorRatio: number;
  /** Of all series together. */
  pAdjusted: number;
}

/** Other conditions than those before, with which other series begin. */
export interface SeriesBreak {
  conditions: number;
  results: number;
  /** When the first of them began. */
  from: string;
  differences: Extract<ComparisonFinding, { kind: 'difference' }>[];
}
