/**
 * Which of several cells is best, asked again after each start, until it is known.
 *
 * **Error at any stopping time.** Who looks at figures after each start and stops when they please sees a
 * difference between equal cells in far more than 5 % of the cases. So the error is divided among all looks that
 * there may ever be: look k may err with 0.03 · 4 / ((k + 3) (k + 4)), and 1/5 + 2/15 + 2/21 + … = 1. (0.03 and not 0.05,
 * because cells of a kind tell their variance together: where starts of some differ by 1 % and of others by 6 %, points
 * of equal cells erred in 6.5 % of 600 simulated ones with 0.05.) Whenever the
 * looking ends, by a decision or because time is up, all intervals of all looks hold together with 95 %. (Robbins'
 * mixtures and always-valid p-values reach a little less width with known variance; here it is estimated from two
 * to ten starts, for which Student's t is exact. Most points are decided at looks 2 to 6, so the first has only a
 * fifth of the error: it has few degrees of freedom to use it with.)
 *
 * **A look** compares every pair of cells that are left by their starts (start-test.js), with intervals of the
 * ratio. Cells that were decided before are not compared any more, but tell how much starts vary.
 *
 * - A cell is *behind* if the interval against some other lies below 1: two-sided, the look's error divided among
 *   all pairs (Bonferroni).
 * - It is *as good* if it is at most 10 % slower than any other. To be wrong in that, it must be wrong against the
 *   truly best one, which is one of the others: one-sided, the look's error divided among the others (Hsu's
 *   comparisons with the best). Both together err no more often than that: of k cells of which m are equally good,
 *   m (m - 1) / 2 pairs may show a difference that is none, and k - m cells may be taken for good, and
 *   m (m - 1) / (k (k - 1)) + (k - m) / (k - 1) is at most 1.
 *   So a difference of a few percent, shown or not, does not make a winner: a service would not notice it. Whatever
 *   the true difference, one of the two shows once intervals reach less than ±5 %, so that no question stays open
 *   for ever.
 * - Else it is *open*, and is started again, with the best of the others to hold it against.
 *
 * **The first start** shows no luck of starts, so nothing is tested. But a cell whose fastest slice is more than
 * 1.5 times slower than the slowest slice of another is dropped: starts of one cell never differed that much
 * (start-test.js), and slices of two cells take turns, so that a disturbance falls on both; time in which others had its
 * processor is taken out of the slower one's. That saves most of the time, as most ways to connect are far behind at any point of a map.
 *
 * By simulation (test/analysis/statistics/sequential.test.js): of points with equal cells, looked at up to
 * twelve times, far fewer than 5 % ever name one as behind.
 */
import { everyPair } from '../alike.js';
import { startTest } from './start-test.js';

/** @import { Sample } from '../types.js' */

/**
 * @typedef {object} Entrant
 * @property {Sample} sample a figure of each of its starts
 * @property {{least: number, most: number}} slices of its first start
 * @property {number} kind entrants of one kind vary alike
 *
 * @typedef {'good' | 'behind' | 'open'} Standing `good`: best, or as good as the best
 */

/** As a ratio, what does not matter. */
export const NO_MATTER = 1.1;
/** By slices of the first start. */
const FAR_BEHIND = 1.5;
/** The error of all looks together. */
const ERROR = 0.03;
/** The larger, the less the first looks have of it. */
const EVENNESS = 4;

/** @param {number} look from 1 @returns {number} how likely it may err */
export const errorOfLook = (look) => (ERROR * EVENNESS) / ((look + EVENNESS - 1) * (look + EVENNESS));

/** What the first start shows. @template {Entrant} Any @param {Any[]} entrants @returns {Map<Any, Standing>} */
export function afterFirstStart(entrants) {
  const sure = Math.max(...entrants.map(({ slices }) => slices.least));
  const near = entrants.filter(({ slices }) => slices.most * FAR_BEHIND >= sure);
  return new Map(
    entrants.map((each) => [each, !near.includes(each) ? 'behind' : near.length === 1 ? 'good' : 'open']),
  );
}

/**
 * What the starts so far show of the entrants that are left.
 * @template {Entrant} Any @param {Any[]} entrants all with the same number of starts, two or more
 * @param {number} look from 1 @param {Entrant[]} [witnesses] that are decided, with two starts or more
 * @returns {Map<Any, Standing>}
 */
export function afterLook(entrants, look, witnesses = []) {
  if (entrants.length === 1) return new Map([[entrants[0], 'good']]);
  const lead = leads(entrants, witnesses, errorOfLook(look));
  return new Map(
    entrants.map((each) => {
      const others = entrants.filter((other) => other !== each).map((other) => lead(other, each));
      if (others.every(({ atMost }) => atMost <= Math.log(NO_MATTER))) return [each, 'good'];
      return [each, others.some(({ low }) => low > 0) ? 'behind' : 'open'];
    }),
  );
}

/**
 * @typedef {object} Lead as logarithms
 * @property {number} low it is at least this, with an error that all pairs share
 * @property {number} atMost with an error that all opponents of one cell share
 */

/**
 * @template {Entrant} Any @param {Any[]} entrants @param {Entrant[]} witnesses
 * @param {number} error of all of them together @returns {(a: Any, b: Any) => Lead} by how much a is ahead of b
 */
function leads(entrants, witnesses, error) {
  const everyone = [...entrants, ...witnesses];
  const kinds = new Map(everyone.map(({ sample, kind }) => [sample, kind]));
  const pairs = everyPair(entrants.map(({ sample }) => sample));
  const test = startTest(pairs, {
    rounds: everyone.map(({ sample }) => sample),
    kindOf: (sample) => kinds.get(sample) ?? 0,
    witnesses: witnesses.map(({ sample }) => sample),
  });
  const known = new Map(
    pairs.map((pair) => {
      const shift = test?.shiftOf(pair);
      return [
        pair,
        shift && {
          amongPairs: shift.interval(1 - error / pairs.length),
          // Of which only one end counts.
          amongOthers: shift.interval(1 - (2 * error) / (entrants.length - 1)),
        },
      ];
    }),
  );
  return (a, b) => {
    const pair = pairs.find((each) => each.includes(a.sample) && each.includes(b.sample));
    const found = pair && known.get(pair);
    if (!found) return { low: Number.NEGATIVE_INFINITY, atMost: Number.POSITIVE_INFINITY };
    const { amongPairs, amongOthers } = found;
    return pair[0] === a.sample
      ? { low: amongPairs.low, atMost: amongOthers.high }
      : { low: -amongPairs.high, atMost: -amongOthers.low };
  };
}
