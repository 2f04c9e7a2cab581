/**
 * The test of cells that were started more than once.
 *
 * **A start counts once.** What JIT and memory do to a process differs between starts and then stays, so more runs of
 * one start say no more about it. Measured with four copies of a cell (GET of 1,000 characters, 8 tasks, quiet, 25
 * slices each), the standard deviation of the four means was: ioredis, connection per task, 3.8 % and 1.0 % where
 * slices suggest 1.1 % and 1.3 %; redis, pool, 0.9 % and 0.4 % instead of 3.3 % and 3.0 %, because garbage collection
 * slows neighbouring slices alternately. So slices are not independent; starts are.
 *
 * **One model.** The speeds of all cells in all starts are fitted together (block-model.js), in each state of the processors.
 *
 * **One variance per kind.** A few starts show little of how much they vary, and an exact permutation test of 5 against
 * 5 has p = 0.008 at best, times 66 pairs of 12 cells 0.5. So cells of a kind share their variance. (A cell that opens
 * connections does few operations and varies several times as much: another kind.) A cell that was started once, because it
 * is far behind, has the variance of its kind. If two cells vary more than their kind, by their starts or by their runs,
 * their own variance counts.
 */

import { mustGet } from '../collections.js';
import { mean, sampleVariance, squaredDeviations, sum } from '../descriptive-statistics.js';
import { byKind, fitBlocks, together } from './block-model.js';
import { shift, studentCritical } from './student.js';

/** @import { Noise, Sample } from '../store/types.js' */
/** @import { Estimate } from './block-model.js' */
/** @import { CellError } from './step-down.js' */
/** @import { Shift } from './student.js' */

/** @typedef {NonNullable<ReturnType<typeof startTest>>} StartTest */

/**
 * null if no sample has several starts; of several benchmarks, any in them. `witnesses` are not compared, but show how much starts vary.
 * @param {[Sample, Sample][]} pairs
 * @param {object} known
 * @param {(sample: Sample) => number} known.kindOf
 * @param {Sample[]} [known.witnesses]
 * @param {Peer[]} [known.peers] groups that were measured in the same starts, at other times
 * @param {Sample[][]} [known.benchmarks] see Block in contrasts.js
 * @param {(pair: [Sample, Sample]) => [Sample, Sample][]} [known.referencesOf] see there
 * @typedef {{samples: Sample[], kindOf: (sample: Sample) => number}} Peer
 */
export function startTest(pairs, known) {
  const { kindOf, witnesses = [], peers = [], benchmarks = [], referencesOf = () => [] } = known;
  const samples = [...new Set(pairs.flat())];
  const starts = Math.max(0, ...[...samples, ...benchmarks.flat()].map(countStarts));
  if (starts < FEWEST_STARTS) return null;
  const measured = new Set([...samples, ...witnesses, ...benchmarks.flat()]);
  const all = new Map([...measured].map((each) => [each, startedOf(each, kindOf(each))]));
  const of = (/** @type {Sample} */ sample) => mustGet(all, sample);
  const { between, levelOf, errorsOf } =
    benchmarks.length === 0
      ? withinRounds(
          [...all.values()],
          peers.map((peer) => peer.samples.map((each) => startedOf(each, peer.kindOf(each)))),
        )
      : apart(benchmarks.map((own) => own.map(of)));
  const results = new Map(
    pairs.map((pair) => {
      /** @type {[Started, Started][]} */
      const references = referencesOf(pair).map(([one, other]) => [of(one), of(other)]);
      return [pair, between(of(pair[0]), of(pair[1]), references)];
    }),
  );
  /** @param {[Sample, Sample]} pair @returns {Shift[]} as the machine is and kept awake, where these differ */
  const shiftsOf = (pair) => (results.get(pair) ?? []).map(shiftBy);
  return {
    starts,
    shiftsOf,
    /** Quotients of levels are the ratios; null for what took no part. @param {Sample} sample */
    levelOf: (sample) => (all.has(sample) ? levelOf(of(sample)) : null),
    shiftOf: (/** @type {[Sample, Sample]} */ pair) => shiftsOf(pair)[0],
    /** @param {[Sample, Sample]} pair */
    errorsOf: ([a, b]) => errorsOf?.(of(a), of(b)) ?? null,
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

/**
 * The difference is that of the machine as it is, so that it agrees with the levels. Where both states decide together, the
 * interval is theirs, widened to what the machine as it is shows by itself.
 * @param {Omit<Difference, 'starts'>} found @returns {Shift}
 */
function shiftBy({ difference, variance, degrees, asIs }) {
  const whole = shift(difference, Math.sqrt(variance), degrees);
  if (asIs === undefined) return whole;
  const alone = shift(asIs.difference, Math.sqrt(asIs.variance), asIs.degrees);
  const isShown = alone.p <= AS_IS && Math.sign(asIs.difference) === Math.sign(difference);
  return {
    p: isShown ? whole.p : 1,
    difference: asIs.difference,
    interval(level) {
      const both = whole.interval(level);
      const own = isShown ? { low: asIs.difference, high: asIs.difference } : alone.interval(1 - AS_IS);
      return { low: Math.min(both.low, own.low), high: Math.max(both.high, own.high) };
    },
  };
}

/**
 * @typedef {object} Started
 * @property {number} kind
 * @property {Map<number, Map<number, number>>} runs logarithms, by start and round
 * @property {Set<number>} awake rounds in which processors were kept awake
 * @property {Noise | null} noise of its slices; null if unknown
 */

/** The squared error of the mean due to runs within starts. @param {number[][]} starts logarithms of the runs of each */
function runsError(starts) {
  const several = starts.filter(({ length }) => length > 1);
  const degrees = sum(several.map(({ length }) => length - 1));
  if (degrees === 0) return 0;
  const squares = sum(several.map((logs) => squaredDeviations(logs)));
  return squares / degrees / sum(starts.map(({ length }) => length));
}

/**
 * @typedef {{difference: number, starts: number, asIs?: Estimate & {difference: number}} & Estimate} Difference `starts`: that it
 *   rests on; `asIs`: of those of both states only the machine as it is
 */

/** A difference between the states of a pair needs more than usual, because what is overlooked is claimed of both. */
const STATES_DIFFER = 0.2;

/**
 * Compares the rounds that both have. If processors were kept awake in some, and the two states differ, each has its own
 * difference; otherwise all rounds count together.
 * @param {Started[]} all
 * @param {Started[][]} peers
 * @returns {Levelled} the differences of both states, or as the machine is and awake
 */
function withinRounds(all, peers) {
  const overall = inView(all, (cell) => cell, peers);
  if (all.every(({ awake }) => awake.size === 0))
    return { ...overall, between: (a, b) => [overall.between(a, b)] };
  const [asIs, awake] = [false, true].map((isAwake) =>
    inView(all, (cell) => viewOf(cell, inState(cell, isAwake)), peers),
  );
  const gained = inView(all, (cell) => viewOf(cell, gainOf(cell)), peers);
  return {
    between(a, b) {
      const states = [asIs.between(a, b), awake.between(a, b)];
      const known = states.filter(({ starts }) => starts > 0);
      if (known.length < 2) return known.length > 0 ? known : [UNKNOWN];
      const { difference, variance, degrees } = gained.between(a, b);
      const { p } = shift(difference, Math.sqrt(variance), degrees);
      return p <= STATES_DIFFER ? states : [{ ...overall.between(a, b), asIs: states[0] }];
    },
    levelOf: (cell) => asIs.levelOf(cell) ?? awake.levelOf(cell),
    errorsOf: overall.errorsOf,
  };
}

/**
 * @typedef {object} Levelled
 * @property {(a: Started, b: Started, references?: [Started, Started][]) => Difference[]} between `references`: what did not change
 *   from b to a
 * @property {(cell: Started) => (Estimate & {level: number}) | null} levelOf logarithms
 * @property {(a: Started, b: Started) => [CellError, CellError] | null} [errorsOf] of two that vary by one estimate
 */

/** @typedef {(rounds: [number, number][]) => [number, number][]} Look at the rounds of a start, and their logarithms */

/** @param {Started} cell @param {Look} look @returns {Started} */
const viewOf = ({ runs, ...cell }, look) => {
  /** @type {Started['runs']} */
  const own = new Map();
  for (const [start, logs] of runs) {
    const seen = look([...logs]);
    if (seen.length > 0) own.set(start, new Map(seen));
  }
  return { ...cell, runs: own };
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

/**
 * The model of one state, or of what being kept awake brings.
 * @param {Started[]} all
 * @param {(cell: Started) => Started} look
 * @param {Started[][]} [peers]
 */
function inView(all, look, peers = []) {
  const views = new Map(all.map((cell) => [cell, look(cell)]));
  const blocks = blocksOf(views);
  const shown = peers.map((group) => blocksOf(new Map(group.map((cell) => [cell, look(cell)]))));
  const model = fitBlocks(
    [...blocks.values()],
    shown.map((group) => fitBlocks([...group.values()]).variances),
  );
  return {
    /** @param {Started} cell */
    levelOf(cell) {
      const block = blocks.get(cell);
      return block === undefined ? null : model.level(block);
    },
    /** @param {Started} a @param {Started} b @returns {[CellError, CellError] | null} */
    errorsOf(a, b) {
      const [one, other] = [blocks.get(a), blocks.get(b)];
      if (one === undefined || other === undefined || one.kind !== other.kind) return null;
      const errors = /** @type {[CellError, CellError]} */ ([one, other].map(model.errorOf));
      return errors.every(({ degrees }) => degrees > 0) ? errors : null;
    },
    /** @param {Started} a @param {Started} b @returns {Difference} */
    between(a, b) {
      const [one, other] = [blocks.get(a), blocks.get(b)];
      if (one === undefined || other === undefined) return UNKNOWN;
      const rounds = roundDifferences(mustGet(views, a), mustGet(views, b));
      const starts = rounds.length;
      const { difference, variance, degrees } = model.between(one, other);
      // Nothing shows how much their starts vary.
      if (starts === 0 || degrees === 0) return UNKNOWN;
      const own = scatterIn([rounds.map((each) => mean(each))]).variance / starts;
      return { difference, variance: Math.max(variance, own, runsError(rounds)), degrees, starts };
    },
  };
}

/** @param {Map<Started, Started>} views */
const blocksOf = (views) =>
  new Map(
    [...views]
      .filter(([, { runs }]) => runs.size > 0)
      .map(([cell, { kind, noise, runs }]) => [cell, { kind, noise, starts: startMeans(runs) }]),
  );

/** @type {Estimate} */
const NOTHING_KNOWN = { variance: Number.POSITIVE_INFINITY, degrees: 1 };

/** @type {Difference} */
const UNKNOWN = { difference: 0, ...NOTHING_KNOWN, starts: 0 };

/** @param {Started['runs']} runs @returns {Map<number, number>} each start with the mean of its runs */
const startMeans = (runs) => new Map([...runs].map(([start, logs]) => [start, mean([...logs.values()])]));

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

/** Around the mean of each. @param {number[][]} samples @returns {Estimate} */
function scatterIn(samples) {
  const telling = samples.filter(({ length }) => length > 1);
  const degrees = sum(telling.map(({ length }) => length - 1));
  const squares = sum(telling.map((differences) => squaredDeviations(differences)));
  return { variance: degrees === 0 ? 0 : squares / degrees, degrees };
}

/**
 * Cells of two benchmarks, which share no start: what a start did counts as luck, and what the machine did in between as a change.
 * Both cancel out where a cell is compared with one that did not change and had the same starts (difference of differences).
 * @param {Started[][]} benchmarks the cells of each, which have a model of their own @returns {Levelled}
 */
function apart(benchmarks) {
  const models = new Map(
    benchmarks.flatMap((own) => {
      const view = inView(own, (cell) => cell);
      return own.map((cell) => [cell, view]);
    }),
  );
  const modelOf = (/** @type {Started} */ cell) => mustGet(models, cell);
  const estimates = byKind([...models.keys()], scatterOf);
  /** @param {Started} cell @returns {Estimate} the error of its level, with the luck of its starts */
  const errorOf = ({ kind, runs }) => {
    const values = [...startMeans(runs).values()];
    if (values.length < FEWEST_STARTS) return NOTHING_KNOWN;
    const { variance, degrees } = mustGet(estimates, kind);
    const ofStarts = Math.max(variance, sampleVariance(values)) / values.length;
    const ofRuns = runsError([...runs.values()].map((logs) => [...logs.values()]));
    return { variance: Math.max(ofStarts, ofRuns), degrees };
  };
  const levelOf = (/** @type {Started} */ cell) => modelOf(cell).levelOf(cell);
  return {
    levelOf,
    between(a, b, references = []) {
      if (references.length === 0) {
        const difference = Number(levelOf(a)?.level) - Number(levelOf(b)?.level);
        const error = together(errorOf(a), errorOf(b), a.kind === b.kind);
        return [{ difference, ...error, starts: Math.min(a.runs.size, b.runs.size) }];
      }
      const after = meanOf(references.map(([one]) => modelOf(a).between(a, one)));
      const before = meanOf(references.map(([, other]) => modelOf(b).between(b, other)));
      const starts = Math.min(after.starts, before.starts);
      if (starts === 0) return [UNKNOWN];
      return [
        { difference: after.difference - before.difference, ...together(after, before, false), starts },
      ];
    },
  };
}

/**
 * How far a cell lies above several others. The errors are not independent, as all have that of the cell: no mean of them has a
 * larger error than the mean of these.
 * @param {Difference[]} all @returns {Difference}
 */
const meanOf = (all) => ({
  difference: mean(all.map(({ difference }) => difference)),
  variance: mean(all.map(({ variance }) => Math.sqrt(variance))) ** 2,
  degrees: Math.min(...all.map(({ degrees }) => degrees)),
  starts: Math.min(...all.map(({ starts }) => starts)),
});

/** One-way analysis of variance. @param {Started[]} cells */
const scatterOf = (cells) => scatterIn(cells.map(({ runs }) => [...startMeans(runs).values()]));

export const FEWEST_STARTS = 2;

/** @param {Pick<Sample[number], 'start'>[]} sample or runs @returns {number} 0 if it has none */
export const countStarts = (sample) => startsIn(sample).length;

/** @param {Pick<Sample[number], 'start'>[]} sample */
const startsIn = (sample) => [...new Set(sample.flatMap(({ start }) => start ?? []))];

/** @param {Sample} sample @param {number} kind @returns {Started} */
function startedOf(sample, kind) {
  /** @type {Started['runs']} */
  const runs = new Map(startsIn(sample).map((start) => [start, new Map()]));
  for (const { start, round, value } of sample)
    if (start !== undefined) runs.get(start)?.set(round, Math.log(value));
  const awake = new Set(sample.flatMap((each) => (each.awake ? [each.round] : [])));
  return { kind, runs, awake, noise: noiseOf(sample) };
}

/** @param {Sample} sample @returns {Noise | null} of a start on average */
function noiseOf(sample) {
  const known = [...new Set(sample.flatMap(({ noise }) => noise ?? []))];
  if (known.length === 0) return null;
  const degrees = sum(known.map((noise) => noise.degrees));
  const squares = sum(known.map((noise) => noise.variance * noise.degrees));
  const slices = 1 / mean(known.map((noise) => 1 / noise.slices));
  return { variance: degrees === 0 ? 0 : squares / degrees, degrees, slices };
}
