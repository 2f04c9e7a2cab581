// @ts-ignore inferred from code: programs that use the package see any
import type { FINDINGS } from './all.js';
// @ts-ignore as above
import type { CAUSES, One } from './causes.js';

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
