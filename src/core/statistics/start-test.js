/**
 * The test of cells that were started more than once.
 *
 * **A start counts once.** What JIT and memory do to a process differs between starts and then stays, so more runs of
 * one start say no more about it. Measured with four copies of a cell (GET of 1,000 characters, 8 tasks, quiet, 25
 * slices each), the standard deviation of the four means was: ioredis, connection per task, 3.8 % and 1.0 % where
 * slices suggest 1.1 % and 1.3 %; redis, pool, 0.9 % and 0.4 % instead of 3.3 % and 3.0 %, because garbage collection
 * slows neighbouring slices alternately. So slices are not independent; starts are.
 *
 * **Within the same start.** Cells are compared by the differences in the starts that both have: a ratio within a start
 * scatters half as much as the figures.
 *
 * **One variance per kind.** A few starts show little of how much they vary, and an exact permutation test of 5 against
 * 5 has p = 0.008 at best, times 66 pairs of 12 cells 0.5. So cells of a kind share their variance, as in an analysis
 * of variance of cells and rounds. (A cell that opens connections does few operations and varies several times as much:
 * another kind.) A cell that was started once, because it is far behind, has the variance of its kind. If two cells vary more than their kind, by their starts or by their runs, their own variance counts.
 */
import { studentCritical } from './distributions.js';
import { apart, countStarts, FEWEST_STARTS, startedOf, withinRounds } from './start-variance.js';
import { shift } from './t-test.js';

/** @import { Sample, Shift } from '../../benchmark/judge/types.js' */
/** @import { Difference, Started } from './start-variance.js' */

/** @typedef {NonNullable<ReturnType<typeof startTest>>} StartTest */

/**
 * null if no sample has several starts. `witnesses` are not compared, but show how much starts vary.
 * @param {[Sample, Sample][]} pairs
 * @param {{inRounds: boolean, kindOf: (sample: Sample) => number, witnesses?: Sample[]}} known
 */
export function startTest(pairs, { inRounds, kindOf, witnesses = [] }) {
  const samples = [...new Set(pairs.flat())];
  const starts = Math.max(0, ...samples.map(countStarts));
  if (starts < FEWEST_STARTS) return null;
  const all = new Map(
    [...samples, ...witnesses].map((sample) => [sample, startedOf(sample, kindOf(sample))]),
  );
  const test = (inRounds ? withinRounds : apart)([...all.values()]);
  const results = new Map(
    pairs.map((pair) => {
      const [a, b] = pair.map((sample) => /** @type {Started} */ (all.get(sample)));
      return [pair, test(a, b)];
    }),
  );
  /** @param {[Sample, Sample]} pair @returns {Shift[]} as the machine is and kept awake, where these differ */
  const shiftsOf = (pair) => (results.get(pair) ?? []).map(shiftBy);
  return {
    starts,
    shiftsOf,
    /** Of the machine as it is. */
    shiftOf: (/** @type {[Sample, Sample]} */ pair) => shiftsOf(pair)[0],
    /**
     * The smallest that reaches this p in any pair, or in all, of those that were started most often.
     * @param {number} p @param {'any' | 'all'} of
     */
    leastShift(p, of) {
      const first = [...results.values()].map(([difference]) => difference);
      const most = Math.max(...first.map((each) => each.starts));
      const all = first.filter((each) => each.starts === most);
      const critical = new Map(all.map(({ degrees }) => [degrees, 0]));
      for (const degrees of critical.keys()) critical.set(degrees, studentCritical(p, degrees));
      const least = all.map(({ variance, degrees, asIs }) =>
        Math.max(
          Number(critical.get(degrees)) * Math.sqrt(variance),
          asIs === undefined ? 0 : studentCritical(AS_IS, asIs.degrees) * Math.sqrt(asIs.variance),
        ),
      );
      return of === 'any' ? Math.min(...least) : Math.max(...least);
    },
  };
}

/**
 * What both states show together is claimed of the machine as it is, whose starts must show it by themselves with this p.
 * Otherwise up to 22 % of simulated races claimed what was so only while processors were kept awake, with 0.05 up to 10 %, with 0.02 up to 6 %.
 */
const AS_IS = 0.01;

/**
 * @param {Omit<Difference, 'starts'>} found @returns {Shift}
 */
function shiftBy({ difference, variance, degrees, asIs }) {
  const whole = shift(difference, Math.sqrt(variance), degrees);
  return asIs === undefined || shiftBy(asIs).p <= AS_IS ? whole : { ...whole, p: 1 };
}
