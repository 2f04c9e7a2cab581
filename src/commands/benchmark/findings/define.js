/** @import { CellResult, Report } from '../../../store/types.js' */
/** @import { Judged } from '../conclude.js' */

/**
 * Where the sentence of a finding stands. On the first screen: `first`, above the tables; `choose`, what was concluded that the tables cannot say;
 * `condition`, what it holds under; `cause`, of one group; `next`, what to ask next. `details`: with `--details`. `warning`: on
 * stderr, and in the result.
 * @typedef {'first' | 'choose' | 'condition' | 'cause' | 'next' | 'details' | 'warning'} Place
 */

/**
 * What the words of a finding are made from.
 * @typedef {object} Context
 * @property {Report['settings']} settings
 * @property {CellResult[]} measured cells with a result
 * @property {Report['servers']} servers
 * @property {(id: string) => CellResult} cell
 * @property {(id: string) => string} name a cell's name in its group, in quotes
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
