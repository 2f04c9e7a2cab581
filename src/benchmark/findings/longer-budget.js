import { MEASURING } from '../../core/method.js';
import { defineFinding } from './define.js';

/** @import { ComparedGroup } from '../judge/compare-group.js' */
/** @import { Verdict } from '../../core/statistics/contrasts.js' */

const TIE = Math.log(MEASURING.tie);

/**
 * The budget that would decide what the benchmark left open under several conditions, as far as its starts show how much starts
 * vary. Not where that is not known, or where even the most starts of a race would not do.
 */
export default defineFinding({
  id: 'longer-budget',
  place: 'next',

  find({ groups, settings: { races, budgetMs } }) {
    const compared = groups.filter(({ comparison: { ranking } }) => ranking.length > 1);
    const open = compared.filter(isOpen);
    if (!races || compared.length < 2 || open.length === 0) return [];
    const factor = Math.max(...open.map(timesTheStarts));
    if (!Number.isFinite(factor)) return [];
    const cells = open.flatMap(({ comparison }) =>
      comparison.ranking.filter(isUndecided).map(({ cell }) => cell),
    );
    const given = budgetMs ?? MEASURING.budgetMs * compared.length;
    return [
      { group: null, cells, open: open.length, of: compared.length, budgetMs: given * Math.max(1, factor) },
    ];
  },

  say: ({ open, of, budgetMs }) =>
    `Not decided in ${open} of ${of} conditions: about --budget ${budgetText(budgetMs)} would do.`,
});

/** @param {{verdict: Verdict | null}} ranked */
const isUndecided = ({ verdict }) => verdict === 'not decided' || verdict === 'not measured';

/** @param {ComparedGroup} group */
const isOpen = ({ comparison: { ranking } }) => ranking.slice(1).some(isUndecided);

/**
 * An interval narrows with the root of the number of starts. It decides once it leaves out 1, or everything beyond a tie.
 * @param {ComparedGroup} group @returns {number} infinite where that is not known, or too many
 */
function timesTheStarts({ comparison: { ranking, tested } }) {
  const factors = ranking.slice(1).flatMap(({ verdict, againstFastest }) => {
    if (!isUndecided({ verdict })) return [];
    if (againstFastest === null) return Number.POSITIVE_INFINITY;
    const [ratio, low, high] = [againstFastest.ratio, againstFastest.low, againstFastest.high].map(Math.log);
    const wanted = Math.max(Math.abs(ratio), TIE - Math.abs(ratio));
    return ((high - low) / 2 / wanted) ** 2;
  });
  const factor = Math.max(...factors);
  return Number(tested.starts) * factor <= MEASURING.mostStarts ? factor : Number.POSITIVE_INFINITY;
}

/** @param {number} budgetMs @returns {string} rounded up, as the option takes it: `90s`, `12m` */
function budgetText(budgetMs) {
  const seconds = 10 * Math.ceil(budgetMs / 10_000);
  return seconds < 120 ? `${seconds}s` : `${Math.ceil(seconds / 60)}m`;
}
