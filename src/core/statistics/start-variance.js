import { mean, sampleVariance, sum, sumNthPowerDeviations } from 'simple-statistics';
import { alike, everyPair } from '../../benchmark/judge/alike.js';

/**
 * @import { Sample } from '../../benchmark/judge/types.js'
 *
 * @typedef {object} Started
 * @property {number} kind
 * @property {Map<number, Map<number, number>>} runs logarithms, by start and round
 * @property {Map<number, number>} means by start
 *
 * @typedef {{variance: number, degrees: number}} Estimate
 */

/** The squared error of the mean due to runs within starts. @param {number[][]} starts logarithms of the runs of each */
function runsError(starts) {
  const several = starts.filter(({ length }) => length > 1);
  const degrees = sum(several.map(({ length }) => length - 1));
  if (degrees === 0) return 0;
  const squares = sum(several.map((logs) => sumNthPowerDeviations(logs, 2)));
  return squares / degrees / sum(starts.map(({ length }) => length));
}

/**
 * Cells that open connections vary several times as much as others, so a kind that was started once only is taken to vary
 * three times as much as the rest.
 */
const SEVERAL = 3;

/** @param {Started[]} all @param {(ofKind: Started[]) => Estimate} estimate @returns {Map<number, Estimate>} */
function byKind(all, estimate) {
  const found = new Map(alike(all, ({ kind }) => kind).map((ofKind) => [ofKind[0].kind, estimate(ofKind)]));
  const [known] = [...found.values()].filter(({ degrees }) => degrees > 0);
  if (known === undefined) return found;
  const assumed = { variance: known.variance * SEVERAL ** 2, degrees: known.degrees };
  return new Map([...found].map(([kind, own]) => [kind, own.degrees > 0 ? own : assumed]));
}

/** @typedef {{difference: number, starts: number} & Estimate} Difference `starts`: that it rests on */

/** Compares the starts that both have. @param {Started[]} all @returns {(a: Started, b: Started) => Difference} */
export function withinRounds(all) {
  const estimates = byKind(all, residualsOf);
  const of = (/** @type {Started} */ { kind }) => /** @type {Estimate} */ (estimates.get(kind));
  return (a, b) => {
    const differences = differencesOf(a, b);
    const count = differences.length;
    const own = { variance: count > 1 ? sampleVariance(differences) : 0, degrees: count - 1 };
    const pooled = together(of(a), of(b));
    // A cell that is alone of its kind has only itself.
    const { variance, degrees } = pooled.degrees > own.degrees ? pooled : own;
    // Nothing shows how much their starts vary.
    if (count === 0 || degrees === 0)
      return { difference: 0, variance: Number.POSITIVE_INFINITY, degrees: 1, starts: 0 };
    const ofStarts = Math.max(variance, own.variance) / count;
    const ofRuns = runsError(runDifferences(a, b));
    return { difference: mean(differences), variance: Math.max(ofStarts, ofRuns), degrees, starts: count };
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

/** Welch and Satterthwaite; one object if both are of one kind. @param {Estimate} a @param {Estimate} b @returns {Estimate} */
function together(a, b) {
  const variance = a.variance + b.variance;
  if (a === b) return { variance, degrees: a.degrees };
  if (a.degrees === 0 || b.degrees === 0) return { variance, degrees: 0 };
  return { variance, degrees: variance ** 2 / (a.variance ** 2 / a.degrees + b.variance ** 2 / b.degrees) };
}

/** Two-way analysis of variance. @param {Started[]} cells @returns {Estimate} */
function residualsOf(cells) {
  const pairs = everyPair(cells).map(([a, b]) => differencesOf(a, b));
  const telling = pairs.filter(({ length }) => length > 1);
  if (telling.length === 0) return { variance: 0, degrees: 0 };
  // If all cells have all starts, this equals the residuals.
  const ofDifference =
    sum(telling.map((differences) => sumNthPowerDeviations(differences, 2))) /
    sum(telling.map(({ length }) => length - 1));
  const values = sum(cells.map(({ means }) => means.size));
  const rounds = new Set(cells.flatMap(({ means }) => [...means.keys()])).size;
  return { variance: ofDifference / 2, degrees: Math.max(1, values - cells.length - rounds + 1) };
}

/** @param {Started} a @param {Started} b @returns {number[]} by start, of those that both have */
const differencesOf = (a, b) =>
  [...a.means].flatMap(([start, value]) => {
    const other = b.means.get(start);
    return other === undefined ? [] : [value - other];
  });

/**
 * Samples of two benchmarks share no rounds: what a round did counts as luck of the start.
 * @param {Started[]} all @returns {(a: Started, b: Started) => Difference}
 */
export function apart(all) {
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
    const starts = Math.min(a.means.size, b.means.size);
    return { difference: ofA.middle - ofB.middle, variance, degrees, starts };
  };
}

/** One-way analysis of variance. @param {Started[]} cells @returns {Estimate} */
function scatterOf(cells) {
  const values = cells.map(({ means }) => [...means.values()]);
  const degrees = sum(values.map(({ length }) => length - 1));
  return { variance: sum(values.map((each) => sumNthPowerDeviations(each, 2))) / degrees, degrees };
}

export const FEWEST_STARTS = 2;

/** @param {Sample} sample @returns {number} 0 if it has none */
export const countStarts = (sample) => startsIn(sample).length;

/** @param {Sample} sample */
const startsIn = (sample) => [...new Set(sample.flatMap(({ start }) => start ?? []))];

/** @param {Sample} sample @param {number} kind @returns {Started} */
export function startedOf(sample, kind) {
  /** @type {Started['runs']} */
  const runs = new Map(startsIn(sample).map((start) => [start, new Map()]));
  for (const { start, round, value } of sample)
    if (start !== undefined) runs.get(start)?.set(round, Math.log(value));
  return { kind, runs, means: new Map([...runs].map(([start, logs]) => [start, mean([...logs.values()])])) };
}
