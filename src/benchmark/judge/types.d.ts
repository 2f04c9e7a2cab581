import type { Figure } from '../../core/store/types.js';
// @ts-ignore inferred from code: programs that use the package see any
import type { FINDINGS } from '../findings/all.js';
// @ts-ignore as above
import type { CAUSES, One } from '../findings/causes.js';
// @ts-ignore as above
import type { choiceRows } from '../report/tables/choices-grid.js';
// @ts-ignore as above
import type { compareGroup } from './compare-group.js';
// @ts-ignore as above
import type { summarize } from './summary.js';

export type Summary = NonNullable<ReturnType<typeof summarize>>;

/** One figure per run of a cell, above 0. */
export type Sample = Figure[];

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
export type ChoiceRow = ReturnType<typeof choiceRows>[number];

export type GroupComparison = ReturnType<typeof compareGroup>;

/** `test`: which was used, in words. */
export type Comparison = GroupComparison & { test: string };

/** A conclusion as data; the report makes its words. `group` is null for the whole benchmark. */
export type Finding = { group: string | null; cells: string[] } & FiguresOf<(typeof FINDINGS)[number]>;

/** What each file makes. */
type FiguresOf<File> = File extends { id: infer Id; find(judged: any): (infer Figures)[] }
  ? { kind: Id } & Figures
  : never;

/** Why a cell is slower, each proven by a test of its own. */
export type Cause = CauseOf<(typeof CAUSES)[number]>;

type CauseOf<File> = File extends { id: infer Id; find(pair: any): infer Found }
  ? { kind: Id; explainsUs: number } & One<Found>
  : never;
