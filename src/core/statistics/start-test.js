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
import { mean, sampleVariance, sum, sumNthPowerDeviations } from 'simple-statistics';
import { alike, everyPair } from '../alike.js';
import { shift, studentCritical } from './student.js';

/** @import { Sample } from '../../benchmark/judge/types.js' */
/** @import { Shift } from './student.js' */

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
  const all = new Map([...samples, ...witnesses].map((each) => [each, startedOf(each, kindOf(each))]));
  const of = (/** @type {Sample} */ sample) => /** @type {Started} */ (all.get(sample));
  const test = (inRounds ? withinRounds : apart)([...all.values()]);
  const results = new Map(pairs.map((pair) => [pair, test(of(pair[0]), of(pair[1]))]));
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
      const differing = [...new Set(all.map(({ degrees }) => degrees))];
      const critical = new Map(differing.map((degrees) => [degrees, studentCritical(p, degrees)]));
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
 * Otherwise up to 22 % of simulated races claimed what was so only while processors were kept awake; with this up to 4.3 %,
 * with 0.05 up to 5 % (400 races each of 49 kinds).
 */
const AS_IS = 0.03;

/** @param {Omit<Difference, 'starts'>} found @returns {Shift} */
function shiftBy({ difference, variance, degrees, asIs }) {
  const whole = shift(difference, Math.sqrt(variance), degrees);
  return asIs === undefined || shiftBy(asIs).p <= AS_IS ? whole : { ...whole, p: 1 };
}

/**
 * @typedef {object} Started
 * @property {number} kind
 * @property {Map<number, Map<number, number>>} runs logarithms, by start and round
 * @property {Set<number>} awake rounds in which processors were kept awake
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

/**
 * @typedef {{difference: number, starts: number, asIs?: Estimate & {difference: number}} & Estimate} Difference `starts`: that it
 *   rests on; `asIs`: of those of both states only the machine as it is
 */

/** Of the difference between the states of a pair. Higher than usual, because what is overlooked is claimed of both. */
const STATES_DIFFER = 0.2;

/**
 * Compares the rounds that both have. If processors were kept awake in some, and the two states differ, each has its own
 * difference; otherwise all rounds count together.
 * @param {Started[]} all @returns {(a: Started, b: Started) => Difference[]} of both states, or as the machine is and awake
 */
function withinRounds(all) {
  /** @param {(cell: Started) => Started} of */
  const viewed = (of) => {
    const views = new Map(all.map((cell) => [cell, of(cell)]));
    const difference = inView([...views.values()]);
    return (/** @type {Started} */ a, /** @type {Started} */ b) =>
      difference(/** @type {Started} */ (views.get(a)), /** @type {Started} */ (views.get(b)));
  };
  const overall = viewed((cell) => cell);
  if (all.every(({ awake }) => awake.size === 0)) return (a, b) => [overall(a, b)];
  const [asItIs, awake] = [false, true].map((isAwake) =>
    viewed((cell) => viewOf(cell, inState(cell, isAwake))),
  );
  const gained = viewed((cell) => viewOf(cell, gainOf(cell)));
  return (a, b) => {
    const states = [asItIs(a, b), awake(a, b)];
    if (states.some(({ starts }) => starts === 0)) return [overall(a, b)];
    const { difference, variance, degrees } = gained(a, b);
    const { p } = shift(difference, Math.sqrt(variance), degrees);
    return p <= STATES_DIFFER ? states : [{ ...overall(a, b), asIs: states[0] }];
  };
}

/** @typedef {(rounds: [number, number][]) => [number, number][]} Look at the rounds of a start, and their logarithms */

/** @param {Started} cell @param {Look} look @returns {Started} */
const viewOf = ({ kind, runs, awake }, look) => {
  const own = [...runs].map(([start, logs]) => /** @type {const} */ ([start, new Map(look([...logs]))]));
  return { kind, awake, runs: new Map(own.filter(([, { size }]) => size > 0)) };
};

/** @param {Started} cell @param {boolean} isAwake @returns {Look} */
const inState =
  ({ awake }, isAwake) =>
  (rounds) =>
    rounds.filter(([round]) => awake.has(round) === isAwake);

/** What being kept awake brings, in each start that has both states. @param {Started} cell @returns {Look} */
const gainOf = (cell) => (rounds) => {
  const [own, kept] = [false, true].map((isAwake) => inState(cell, isAwake)(rounds).map(([, log]) => log));
  return own.length * kept.length > 0 ? [[0, mean(kept) - mean(own)]] : [];
};

/** @param {Started[]} all in one state, or in both alike @returns {(a: Started, b: Started) => Difference} */
function inView(all) {
  const estimates = byKind(all, residualsOf);
  const of = (/** @type {Started} */ { kind }) => /** @type {Estimate} */ (estimates.get(kind));
  return (a, b) => {
    const rounds = roundDifferences(a, b);
    const differences = rounds.map((each) => mean(each));
    const own = scatterIn([differences]);
    const pooled = together(of(a), of(b));
    // A cell that is alone of its kind has only itself.
    const { variance, degrees } = pooled.degrees > own.degrees ? pooled : own;
    const starts = differences.length;
    // Nothing shows how much their starts vary.
    if (starts === 0 || degrees === 0)
      return { difference: 0, variance: Number.POSITIVE_INFINITY, degrees: 1, starts: 0 };
    const ofStarts = Math.max(variance, own.variance) / starts;
    return {
      difference: mean(differences),
      variance: Math.max(ofStarts, runsError(rounds)),
      degrees,
      starts,
    };
  };
}

/** @param {Started} a @param {Started} b @returns {number[][]} of the rounds that both have, for each such start */
const roundDifferences = (a, b) =>
  [...a.runs].flatMap(([start, logs]) => {
    const others = b.runs.get(start);
    const differences = [...logs].flatMap(([round, log]) => {
      const other = others?.get(round);
      return other === undefined ? [] : [log - other];
    });
    return differences.length > 0 ? [differences] : [];
  });

/** Welch and Satterthwaite; one object if both are of one kind. @param {Estimate} a @param {Estimate} b @returns {Estimate} */
function together(a, b) {
  const variance = a.variance + b.variance;
  if (a === b) return { variance, degrees: a.degrees };
  if (a.degrees === 0 || b.degrees === 0) return { variance, degrees: 0 };
  return { variance, degrees: variance ** 2 / (a.variance ** 2 / a.degrees + b.variance ** 2 / b.degrees) };
}

/** Two-way analysis of variance. @param {Started[]} cells @returns {Estimate} */
function residualsOf(cells) {
  const pairs = everyPair(cells).map(([a, b]) => roundDifferences(a, b).map((each) => mean(each)));
  const { variance, degrees } = scatterIn(pairs);
  if (degrees === 0) return { variance: 0, degrees: 0 };
  const counts = cells.map(({ runs }) => runs.size);
  const starts = new Set(cells.flatMap(({ runs }) => [...runs.keys()])).size;
  const free = sum(counts) - counts.filter((count) => count > 0).length - starts + 1;
  // Of differences, which vary twice as much. If all cells have all starts, this equals the residuals.
  return { variance: variance / 2, degrees: Math.max(1, free) };
}

/** Around the mean of each. @param {number[][]} samples @returns {Estimate} */
function scatterIn(samples) {
  const telling = samples.filter(({ length }) => length > 1);
  const degrees = sum(telling.map(({ length }) => length - 1));
  const squares = sum(telling.map((differences) => sumNthPowerDeviations(differences, 2)));
  return { variance: degrees === 0 ? 0 : squares / degrees, degrees };
}

/**
 * Samples of two benchmarks share no rounds: what a round did counts as luck of the start.
 * @param {Started[]} all @returns {(a: Started, b: Started) => Difference[]}
 */
export function apart(all) {
  const estimates = byKind(all, scatterOf);
  const of = (/** @type {Started} */ { kind, runs }) => {
    const values = meansOf(runs);
    const { variance, degrees } = /** @type {Estimate} */ (estimates.get(kind));
    const ofStarts = Math.max(variance, sampleVariance(values)) / values.length;
    const ofRuns = runsError([...runs.values()].map((logs) => [...logs.values()]));
    return { middle: mean(values), variance: Math.max(ofStarts, ofRuns), degrees };
  };
  return (a, b) => {
    const [ofA, ofB] = [of(a), of(b)];
    const { variance, degrees } =
      a.kind === b.kind
        ? { variance: ofA.variance + ofB.variance, degrees: ofA.degrees }
        : together(ofA, ofB);
    const starts = Math.min(a.runs.size, b.runs.size);
    return [{ difference: ofA.middle - ofB.middle, variance, degrees, starts }];
  };
}

/** One-way analysis of variance. @param {Started[]} cells */
const scatterOf = (cells) => scatterIn(cells.map(({ runs }) => meansOf(runs)));

/** @param {Started['runs']} runs */
const meansOf = (runs) => [...runs.values()].map((logs) => mean([...logs.values()]));

export const FEWEST_STARTS = 2;

/** @param {Sample} sample @returns {number} 0 if it has none */
export const countStarts = (sample) => startsIn(sample).length;

/** @param {Sample} sample */
const startsIn = (sample) => [...new Set(sample.flatMap(({ start }) => start ?? []))];

/** @param {Sample} sample @param {number} kind @returns {Started} */
function startedOf(sample, kind) {
  /** @type {Started['runs']} */
  const runs = new Map(startsIn(sample).map((start) => [start, new Map()]));
  for (const { start, round, value } of sample)
    if (start !== undefined) runs.get(start)?.set(round, Math.log(value));
  const awake = new Set(sample.flatMap((each) => (each.awake ? [each.round] : [])));
  return { kind, runs, awake };
}
