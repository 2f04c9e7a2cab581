/**
 * Which differences can be claimed, and with what test.
 *
 * - **Ratios.** Noise multiplies: a disturbed run takes 10 % longer, not 10 ms. So tests work on logarithms.
 * - **Every pair is a comparison.** The fastest cell is chosen after looking. If only comparisons with it were
 *   corrected, up to 5.5 % of groups of 8 equal cells would claim something (1000 trials, log-normal noise, Welch);
 *   with all pairs, 3.8 %.
 * - **A report is one family**: every pair of every group and what series of versions report. With a family per group
 *   or series, 23 % of reports of 8 equal cells in 2 releases of 4 scenarios claimed something, instead of 5 %. The
 *   price is small: 9 groups of 8 cells need a difference of 12 % where one needs 9 % (5 runs, noise of 3 %). Why a
 *   cell is slower is asked only of cells claimed to be slower (findings/slower.js), in a family of its own.
 * - **Starts are the unit** (start-test.js). Runs of one start say nothing about the luck of another one: with four copies of a cell
 *   that differ by 3 % from start to start, tests of their runs claimed a difference in more than half of 200 benchmarks. So
 *   nothing is claimed where each cell was started once.
 */
import { pairsOf } from '../collections.js';
import { median, sum } from '../descriptive-statistics.js';
import { MEASURING } from '../method.js';
import { LEVEL } from './interval.js';
import { countStarts, FEWEST_STARTS, startTest } from './start-test.js';
import { stepDown } from './step-down.js';
import { shift } from './student.js';

/** @import { GroupComparison } from '../commands/benchmark/judge/types.js' */
/** @import { Sample, Tested } from '../store/types.js' */
/** @import { StartTest } from './start-test.js' */
/** @import { Shift } from './student.js' */

/**
 * @template Thing a cell, its id or a sample
 * @typedef {object} Block what one test is chosen for: one metric of one group
 * @property {[Thing, Thing][]} pairs
 * @property {(thing: Thing) => Sample} [of] by default the thing itself
 * @property {Thing[][]} [benchmarks] where not all were measured in the same rounds: those that were measured together
 * @property {(thing: Thing) => [Thing, Thing][]} [referencesOf] of the first of a pair: what did not change from the second
 *   benchmark to the first. The change of the pair is taken against theirs, where starts are compared
 * @property {(thing: Thing) => number} [kindOf] things of one kind vary alike; all, by default
 * @property {Thing[]} [witnesses] of the same starts, not compared: they show how much starts vary
 * @property {string} [figure] blocks of one figure show each other how much starts vary, where each start visited all of them
 */

/** Every sample against every other, by index. @param {Sample[]} samples */
export function contrastAll(samples) {
  const [{ tested, between }] = contrastFamily([{ pairs: pairsOf(samples) }]);
  return {
    tested,
    between: (/** @type {number} */ a, /** @type {number} */ b) => between(samples[a], samples[b]),
  };
}

/** Ten times as much: two starts, one of them disturbed, come to thousands of per cent, which say no more than that. */
export const MOST_TOLD = 9;

/**
 * `between`: null if it was not asked, or has fewer than two runs; `levelOf`: of what was compared by its starts, null otherwise.
 * @param {Block<any>[]} blocks @param {number} [times] p of starts counts so many times, if there might have been fewer
 * @returns {{tested: Tested, between(a: unknown, b: unknown): Contrast | null, levelOf(thing: unknown): Level | null}[]} one per block,
 *   corrected together
 */
export function contrastFamily(blocks, times = 1) {
  const sampled = blocks.map(sampledIn);
  const comparisons = sum(sampled.map(({ testable }) => testable.length));
  const tests = sampled.map((block, place) => {
    const { figure } = blocks[place];
    const peers = sampled.filter(
      (other, index) => figure !== undefined && blocks[index].figure === figure && areVisited(block, other),
    );
    return block.testable.length === 0 ? null : startTest(block.testable, { ...block, peers });
  });
  const shifts = sampled.map(({ testable }, block) =>
    testable.map((pair) => /** @type {StartTest} */ (tests[block]).shiftOf(pair)),
  );
  const errors = sampled.flatMap(({ testable }, block) =>
    testable.map((pair) => /** @type {StartTest} */ (tests[block]).errorsOf(pair)),
  );
  const error = (1 - LEVEL) / times;
  const { corrected, left } = stepDown(
    shifts.flat().map(({ p }, place) => ({ p, errors: errors[place] })),
    error,
  );
  const adjusted = corrected.map((p) => Math.min(1, p * times));
  const undecided = adjusted.findIndex((p) => p > 1 - LEVEL);
  // The last claim had to reach this p.
  const lastP = undecided === -1 ? error : error / left[undecided];
  /** @param {number} block @param {number[]} ps @returns {Tested} */
  const testedBy = (block, ps) => {
    const test = tests[block];
    if (test === null) {
      const reason = blocks[block].pairs.length === 0 ? 'one-cell' : 'one-start';
      return { by: null, comparisons: 0, reason };
    }
    const tellsApart = Math.expm1(test.leastShift(lastP, ps.some((p) => p <= 1 - LEVEL) ? 'any' : 'all'));
    return {
      by: 'starts',
      comparisons,
      starts: test.starts,
      tellsApart: tellsApart > MOST_TOLD ? null : tellsApart,
      reason: null,
    };
  };
  let first = 0;
  return sampled.map(({ testable, placeOf, sampleOf }, block) => {
    const [ps, lefts] = [adjusted, left].map((all) => all.slice(first, first + testable.length));
    first += testable.length;
    /** @type {Contrast[]} filled on demand: intervals of many runs are slow */
    const known = [];
    const contrastOf = (/** @type {unknown} */ a, /** @type {unknown} */ b) => {
      const place = placeOf(a, b);
      if (place === undefined) return null;
      known[place] ??= describe(shifts[block][place], ps[place], 1 - error / lefts[place]);
      return known[place];
    };
    return {
      tested: testedBy(block, ps),
      between(a, b) {
        const back = contrastOf(b, a);
        return contrastOf(a, b) ?? (back && inverse(back));
      },
      levelOf: (thing) => levelFrom(tests[block]?.levelOf(sampleOf(thing)) ?? null),
    };
  });
}

/**
 * A speed, with its own 95 % interval, or null where nothing shows how much starts vary.
 * @typedef {{value: number, interval: {low: number, high: number} | null}} Level
 */

/** @param {ReturnType<StartTest['levelOf']>} found in logarithms @returns {Level | null} */
function levelFrom(found) {
  if (found === null) return null;
  const { level, variance, degrees } = found;
  const bounds = degrees > 0 ? shift(level, Math.sqrt(variance), degrees).interval() : null;
  return {
    value: Math.exp(level),
    interval: bounds && {
      low: Math.exp(Math.max(-UNBOUNDED, bounds.low)),
      high: Math.exp(Math.min(UNBOUNDED, bounds.high)),
    },
  };
}

/** @param {Block<any>} block */
function sampledIn(block) {
  const { pairs, of = (each) => each, kindOf = () => 0, witnesses = [], benchmarks = [] } = block;
  const { referencesOf = () => [] } = block;
  const inRounds = benchmarks.length === 0;
  const things = new Set([...pairs.flat(), ...witnesses, ...benchmarks.flat()]);
  /** @type {Map<unknown, Sample>} each is read once: there are many more pairs */
  const samples = new Map([...things].map((each) => [each, of(each)]));
  const kinds = new Map([...samples].map(([each, sample]) => [sample, kindOf(each)]));
  const telling = withEnoughStarts([...samples.values()], inRounds);
  /** @type {Map<Sample, [Sample, Sample][]>} */
  const references = new Map();
  const sampleOf = (/** @type {unknown} */ each) => samples.get(each) ?? [];
  /** @type {Map<unknown, Map<unknown, number>>} */
  const places = new Map([...samples.keys()].map((each) => [each, new Map()]));
  /** @type {[Sample, Sample][]} */
  const testable = [];
  for (const [a, b] of pairs) {
    const compared = [sampleOf(a), sampleOf(b)];
    /** @type {[Sample, Sample][]} */
    const own = referencesOf(a)
      .filter((two) => two.every((each) => countStarts(sampleOf(each)) > 0))
      .map(([one, other]) => [sampleOf(one), sampleOf(other)]);
    // Within their benchmarks, others show how much the starts of a cell vary.
    const isTelling = (/** @type {Sample} */ sample) =>
      own.length > 0 ? countStarts(sample) > 0 : telling.has(sample);
    if (!compared.every(isTelling)) continue;
    if (inRounds && !areComparable(sampleOf(a), sampleOf(b))) continue;
    references.set(sampleOf(a), own);
    places.get(a)?.set(b, testable.length);
    testable.push([sampleOf(a), sampleOf(b)]);
  }
  return {
    testable,
    samples: inRounds ? [...samples.values()] : [],
    witnesses: witnesses.map(sampleOf).filter((sample) => countStarts(sample) > 0),
    sampleOf,
    benchmarks: benchmarks.map((own) => own.map(sampleOf).filter((sample) => countStarts(sample) > 0)),
    referencesOf: (/** @type {[Sample, Sample]} */ [a]) => references.get(a) ?? [],
    kindOf: (/** @type {Sample} */ sample) => kinds.get(sample) ?? 0,
    placeOf: (/** @type {unknown} */ a, /** @type {unknown} */ b) => places.get(a)?.get(b),
  };
}

/**
 * Whether the same starts measured both, one after the other: rounds are counted on from one to the next.
 * @param {Pick<ReturnType<typeof sampledIn>, 'samples'>} one
 * @param {Pick<ReturnType<typeof sampledIn>, 'samples'>} other
 */
function areVisited(one, other) {
  const [runs, others] = [one, other].map(({ samples }) => samples.flat());
  const rounds = new Set(runs.map(({ round }) => round));
  const starts = new Set(runs.map(({ start }) => start));
  return (
    one !== other &&
    others.every(({ round }) => !rounds.has(round)) &&
    others.some(({ start }) => start !== undefined && starts.has(start))
  );
}

/**
 * Runs of one start prove nothing. Within a benchmark a single start counts nevertheless where others were started more often:
 * they show how much starts vary. @param {Sample[]} samples @param {boolean} inRounds
 */
function withEnoughStarts(samples, inRounds) {
  const started = samples.filter((sample) => countStarts(sample) >= FEWEST_STARTS);
  return new Set(
    inRounds && started.length > 1 ? samples.filter((sample) => countStarts(sample) > 0) : started,
  );
}

/** Two cells that were started once, because both are far behind, are not compared with each other. @param {Sample} a @param {Sample} b */
const areComparable = (a, b) =>
  Math.max(countStarts(a), countStarts(b)) >= FEWEST_STARTS &&
  a.some(({ start }) => b.some((other) => other.start === start));

/** @typedef {import('./types.js').Contrast} Contrast */
/** @typedef {import('./types.js').Verdict} Verdict */

/** @param {Shift} shift of the logarithms @param {number} pAdjusted @param {number} level @returns {Contrast} */
function describe({ p, difference, interval }, pAdjusted, level) {
  const ratio = Math.exp(difference);
  const bounds = interval(level);
  const low = Math.min(ratio, Math.exp(Math.max(-UNBOUNDED, bounds.low)));
  const high = Math.max(ratio, Math.exp(Math.min(UNBOUNDED, bounds.high)));
  const differs = pAdjusted <= 1 - LEVEL && (low > 1 || high < 1);
  // p and interval may disagree by a rounding.
  return differs
    ? { ratio, low, high, p, pAdjusted, differs }
    : { ratio, low: Math.min(1, low), high: Math.max(1, high), p, pAdjusted, differs };
}

/** A logarithm beyond any ratio: where few runs bound nothing, the interval still is a number. */
const UNBOUNDED = 30;

/** @param {{value: number}[]} sample */
export const medianOf = (sample) => median(sample.map(({ value }) => value));

/** @typedef {Pick<Contrast, 'ratio' | 'low' | 'high' | 'differs'>} Compared */

/** @param {Compared | null} contrast @returns {Verdict} */
export function verdictOf(contrast) {
  if (contrast === null) return 'not measured';
  if (contrast.differs) return contrast.ratio > 1 ? 'faster' : 'slower';
  return isTie(contrast) ? 'tied' : 'not decided';
}

/**
 * @param {(Compared | null)[]} contrasts of cells with the best of them, which is the first
 * @returns {(Verdict | null)[]} null for the best itself, unless nothing was compared with it
 */
export function verdictsOn(contrasts) {
  const others = contrasts.slice(1).map(verdictOf);
  const isAlone = others.length > 0 && others.every((verdict) => verdict === 'not measured');
  return contrasts.length === 0 ? [] : [isAlone ? 'not measured' : null, ...others];
}

/** @param {Contrast | null} contrast @returns {Partial<Contrast> & {ratio: number, verdict: Verdict}} a ratio of NaN where there was no test */
export const withVerdict = (contrast) => ({ ratio: Number.NaN, ...contrast, verdict: verdictOf(contrast) });

/** @param {{low: number, high: number}} interval of a ratio */
export const isTie = ({ low, high }) => low * MEASURING.tie >= 1 && high <= MEASURING.tie;

/** @param {Pick<GroupComparison['ranking'][number], 'verdict'>} place */
export const isSlower = ({ verdict }) => verdict === 'slower';

/** The other way round. @param {Contrast} contrast @returns {Contrast} */
export const inverse = (contrast) => ({
  ...contrast,
  ratio: 1 / contrast.ratio,
  low: 1 / contrast.high,
  high: 1 / contrast.low,
});
