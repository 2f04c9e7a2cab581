/** @import { Judged } from '../judge/create-report.js' */
/** @import { Context } from '../report/words/findings.js' */

/**
 * Where the sentence of a finding stands. On the first screen: `first`, above the tables; `choose`, what was concluded that the tables cannot say;
 * `condition`, what it holds under; `cause`, of one group; `next`, what to ask next. `details`: with `--details`. `warning`: on
 * stderr, and in the result.
 * @typedef {'first' | 'choose' | 'condition' | 'cause' | 'next' | 'details' | 'warning'} Place
 */

/**
 * `find`: the figures of each that applies, with the ids of their cells; `say`: whole sentences, `all` are those of this kind;
 * `details`: what `--details` says. `place` may depend on the figures.
 * @template {string} Id @template {{group: string | null, cells: string[]}} Figures
 * @param {{
 *   id: Id,
 *   find(judged: Judged): Figures[],
 *   place?: Place | ((figures: NoInfer<Figures>) => Place),
 *   say?(figures: NoInfer<Figures>, context: Context, all: NoInfer<Figures>[]): string | string[],
 *   details?(figures: NoInfer<Figures>, context: Context): string[],
 * }} finding
 */
export const defineFinding = (finding) => finding;

/** @param {{id: string}[]} cells @param {string | null} [group] null for the whole benchmark */
export const about = (cells, group = null) => ({ group, cells: cells.map(({ id }) => id) });
