/** What is said of obvious differences that too few runs cannot prove: three runs do not show how much they vary. */
import { mean, median, sampleVariance } from 'simple-statistics';
import { metricNamed, samplesOf } from '../store/metrics.js';
import { LEVEL, medianInterval, reach } from './interval.js';
import { smallestP } from './mann-whitney.js';
import { countStarts, FEWEST_STARTS } from './start-test.js';
import { shift } from './student.js';

/** @import { Run } from '../store/types.js' */
/** @import { Sample } from '../../benchmark/judge/types.js' */

/** To be mentioned without proof. By chance three runs lie apart from three in a tenth of all cases, two from two in a third. */
const [FAR_APART, VERY_FAR_APART] = [2, 10];
const [FEW_RUNS, FEWEST_RUNS] = [3, 2];
/** Who needs more than these has no difference that is plain to see. */
const MOST_RUNS = 30;

/** @param {Sample} a @param {Sample} b @returns {boolean} whether all runs of one lie far above all of the other */
export function apartInEveryRun(a, b) {
  const [x, y] = [a, b].map((sample) => sample.map(({ value }) => value));
  if (Math.min(x.length, y.length) < FEWEST_RUNS) return false;
  const [low, high] = median(x) < median(y) ? [x, y] : [y, x];
  const far = Math.min(x.length, y.length) < FEW_RUNS ? VERY_FAR_APART : FAR_APART;
  // Of a latency that is too short for the clock no ratio is known.
  return Math.min(...low) > 0 && Math.min(...high) > far * Math.max(...low);
}

/**
 * How many runs of each a test would need if more of them varied likewise.
 * @param {Sample} a @param {Sample} b @param {number} comparisons that are claimed together @returns {number | null}
 * null if too many, or if starts decide instead
 */
export function enoughRuns(a, b, comparisons) {
  if ([a, b].some((sample) => countStarts(sample) >= FEWEST_STARTS || sample.length < FEWEST_RUNS))
    return null;
  if ([a, b].some((sample) => sample.some(({ value }) => value <= 0))) return null;
  const [x, y] = [a, b].map((sample) => sample.map(({ value }) => Math.log(value)));
  const difference = mean(x) - mean(y);
  const variances = [sampleVariance(x), sampleVariance(y)];
  const separate = apartInEveryRun(a, b);
  const isEnough = (/** @type {number} */ runs) =>
    (separate && smallestP(runs, runs) * comparisons <= 1 - LEVEL) ||
    welchP(difference, variances, runs) * comparisons <= 1 - LEVEL;
  for (let runs = Math.max(x.length, y.length) + 1; runs <= MOST_RUNS; runs++)
    if (isEnough(runs)) return runs;
  return null;
}

/** @param {number} difference @param {number[]} variances @param {number} runs of each */
function welchP(difference, [a, b], runs) {
  const degrees = ((runs - 1) * (a + b) ** 2) / (a ** 2 + b ** 2);
  return shift(difference, Math.sqrt((a + b) / runs), degrees).p;
}

/** The larger ± of operations per second, in percent; Infinity with too few runs for 95 %. @param {Run[]} runs */
export function reachPercent(runs) {
  const values = samplesOf(runs, metricNamed('opsPerSecond')).map(({ value }) => value);
  const interval = medianInterval(values);
  if (interval === null || interval.level < LEVEL) return Number.POSITIVE_INFINITY;
  return reach(interval, median(values)) * 100;
}

/** @param {Iterable<Run[]>} cells @param {number} percent */
export const areStable = (cells, percent) => [...cells].every((runs) => reachPercent(runs) <= percent);

/**
 * How far cells are behind the best of them, where each run starts all that it needs. A difference is stated where each run
 * of one is worse than every run of the best, and that is unlikely by chance for so many comparisons.
 * @param {number[][]} samples of each cell the figure of its runs, less is better
 * @returns {{ratio: number, sure: boolean, isBest: boolean}[]} of each; none is the best where none has a figure
 */
export function behindBest(samples) {
  const medians = samples.map((values) => (values.length === 0 ? Number.POSITIVE_INFINITY : median(values)));
  const best = medians.indexOf(Math.min(...medians));
  const comparisons = samples.filter(({ length }) => length > 0).length - 1;
  return samples.map((values, index) => {
    const [one, other] = [samples[best], values];
    const isApart = other.length > 0 && Math.min(...other) > Math.max(...one);
    const isUnlikely = smallestP(one.length, other.length) * comparisons <= 1 - LEVEL;
    return {
      ratio: medians[index] / medians[best],
      sure: isApart && isUnlikely,
      isBest: index === best && one.length > 0,
    };
  });
}
