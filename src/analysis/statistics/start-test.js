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
import { mean, sampleVariance, sum, sumNthPowerDeviations } from 'simple-statistics';
import { studentCritical } from './distributions.js';
import { shift } from './t-test.js';

/** @import { Sample, Shift } from '../types.js' */

/**
 * @typedef {object} Started a sample, start by start
 * @property {number} kind
 * @property {Map<number, Map<number, number>>} runs the logarithms, by start and round
 * @property {Map<number, number>} means of those, by start
 *
 * @typedef {{variance: number, degrees: number}} Estimate of how much starts vary
 *
 * @typedef {object} StartTest
 * @property {number} starts of the sample that has the fewest
 * @property {(pair: [Sample, Sample]) => Shift} shiftOf
 * @property {(p: number) => number} leastShift smaller ones do not reach this p, in any pair
 */

/** Fewer do not show how much starts differ. */
export const FEWEST_STARTS = 2;

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
      return { ...shift(difference, error, degrees), estimate: difference };
    },
    leastShift(p) {
      const all = [...results.values()];
      const known = [...new Set(all.map(({ degrees }) => degrees))];
      return Math.min(
        ...known.map((degrees) => {
          const errors = all.filter((result) => result.degrees === degrees).map(({ error }) => error);
          return studentCritical(p, degrees) * Math.min(...errors);
        }),
      );
    },
  };
}

/** @param {Sample} sample @returns {number} 0 where it does not tell */
export const countStarts = (sample) => startsIn(sample).length;

/** @param {Sample} sample */
const startsIn = (sample) => [...new Set(sample.flatMap(({ start }) => start ?? []))];

/** @param {Sample} sample @param {number} kind @returns {Started} */
function startedOf(sample, kind) {
  /** @type {Started['runs']} */
  const runs = new Map(startsIn(sample).map((start) => [start, new Map()]));
  for (const { start, round, value } of sample)
    if (start !== undefined) runs.get(start)?.set(round, Math.log(value));
  return { kind, runs, means: new Map([...runs].map(([start, logs]) => [start, mean([...logs.values()])])) };
}

/**
 * How far the mean of all runs may be off, squared, for what runs of one start differ by.
 *
 * @param {number[][]} starts the logarithms of the runs of each
 */
function runsError(starts) {
  const several = starts.filter(({ length }) => length > 1);
  const degrees = sum(several.map(({ length }) => length - 1));
  if (degrees === 0) return 0;
  const squares = sum(several.map((logs) => sumNthPowerDeviations(logs, 2)));
  return squares / degrees / sum(starts.map(({ length }) => length));
}

/**
 * @param {Started[]} all
 * @param {(ofKind: Started[]) => Estimate} estimate
 * @returns {Map<number, Estimate>} by kind
 */
const byKind = (all, estimate) =>
  new Map(
    [...new Set(all.map(({ kind }) => kind))].map((kind) => [
      kind,
      estimate(all.filter((each) => each.kind === kind)),
    ]),
  );

/**
 * Two cells by the differences between their starts of the same rounds.
 *
 * @param {Started[]} all
 * @returns {(a: Started, b: Started) => {difference: number} & Estimate}
 */
function withinRounds(all) {
  const estimates = byKind(all, residualsOf);
  const of = (/** @type {Started} */ { kind }) => /** @type {Estimate} */ (estimates.get(kind));
  return (a, b) => {
    const differences = differencesOf(a, b);
    const count = differences.length;
    const own = { variance: count > 1 ? sampleVariance(differences) : 0, degrees: Math.max(1, count - 1) };
    const pooled = together(of(a), of(b));
    // A cell that is alone of its kind has nothing but itself.
    const { variance, degrees } = pooled.degrees > own.degrees ? pooled : own;
    const ofStarts = Math.max(variance, own.variance) / count;
    const ofRuns = runsError(runDifferences(a, b));
    return { difference: mean(differences), variance: Math.max(ofStarts, ofRuns), degrees };
  };
}

/** @param {Started} a @param {Started} b @returns {number[][]} by start, of the rounds that both have */
const runDifferences = (a, b) =>
  [...a.runs].map(([start, logs]) =>
    [...logs].flatMap(([round, log]) => {
      const other = b.runs.get(start)?.get(round);
      return other === undefined ? [] : [log - other];
    }),
  );

/**
 * What two estimates say of the difference of two starts (Welch and Satterthwaite).
 *
 * @param {Estimate} a
 * @param {Estimate} b the same where both are of one kind
 * @returns {Estimate}
 */
function together(a, b) {
  const variance = a.variance + b.variance;
  if (a === b) return { variance, degrees: a.degrees };
  if (a.degrees === 0 || b.degrees === 0) return { variance, degrees: 0 };
  return { variance, degrees: variance ** 2 / (a.variance ** 2 / a.degrees + b.variance ** 2 / b.degrees) };
}

/**
 * Two-way analysis of variance, of cells and rounds.
 *
 * @param {Started[]} cells
 * @returns {Estimate}
 */
function residualsOf(cells) {
  const pairs = cells.flatMap((b, place) => cells.slice(0, place).map((a) => differencesOf(a, b)));
  const telling = pairs.filter(({ length }) => length > 1);
  if (telling.length === 0) return { variance: 0, degrees: 0 };
  // Where all cells have all starts, the mean over all pairs is exactly what the residuals say.
  const ofDifference =
    sum(telling.map((differences) => sumNthPowerDeviations(differences, 2))) /
    sum(telling.map(({ length }) => length - 1));
  const values = sum(cells.map(({ means }) => means.size));
  const rounds = new Set(cells.flatMap(({ means }) => [...means.keys()])).size;
  return { variance: ofDifference / 2, degrees: Math.max(1, values - cells.length - rounds + 1) };
}

/** @param {Started} a @param {Started} b @returns {number[]} start by start, of those that both have */
const differencesOf = (a, b) =>
  [...a.means].flatMap(([start, value]) => {
    const other = b.means.get(start);
    return other === undefined ? [] : [value - other];
  });

/**
 * Samples of two benchmarks have no rounds in common: what those did to all cells counts as luck of the start.
 *
 * @param {Started[]} all
 * @returns {(a: Started, b: Started) => {difference: number} & Estimate}
 */
function apart(all) {
  const estimates = byKind(all, scatterOf);
  const of = (/** @type {Started} */ { kind, means, runs }) => {
    const values = [...means.values()];
    const { variance, degrees } = /** @type {Estimate} */ (estimates.get(kind));
    return {
      middle: mean(values),
      variance: Math.max(
        Math.max(variance, sampleVariance(values)) / values.length,
        runsError([...runs.values()].map((logs) => [...logs.values()])),
      ),
      degrees,
    };
  };
  return (a, b) => {
    const [ofA, ofB] = [of(a), of(b)];
    const { variance, degrees } =
      a.kind === b.kind
        ? { variance: ofA.variance + ofB.variance, degrees: ofA.degrees }
        : together(ofA, ofB);
    return { difference: ofA.middle - ofB.middle, variance, degrees };
  };
}

/**
 * One-way analysis of variance, of cells.
 *
 * @param {Started[]} cells
 * @returns {Estimate}
 */
function scatterOf(cells) {
  const values = cells.map(({ means }) => [...means.values()]);
  const degrees = sum(values.map(({ length }) => length - 1));
  return { variance: sum(values.map((each) => sumNthPowerDeviations(each, 2))) / degrees, degrees };
}
