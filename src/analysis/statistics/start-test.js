/**
 * The test where cells were started more than once.
 *
 * **A start counts once.** What the JIT compiler and memory make of a process differs from start to start and
 * then stays, so runs of one start are more alike than runs of two, and more runs tell no more about it.
 * Measured with four copies of a cell in one benchmark (GET of 1,000 characters, 8 tasks, quiet, 25 slices
 * each, standard deviation of the four means): ioredis, connection per task, 3.8 % and 1.0 % where the scatter
 * of the slices lets expect 1.1 % and 1.3 %; redis, pool, 0.9 % and 0.4 % instead of 3.3 % and 3.0 %, because
 * its garbage collection makes neighbouring slices take turns at being slow. So slices are not independent,
 * one way or the other; starts are.
 *
 * **Within rounds.** The starts of all cells take turns in the same rounds. What was common to those is taken
 * out: two cells are compared by the differences between their starts of the same rounds.
 *
 * **One variance for cells of a kind.** Few starts tell little about how much starts of one cell vary, and an
 * exact permutation test of 5 starts against 5 has p = 0.008 at best, times 66 pairs of 12 cells 0.5. So cells
 * of a kind tell together how much their starts vary, as in an analysis of variance of cells and rounds. (Two
 * kinds: a cell that opens connections does few operations in its time and varies several times as much.)
 * Where two cells vary more than their kind, by their starts or by the runs within them, their own figure
 * counts.
 */
import { studentCritical } from './distributions.js';
import { apart, countStarts, FEWEST_STARTS, startedOf, withinRounds } from './start-variance.js';
import { shift } from './t-test.js';

/** @import { Sample, Shift } from '../types.js' */
/** @import { Started } from './start-variance.js' */

/**
 * @typedef {object} StartTest
 * @property {number} starts of the sample that has the fewest
 * @property {(pair: [Sample, Sample]) => Shift} shiftOf
 * @property {(p: number, of: 'any' | 'all') => number} leastShift smaller ones do not reach this p, in any pair or in
 *   the pair that varies most
 */

/**
 * @param {[Sample, Sample][]} pairs
 * @param {{rounds?: Sample[], kindOf?: (sample: Sample) => number, witnesses?: Sample[]}} [known] samples that were
 *   taken in the same rounds, and which of them vary alike; witnesses are not compared, but tell how much starts vary
 * @returns {StartTest | null} null where a sample has one start only
 */
export function startTest(pairs, { rounds = [], kindOf = () => 0, witnesses = [] } = {}) {
  const samples = [...new Set(pairs.flat())];
  const starts = Math.min(...samples.map(countStarts));
  if (samples.length === 0 || starts < FEWEST_STARTS) return null;
  const all = new Map(
    [...samples, ...witnesses].map((sample) => [sample, startedOf(sample, kindOf(sample))]),
  );
  const test = [...all.keys()].every((sample) => rounds.includes(sample))
    ? withinRounds([...all.values()])
    : apart([...all.values()]);
  const results = new Map(
    pairs.map((pair) => {
      const [a, b] = pair.map((sample) => /** @type {Started} */ (all.get(sample)));
      const { difference, variance, degrees } = test(a, b);
      return [pair, { difference, error: Math.sqrt(variance), degrees }];
    }),
  );
  return {
    starts,
    shiftOf(pair) {
      const { difference, error, degrees } = /** @type {any} */ (results.get(pair));
      return shift(difference, error, degrees);
    },
    leastShift(p, of) {
      const all = [...results.values()];
      const critical = new Map(all.map(({ degrees }) => [degrees, 0]));
      for (const degrees of critical.keys()) critical.set(degrees, studentCritical(p, degrees));
      const least = all.map(({ error, degrees }) => Number(critical.get(degrees)) * error);
      return of === 'any' ? Math.min(...least) : Math.max(...least);
    },
  };
}
