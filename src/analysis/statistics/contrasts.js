/**
 * Which differences can be claimed, and with what test.
 *
 * - **Ratios.** Noise on a machine multiplies: a disturbed run takes 10 % longer, not 10 ms. So tests
 *   work on logarithms, and their intervals are intervals of ratios.
 * - **Every pair counts as a comparison.** The fastest cell of a group is chosen after looking at the
 *   figures. A correction for the comparisons with it alone lets up to 5.5 % of groups of 8 equal cells claim
 *   something (1000 trials, log-normal noise of two sizes, Welch); one for all pairs, 3.8 %. It also covers
 *   the advice, which compares any cell with any other.
 * - **A report is one family.** All that a report may claim is corrected together: every pair of cells of
 *   every group, and of each series of versions what its table and sentence tell of the client's CPU. A
 *   family for each group, or for each series and metric, keeps the rate within the family, but a reader
 *   reads the whole report and sees false claims more often: of 8 equal cells, 2 releases of 4 scenarios, in
 *   23 % of the reports instead of 5 %. The price is small, because the correction grows with the number of
 *   comparisons and the t that it asks for with its logarithm: 9 groups of 8 cells ask for a difference of 12
 *   % where one asks for 9 % (5 runs, noise of 3 %). Why a cell is slower is not in the family: that is asked
 *   only of cells that were claimed to be slower (findings/why-slower.js).
 * - **Mann-Whitney where it can claim anything.** It assumes nothing about the noise, but its smallest p for
 *   5 runs against 5 is 0.0079; times the 28 pairs of 8 cells that is 0.22: a default run could never claim
 *   anything. Where even samples that do not overlap would not do, **Welch's t-test** decides. It assumes
 *   roughly normal logarithms, and stays below 5 % false alarms with heavy tails, skewed noise and outliers
 *   (test/analysis/findings/false-alarms.test.js).
 * - **Pairs only where they help.** A comparison within rounds takes out what all cells of a round have
 *   in common, and pays with half of its degrees of freedom: at 5 runs and 28 pairs that is a gain only
 *   above a correlation of 0.6. So the rounds must be seen to move together in all cells; then it is the
 *   **paired t-test**. (Wilcoxon's signed ranks reach p = 0.0625 at best with 5 rounds: no claim, ever.)
 *
 * - **Starts where there are several.** Cells that were started more than once are compared by their starts
 *   (start-test.js).
 *   The tests above are for one start of each cell, and know nothing about its luck.
 *
 * Which test it is depends on the number of starts and runs and on how alike the rounds are, never on p.
 */
import { median, sum } from 'simple-statistics';
import { everyPair } from '../alike.js';
import { chooseTest } from './choose-test.js';
import { LEVEL } from './interval.js';
import { countStarts, FEWEST_STARTS } from './start-variance.js';

/** @import { Contrast, GroupComparison, Sample, Shift, Tested } from '../types.js' */
/** @import { Chosen } from './choose-test.js' */

/**
 * @template Thing a cell, its id or a sample
 * @typedef {object} Block what one test is chosen for: one metric of the cells of one group
 * @property {[Thing, Thing][]} pairs each pair's first is compared with its second
 * @property {(thing: Thing) => Sample} [of] the sample of each; itself, if not given
 * @property {boolean} [inRounds] whether all were taken in the same rounds; if not given, they were
 * @property {(thing: Thing) => number} [kindOf] which of them vary alike; all, if not given
 */

/**
 * @template Thing
 * @typedef {object} Contrasts
 * @property {Tested} tested
 * @property {(thing: Thing) => Sample} sampleOf
 * @property {(a: Thing, b: Thing) => Contrast | null} between null where that was not asked, in neither direction, or one
 *   of the two has fewer than two runs
 */

/**
 * Every sample of a group against every other.
 * @param {Sample[]} samples
 * @returns {{tested: Tested, between: (a: number, b: number) => Contrast | null}} `between` takes places in `samples`
 */
export function contrastAll(samples) {
  const [{ tested, between }] = contrastFamily([{ pairs: everyPair(samples) }]);
  return { tested, between: (a, b) => between(samples[a], samples[b]) };
}

/**
 * Everything that is claimed together.
 * @param {Block<any>[]} blocks @returns {Contrasts<any>[]} one for each block, all with the same correction
 */
export function contrastFamily(blocks) {
  const sampled = blocks.map(sampledIn);
  const comparisons = sum(sampled.map(({ testable }) => testable.length));
  const tests = sampled.map(({ testable, ...known }) => chooseTest(testable, known, comparisons));
  const shifts = sampled.map(({ testable }, block) => testable.map(tests[block].shiftOf));
  const corrected = holm(shifts.flat().map(({ p }) => p));
  const undecided = corrected.filter((p) => p > 1 - LEVEL).length;
  let first = 0;
  return sampled.map(({ testable, sampleOf, placeOf }, block) => {
    const ps = corrected.slice(first, first + testable.length);
    first += testable.length;
    /** @type {Contrast[]} those that were asked for: of many runs an interval takes long */
    const known = [];
    const contrastOf = (/** @type {unknown} */ a, /** @type {unknown} */ b) => {
      const place = placeOf(a, b);
      if (place === undefined) return null;
      known[place] ??= describe(testable[place], shifts[block][place], ps[place]);
      return known[place];
    };
    const claimed = ps.some((p) => p <= 1 - LEVEL);
    return {
      tested: testedBy(blocks[block], testable, tests[block], { comparisons, undecided, claimed }),
      sampleOf,
      between(a, b) {
        const back = contrastOf(b, a);
        return contrastOf(a, b) ?? (back && inverse(back));
      },
    };
  });
}

/** @param {Block<any>} block */
function sampledIn({ pairs, of = (each) => each, inRounds = true, kindOf = () => 0 }) {
  /** @type {Map<any, Sample>} once for each: there are many more pairs, and runs may be many */
  const samples = new Map([...new Set(pairs.flat())].map((each) => [each, of(each)]));
  const kinds = new Map([...samples].map(([each, sample]) => [sample, kindOf(each)]));
  const telling = tellingOf([...samples.values()]);
  const sampleOf = (/** @type {any} */ each) => samples.get(each) ?? [];
  /** @type {Map<any, Map<any, number>>} */
  const places = new Map([...samples.keys()].map((each) => [each, new Map()]));
  /** @type {[Sample, Sample][]} */
  const testable = [];
  for (const [a, b] of pairs) {
    if (!telling.has(sampleOf(a)) || !telling.has(sampleOf(b))) continue;
    places.get(a)?.set(b, testable.length);
    testable.push([sampleOf(a), sampleOf(b)]);
  }
  return {
    testable,
    rounds: inRounds ? [...samples.values()] : [],
    kindOf: (/** @type {Sample} */ sample) => kinds.get(sample) ?? 0,
    sampleOf,
    placeOf: (/** @type {any} */ a, /** @type {any} */ b) => places.get(a)?.get(b),
  };
}

/** A single run does not show how much runs vary. */
const FEWEST_RUNS = 2;

/**
 * @param {Sample[]} samples
 * @returns {Set<Sample>} those that show how much they vary: if any cell was started several times, one start of
 *   another does not
 */
function tellingOf(samples) {
  const started = samples.filter((sample) => countStarts(sample) >= FEWEST_STARTS);
  return new Set(started.length > 0 ? started : samples.filter(({ length }) => length >= FEWEST_RUNS));
}

/**
 * @param {Block<any>} block @param {[Sample, Sample][]} testable @param {Chosen} chosen
 * @param {{comparisons: number, undecided: number, claimed: boolean}} family `claimed`: a difference of these pairs
 * @returns {Tested}
 */
function testedBy({ pairs }, testable, { by, starts, leastShift }, { comparisons, undecided, claimed }) {
  if (testable.length === 0)
    return { by: null, comparisons: 0, reason: pairs.length === 0 ? 'one-cell' : 'too-few-runs' };
  const tested = { by, comparisons, reason: null };
  // The last one that was claimed had to reach this p (Holm).
  const least = leastShift?.((1 - LEVEL) / Math.min(comparisons, undecided + 1), claimed ? 'any' : 'all');
  return least === undefined ? tested : { ...tested, starts, tellsApart: Math.expm1(least) };
}

/**
 * @param {[Sample, Sample]} pair
 * @param {Shift} shift of the logarithms
 * @param {number} pAdjusted @returns {Contrast}
 */
function describe([a, b], { p, interval }, pAdjusted) {
  // A reader can check the ratio of the medians. No test estimates that, so it may lie outside of the interval,
  // which is then made wider.
  const ratio = medianOf(a) / medianOf(b);
  const bounds = interval();
  const low = Math.min(ratio, Math.exp(bounds.low));
  const high = Math.max(ratio, Math.exp(bounds.high));
  return { ratio, low, high, p, pAdjusted, differs: pAdjusted <= 1 - LEVEL && (low > 1 || high < 1) };
}

/**
 * Holm's correction: raises the p values of several comparisons, so that the chance of any false claim among
 * them is what it is for one.
 * @param {number[]} ps @returns {number[]} in the same order
 */
export function holm(ps) {
  const corrected = new Array(ps.length).fill(1);
  let largest = 0;
  const ascending = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  for (const [rank, { p, index }] of ascending.entries()) {
    largest = Math.min(1, Math.max(largest, p * (ps.length - rank)));
    corrected[index] = largest;
  }
  return corrected;
}

/** @param {{value: number}[]} sample */
export const medianOf = (sample) => median(sample.map(({ value }) => value));

/**
 * Whether a cell can be claimed to be slower than the fastest.
 * @param {Pick<GroupComparison['ranking'][number], 'againstFastest'>} place
 */
export const isSlower = ({ againstFastest }) => againstFastest?.differs ?? false;

/** @param {Contrast} contrast @returns {Contrast} the same comparison the other way round */
export const inverse = (contrast) => ({
  ...contrast,
  ratio: 1 / contrast.ratio,
  low: 1 / contrast.high,
  high: 1 / contrast.low,
});
