/**
 * Which of several cells is best, asked again after each start, until it is known.
 *
 * **Error at any stopping time.** Who looks at figures after each start and stops when they please sees a
 * difference between equal cells in far more than 5 % of the cases. So the error is divided among all looks that
 * there may ever be: look k may err with 0.05 / (k (k + 1)), and 1/2 + 1/6 + 1/12 + … = 1. Whenever the looking
 * ends, by a decision or because time is up, all intervals of all looks hold together with 95 %. (Robbins'
 * mixtures and always-valid p-values reach a little less width with known variance; here it is estimated from two
 * to ten starts, for which Student's t is exact.)
 *
 * **A look** compares every pair of cells that are left by their starts (start-test.js), each with an interval of
 * the ratio at the look's level, corrected for all pairs (Bonferroni).
 *
 * - A cell is *behind* if the interval against some other lies below 1.
 * - It is *as good* if the intervals against all others say that it is at most 10 % slower than any of them.
 *   So a difference of a few percent, shown or not, does not make a winner: a service would not notice it. Whatever
 *   the true difference, one of the two shows once intervals reach less than ±5 %, so that no question stays open
 *   for ever.
 * - Else it is *open*, and is started again, with the best of the others to hold it against.
 *
 * **The first start** shows no luck of starts, so nothing is tested. But a cell whose fastest slice is more than
 * 1.5 times slower than the slowest slice of another is dropped: starts of one cell never differed that much
 * (start-test.js), and slices of two cells take turns, so that a disturbance falls on both. That saves most of
 * the time, as most ways to connect are far behind at any point of a map.
 *
 * By simulation (test/analysis/statistics/sequential.test.js): of points with equal cells, looked at up to
 * twelve times, far fewer than 5 % ever name one as behind.
 */
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
export const FAR_BEHIND = 1.5;
/** The error of all looks together. */
const ERROR = 0.05;

/** @param {number} look from 1 @returns {number} how likely it may err */
export const errorOfLook = (look) => ERROR / (look * (look + 1));

/**
 * What the first start shows.
 *
 * @template {Entrant} Any
 * @param {Any[]} entrants
 * @returns {Map<Any, Standing>}
 */
export function afterFirstStart(entrants) {
  const sure = Math.max(...entrants.map(({ slices }) => slices.least));
  const near = entrants.filter(({ slices }) => slices.most * FAR_BEHIND >= sure);
  return new Map(
    entrants.map((each) => [each, !near.includes(each) ? 'behind' : near.length === 1 ? 'good' : 'open']),
  );
}

/**
 * What the starts so far show of the entrants that are left.
 *
 * @template {Entrant} Any
 * @param {Any[]} entrants all with the same number of starts, two or more
 * @param {number} look from 1
 * @returns {Map<Any, Standing>}
 */
export function afterLook(entrants, look) {
  if (entrants.length === 1) return new Map([[entrants[0], 'good']]);
  const lead = leads(entrants, errorOfLook(look));
  return new Map(
    entrants.map((each) => {
      const others = entrants.filter((other) => other !== each).map((other) => lead(other, each));
      if (others.every(({ high }) => high <= Math.log(NO_MATTER))) return [each, 'good'];
      return [each, others.some(({ low }) => low > 0) ? 'behind' : 'open'];
    }),
  );
}

/**
 * @template {Entrant} Any
 * @param {Any[]} entrants
 * @param {number} error of all of them together
 * @returns {(a: Any, b: Any) => {low: number, high: number}} between what a is ahead of b, as logarithms
 */
function leads(entrants, error) {
  const kinds = new Map(entrants.map(({ sample, kind }) => [sample, kind]));
  const pairs = entrants.flatMap((b, place) =>
    entrants.slice(0, place).map((a) => /** @type {[Sample, Sample]} */ ([a.sample, b.sample])),
  );
  const rounds = entrants.map(({ sample }) => sample);
  const test = startTest(pairs, { rounds, kindOf: (sample) => kinds.get(sample) ?? 0 });
  const level = 1 - error / pairs.length;
  const known = new Map(pairs.map((pair) => [pair, test?.shiftOf(pair).interval(level)]));
  return (a, b) => {
    const pair = pairs.find((each) => each.includes(a.sample) && each.includes(b.sample));
    const found = pair && known.get(pair);
    if (!found) return { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
    return pair[0] === a.sample ? found : { low: -found.high, high: -found.low };
  };
}
