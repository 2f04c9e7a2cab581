import type { Subject } from '../benchmark/judge/types.js';
import type { Cell } from '../core/plan/types.js';
import type { ResultHeader, Unit } from '../core/store/types.js';

/** How the results of a folder are ordered. */
export type SeriesOrder = 'time' | 'release' | 'commit';

/** A saved result without its runs. */
export interface ResultFigures extends Pick<ResultHeader, 'startedAt' | 'seed'> {
  file: string;
  smoke: boolean;
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
  /** Of its result, release or commit in the set, from 0; the same in all series. */
  place: number;
  file: string;
  /** When its benchmark began, in ISO 8601. */
  at: string;
  /** Of the client; null where it has no package. */
  release: string | null;
  /** Of a checkout that was measured. */
  commit: string | null;
  value: number;
  /** The same of raw, where that was measured too: how fast the machine was. */
  floor?: number;
}

/** One metric of one cell, as measured under the same conditions. */
export interface Series {
  /** The id of its first cell; by release or commit the others may differ in those. */
  cell: string;
  example: Cell;
  metric: string;
  unit: Unit;
  /** Index of the set's conditions. */
  conditions: number;
  points: SeriesPoint[];
}

export interface SeriesSet {
  order: SeriesOrder;
  series: Series[];
  /** In the order in which they first came. */
  conditions: SeriesConditions[];
  leftOut: LeftOutOfSeries[];
}

export interface LeftOutOfSeries {
  file: string;
  /** `copy`: of a result that another file has. */
  reason: 'unreadable' | 'smoke' | 'copy' | 'no-figures' | 'no-release' | 'no-commit';
  /** Ids of the cells; missing for the whole file. */
  cells?: string[];
  why?: string;
}
