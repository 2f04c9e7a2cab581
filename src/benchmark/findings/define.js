/** @import { JudgedPair } from '../judge/costs.js' */
/** @import { Judged } from '../judge/create-report.js' */
/** @import { Context } from '../report/words/findings.js' */

/**
 * Where the sentence of a finding stands. On the first screen: `choose`, what was concluded that the tables cannot say;
 * `condition`, what it holds under; `cause`, of one group; `next`, what to ask next. `details`: with `--details`. `warning`: on
 * stderr, and in the result.
 * @typedef {'choose' | 'condition' | 'cause' | 'next' | 'details' | 'warning'} Place
 */

/** @template Found @typedef {NonNullable<Found> extends (infer Each)[] ? Each : NonNullable<Found>} One */

/**
 * `find`: the figures of each that applies, with the ids of their cells; `say`: whole sentences, `all` are those of this kind;
 * `details`: what `--details` says. `place` may depend on the figures.
 * @template {string} Id @template {{group: string | null, cells: string[]}} Figures
 * @param {{
 *   id: Id,
 *   find(judged: Judged): Figures[],
 *   place: Place | ((figures: NoInfer<Figures>) => Place),
 *   say(figures: NoInfer<Figures>, context: Context, all: NoInfer<Figures>[]): string | string[],
 *   details?(figures: NoInfer<Figures>, context: Context): string[],
 * }} finding
 */
export const defineFinding = (finding) => finding;

/**
 * Why a cell is slower than another, proven by a test of its own. `find`: its figures, or null where it does not apply;
 * `say`: behind `Why ioredis is slower:`, in few words; `details`: what `--details` adds.
 *
 * `times`: how many times slower it makes a cell by itself, where that is known; `multiplies`: in addition to the others, of which
 * the largest counts. `isRoot`: named before what follows from it; `alone`: next to it, others do not matter.
 * @template {string} Id @template Found
 * @param {{
 *   id: Id,
 *   find(pair: JudgedPair): Found,
 *   times?(figures: One<NoInfer<Found>>, pair: JudgedPair): number,
 *   multiplies?: boolean,
 *   isRoot?: boolean,
 *   alone?(pair: JudgedPair): boolean,
 *   say(figures: One<NoInfer<Found>>): string,
 *   details?(figures: One<NoInfer<Found>>): string[],
 * }} cause
 */
export const defineCause = (cause) => cause;
