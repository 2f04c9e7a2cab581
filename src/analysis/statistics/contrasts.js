/**
 * Which differences can be claimed, and with what test.
 *
 * - **Ratios.** Noise on a machine multiplies: a disturbed run takes 10 % longer, not 10 ms. So tests
 *   work on logarithms, and their intervals are intervals of ratios.
 * - **Every pair counts as a comparison.** The fastest cell of a group is chosen after looking at the
 *   figures. A correction for the comparisons with it alone lets up to 5.5 % of groups of 8 equal cells
 *   claim something (1000 trials, log-normal noise of two sizes, Welch); one for all pairs, 3.8 %. It
 *   also carries the advice, which holds any cell against any other.
 * - **Mann-Whitney where it can speak.** It asks nothing of the noise, but its smallest p for 5 runs
 *   against 5 is 0.0079; times the 28 pairs of 8 cells that is 0.22: a default run could never claim
 *   anything. Where even samples that do not overlap would not do, **Welch's t-test** decides. It
 *   asks for logarithms that are about normal, and stays below 5 % false alarms with heavy tails,
 *   skewed noise and outliers (test/stats/false-alarms.test.js).
 * - **Pairs only where they help.** A comparison within rounds takes out what all cells of a round have
 *   in common, and pays with half of its degrees of freedom: at 5 runs and 28 pairs that is a gain only
 *   above a correlation of 0.6. So the rounds must be seen to move together in all cells; then it is the
 *   **paired t-test**. (Wilcoxon's signed ranks reach p = 0.0625 at best with 5 rounds: no claim, ever.)
 *
 * Which test it is depends on the number of runs and on how alike the rounds are, never on p. None of
 * them knows what a process has by luck: runs in the same process are more alike than runs of two.
 */
import { median, sumNthPowerDeviations } from 'simple-statistics';
import { inverse } from '../findings/claims.js';
import { holm } from './holm.js';
import { LEVEL } from './interval.js';
import { mannWhitney } from './mann-whitney.js';
import { paired, welch } from './t-test.js';
import { smallestP } from './u-distribution.js';

/** @import { Contrast, Shift, Tested } from '../types.js' */

/** Below this correlation of the rounds a paired test is the weaker one (see above). */
const ALIKE = 0.6;
/** Fewer rounds cannot show whether they move together, nor give a paired test any power. */
const FEWEST_ROUNDS = 5;
/** So many standard deviations above 0 chance lifts a correlation once in a hundred times. */
const NOT_BY_CHANCE = 2.33;

/**
 * @typedef {{value: number, round: number}[]} Sample one figure of each run, above 0
 * @typedef {(a: number[], b: number[]) => Shift} Test of logarithms
 */

/**
 * Every sample of a group against every other.
 *
 * @param {Sample[]} samples
 * @returns {{tested: Tested, between: (a: number, b: number) => Contrast | null}}
 *   `between` takes places in `samples`; null where one of the two has fewer than two runs
 */
export function contrastAll(samples) {
  const places = samples.flatMap((_, b) => Array.from({ length: b }, (_, a) => ({ a, b })));
  const { tested, contrastOf } = contrastPairs(
    places.map(({ a, b }) => [samples[a], samples[b]]),
    samples,
  );
  const indexes = new Map(places.map(({ a, b }, index) => [`${a} ${b}`, index]));
  return {
    tested,
    between(a, b) {
      const index = indexes.get(`${Math.min(a, b)} ${Math.max(a, b)}`);
      const contrast = index === undefined ? null : contrastOf(index);
      return contrast === null || a < b ? contrast : inverse(contrast);
    },
  };
}

/**
 * Each pair's first sample against its second.
 *
 * @param {[Sample, Sample][]} pairs
 * @param {Sample[]} [rounds] samples that were taken in the same rounds, if they were
 * @returns {{tested: Tested, contrastOf: (index: number) => Contrast | null}}
 *   `contrastOf` takes the index of a pair; null where one of the two has fewer than two runs
 */
export function contrastPairs(pairs, rounds = []) {
  const testable = pairs.filter(([a, b]) => Math.min(a.length, b.length) >= 2);
  if (testable.length === 0) {
    const reason = pairs.length === 0 ? 'one-cell' : 'too-few-runs';
    return { tested: { by: null, comparisons: 0, reason }, contrastOf: () => null };
  }
  const { by, test } = chooseTest(testable, rounds);
  const logs = new Map(pairs.flat().map((sample) => [sample, sample.map(({ value }) => Math.log(value))]));
  const shifts = testable.map(([a, b]) => test(logs.get(a) ?? [], logs.get(b) ?? []));
  const corrected = holm(shifts.map(({ p }) => p));
  const found = new Map(testable.map((pair, index) => [pair, index]));
  return {
    tested: { by, comparisons: testable.length, reason: null },
    contrastOf(index) {
      const place = found.get(pairs[index]);
      return place === undefined ? null : describe(pairs[index], shifts[place], corrected[place]);
    },
  };
}

/**
 * @param {[Sample, Sample][]} pairs
 * @param {Sample[]} rounds
 * @returns {{by: NonNullable<Tested['by']>, test: Test}}
 */
function chooseTest(pairs, rounds) {
  if (moveTogether(rounds)) {
    return { by: 'paired', test: paired };
  }
  const sizes = new Map(pairs.map(([a, b]) => [`${a.length} ${b.length}`, [a.length, b.length]]));
  const bestP = Math.max(...[...sizes.values()].map(([n, m]) => smallestP(n, m)));
  return bestP * pairs.length <= 1 - LEVEL
    ? { by: 'mann-whitney', test: mannWhitney }
    : { by: 'welch', test: welch };
}

/**
 * Whether a round that is good for one cell is good for all: by the mean rank correlation of the cells,
 * which follows from Kendall's coefficient of concordance W.
 *
 * @param {Sample[]} samples
 */
function moveTogether(samples) {
  const cells = samples.length;
  if (cells < 2 || samples[0].length < FEWEST_ROUNDS) return false;
  const rounds = samples[0].map(({ round }) => round);
  if (samples.some((sample) => sample.map(({ round }) => round).join() !== rounds.join())) return false;
  const sums = new Array(rounds.length).fill(0);
  for (const sample of samples) {
    const ascending = sample.map(({ value }, place) => ({ value, place })).sort((a, b) => a.value - b.value);
    for (const [rank, { place }] of ascending.entries()) sums[place] += rank;
  }
  const most = (cells ** 2 * (rounds.length ** 3 - rounds.length)) / 12;
  const concordance = sumNthPowerDeviations(sums, 2) / most;
  const correlation = (cells * concordance - 1) / (cells - 1);
  // Without common rounds each pair's is 0 on average, with a variance of 1 / (rounds - 1), on its own.
  const deviation = 1 / Math.sqrt(((cells * (cells - 1)) / 2) * (rounds.length - 1));
  return correlation >= Math.max(ALIKE, NOT_BY_CHANCE * deviation);
}

/**
 * @param {[Sample, Sample]} pair
 * @param {Shift} shift of the logarithms
 * @param {number} pAdjusted
 * @returns {Contrast}
 */
function describe([a, b], { p, interval }, pAdjusted) {
  const middle = (/** @type {Sample} */ sample) => median(sample.map(({ value }) => value));
  // The ratio that a reader can check is that of the medians. It is no test's own estimate, so that,
  // rarely, it lies outside of the interval: that is made wider then, never the claim bolder.
  const ratio = middle(a) / middle(b);
  const bounds = interval();
  const low = Math.min(ratio, Math.exp(bounds.low));
  const high = Math.max(ratio, Math.exp(bounds.high));
  return { ratio, low, high, p, pAdjusted, differs: pAdjusted <= 1 - LEVEL && (low > 1 || high < 1) };
}
