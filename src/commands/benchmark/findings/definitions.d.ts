import type { CellResult, Report } from '../../../store/types.js';
import type { Judged } from '../conclude.js';
import type { JudgedPair } from '../judge/pair-costs.js';
import type { Causes, Figures, Findings } from './types.js';

/**
 * `find`: its figures, or null where it does not apply; `us`: how much of the difference in the time of an operation it
 * explains at most, in µs; `say`: behind `Why ioredis is slower:`, in few words.
 */
export interface CauseRow<Kind extends keyof Causes = keyof Causes> {
  id: Kind;
  find(pair: JudgedPair): Causes[Kind] | Causes[Kind][] | null;
  us(figures: Causes[Kind], pair: JudgedPair): number;
  say(figures: Causes[Kind]): string;
  /** Others follow from it, so it takes its time first. */
  isRoot?: boolean;
  /** Next to it, others do not matter. */
  alone?(pair: JudgedPair): boolean;
}

/**
 * Where the sentence of a finding stands. On the first screen: `first`, above the tables; `choose`, what was concluded that the
 * tables cannot say; `condition`, what it holds under; `cause`, of one group; `breakdown`, below its table; `next`, what to ask next. `details`: with
 * `--details`. `warning`: on stderr, and in the result.
 */
export type Place = 'first' | 'choose' | 'condition' | 'cause' | 'breakdown' | 'next' | 'details' | 'warning';

/** What the words of a finding are made from. */
export interface Context {
  settings: Report['settings'];
  /** Cells with a result. */
  measured: CellResult[];
  servers: Report['servers'];
  cell(id: string): CellResult;
  /** A cell's name in its group, in quotes. */
  name(id: string): string;
}

/** A file of a finding. */
export interface FindingFile<Kind extends keyof Findings = keyof Findings> {
  id: Kind;
  /** The figures of each that applies. */
  find(judged: Judged): Figures<Kind>[];
  place?: Place | { of(figures: Figures<Kind>): Place }['of'];
  /** Whole sentences; `all` are those of this kind. */
  say?(figures: Figures<Kind>, context: Context, all: Figures<Kind>[]): string | string[];
  /** What `--details` says. */
  details?(figures: Figures<Kind>, context: Context): string[];
}
