import type { Subject } from '../analysis/types.js';
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
  file: string;
  /** When its benchmark began, in ISO 8601. */
  at: string;
  /** Of the client; null where it has no package. */
  release: string | null;
  /** Of a checkout that was measured. */
  commit: string | null;
  /** In the unit of the metric. */
  value: number;
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
