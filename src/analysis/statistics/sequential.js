/**
 * Which of several cells is best, asked again after each start until it is known.
 *
 * **Error at any stopping time.** Looking after each start and stopping at will finds false differences in far more
 * than 5 % of cases. So the error is divided among all looks: look k may err with 0.03 · 4 / ((k + 3) (k + 4)), which
 * sums to 0.03. (Not 0.05, because cells of a kind share their variance: with starts of 1 % and 6 %, 6.5 % of 600
 * simulated points of equal cells erred.) So all intervals of all looks hold together with 95 %, whenever looking ends.
 * Most points are decided at looks 2 to 6; the first has few degrees of freedom and gets only a fifth of the error.
 *
 * **A look** compares every pair of remaining cells by their starts (start-test.js). Decided cells only show how much
 * starts vary.
 *
 * - *behind*: the interval against another cell lies below 1; two-sided, the error divided among all pairs
 *   (Bonferroni).
 * - *good*: at most 10 % slower than any other; one-sided, the error divided among the others (Hsu's comparisons with
 *   the best). Both together err no more often: of k cells of which m are equally good, m (m - 1) / (k (k - 1)) + (k -
 *   m) / (k - 1) is at most 1. So a service would not notice what makes no winner, and each question is decided once
 *   intervals are below ±5 %.
 * - *open*: is started again, with the best of the others.
 *
 * **The first start** shows no luck of starts, so nothing is tested. But a cell whose fastest slice is 1.5 times slower
 * than the slowest slice of another is dropped: starts of one cell never differed that much, slices alternate so that
 * disturbances hit both, and time without CPU is taken out of the slower one's. That saves most of the time of a map.
 *
 * By simulation (test/analysis/statistics/sequential.test.js), far fewer than 5 % of points with equal cells ever name
 * one as behind in twelve looks.
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

/** A smaller ratio does not matter. */
export const NO_MATTER = 1.1;
const FAR_BEHIND = 1.5;
const ERROR = 0.03;
/** The larger, the less error the first looks get. */
const EVENNESS = 4;

/** @param {number} look from 1 @returns {number} its share of the error */
export const errorOfLook = (look) => (ERROR * EVENNESS) / ((look + EVENNESS - 1) * (look + EVENNESS));

/** @template {Entrant} Any @param {Any[]} entrants @returns {Map<Any, Standing>} */
export function afterFirstStart(entrants) {
  const sure = Math.max(...entrants.map(({ slices }) => slices.least));
  const near = entrants.filter(({ slices }) => slices.most * FAR_BEHIND >= sure);
  return new Map(
    entrants.map((each) => [each, !near.includes(each) ? 'behind' : near.length === 1 ? 'good' : 'open']),
  );
}

/**
 * @template {Entrant} Any @param {Any[]} entrants all with the same number of starts, two or more @param {number} look
 * from 1 @param {Entrant[]} [witnesses] decided ones, with two starts or more @returns {Map<Any, Standing>}
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
 * @typedef {{low: number, atMost: number}} Lead bounds of a logarithm: `low` with an error that all pairs share,
 * `atMost` with one that the opponents of one cell share
 */

/**
 * By how much a is ahead of b.
 * @template {Entrant} Any @param {Any[]} entrants @param {Entrant[]} witnesses @param {number} error of all together
 * @returns {(a: Any, b: Any) => Lead}
 */
function leads(entrants, witnesses, error) {
  const kinds = new Map([...entrants, ...witnesses].map(({ sample, kind }) => [sample, kind]));
  const pairs = everyPair(entrants.map(({ sample }) => sample));
  const test = startTest(pairs, {
    inRounds: true,
    kindOf: (sample) => kinds.get(sample) ?? 0,
    witnesses: witnesses.map(({ sample }) => sample),
  });
  return (a, b) => {
    const pair = pairs.find((each) => each.includes(a.sample) && each.includes(b.sample));
    const shift = pair && test?.shiftOf(pair);
    if (!shift) return { low: Number.NEGATIVE_INFINITY, atMost: Number.POSITIVE_INFINITY };
    const amongPairs = shift.interval(1 - error / pairs.length);
    // One-sided.
    const amongOthers = shift.interval(1 - (2 * error) / (entrants.length - 1));
    return pair[0] === a.sample
      ? { low: amongPairs.low, atMost: amongOthers.high }
      : { low: -amongPairs.high, atMost: -amongOthers.low };
  };
}
