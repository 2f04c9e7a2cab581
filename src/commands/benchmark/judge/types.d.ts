import type { Contrast, Verdict } from '../../../statistics/types.js';
import type { CellProfile, Tested } from '../../../store/types.js';
import type { CodeFrame, ProfileKind } from '../../../worker/types.js';

/** What a conclusion is about: `group` is null for the whole benchmark; ids of cells. */
export interface About {
  group: string | null;
  cells: string[];
}

export type Interval = Pick<Contrast, 'ratio' | 'low' | 'high'>;

export interface GroupComparison {
  group: string;
  tested: Tested;
  /** The fastest first. */
  ranking: Ranked[];
  versions: VersionSeries[];
}

/** `test`: which was used, in words. */
export interface Comparison extends GroupComparison {
  test: string;
}

export interface Ranked {
  cell: string;
  opsPerSecond: number;
  /** Null if it finished no operation. */
  timesSlower: number | null;
  /** Against the fastest; null for itself, unless nothing was compared with it. */
  verdict: Verdict | null;
  againstFastest: Contrast | null;
  /** The same with the first cell that was named. */
  againstFirst: Contrast | null;
  /** The share that it reaches of the floor, which takes no part. */
  ofCeiling: number | null;
}

/** The releases of a client, or of Node, the oldest first. */
export interface VersionSeries {
  axis: 'release' | 'node';
  entries: VersionEntry[];
}

export interface VersionEntry extends Record<'opsPerSecond' | 'cpuUsPerOp', VersionFigure> {
  cell: string;
  version: string;
}

export interface VersionFigure {
  median: number | null;
  toPrevious: Contrast | null;
  toNewest: Contrast | null;
}

/** What is fastest in a group, as far as proven. */
export interface Fastest extends About {
  cell: string;
  opsPerSecond: number;
  /** Shown to be as fast. */
  ties: string[];
  /** Not decided. */
  doubtful: { cell: string; timesSlower: number }[];
  notCompared: string[];
  /** The fastest over theirs, in operations per second. */
  slower: ({ cell: string } & Interval)[];
}

/** Which values of a choice no other was shown to beat. */
export interface Decision extends About {
  group: string;
  axis: string;
  /** Null for all clients. */
  client: string | null;
  /**
   * With a cell of each, the fastest first, and how far it is ahead of the others where that is asked. Empty if it depends
   * on the rest, or may (`depends`).
   */
  best: { value: string; example: string; ahead: Interval | null; asked: boolean }[];
  /** What is known of the best, the least of any two; null for one. */
  among: Verdict | null;
  depends: boolean;
  /**
   * `pairs`: how many pairs of cells compare one of the best with it, none for what was not compared; `open`: the better cells
   * of those that do not show it.
   */
  behind: { value: string; example: string; pairs: number; open: string[] }[];
  /** What the best were shown to gain. */
  gains: Gain[];
}

export interface Gain extends Interval {
  winner: string;
  loser: string;
  better: string;
  worse: string;
  pAdjusted: number;
}

/** Why nothing is recommended. `cells`: those that were not warm and yet far ahead, or the winners. */
export type NoVerdict = About &
  (
    | { reason: PlainReason }
    | { reason: 'one-start'; farthestApartTimes: number }
    | { reason: 'copies-differ'; mostTimes: number }
    | ({ reason: 'no-difference' } & Scatter)
    | ({ reason: 'too-noisy'; farthestApartTimes: number } & Scatter)
  );

export type PlainReason = 'smoke' | 'no-result' | 'nothing-to-compare' | 'ahead-though-cold';

export interface Scatter {
  mostRuns: number;
  /** The largest ± of a cell. */
  widestReachShare: number;
  tellsApart?: number;
}

/** What an operation of one cell costs more than one of another, by code. */
export interface CodeDifference {
  cell: string;
  than: string;
  kind: ProfileKind;
  unit: CellProfile['unit'];
  perOp: number;
  againstPerOp: number;
  /** The CPU of the profiled run over that of the timed ones, less 1. */
  offBy: number | null;
  againstOffBy: number | null;
  missesMuch: boolean;
  kinds: CodeChange[];
  modules: CodeChange[];
  functions: CodeChange[];
}

/** Errors are standard errors: of the profiles alone, and with that of the timed runs. */
export interface CodeChange extends CodeFrame {
  perOp: number;
  againstPerOp: number;
  more: number;
  samplingError: number;
  error: number;
}
