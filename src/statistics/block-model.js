/**
 * One model for a group of cells: log speed = cell + start + what is left.
 *
 * A race gives cells different numbers of starts, and a start is good or bad for all its cells. This is the classic analysis
 * of an incomplete block design (Cochran and Cox, Experimental Designs, chapter 9); its blocks are the starts. All starts of
 * all cells count for every ratio, so levels and ratios agree: the quotient of two levels is their ratio. A cell that was
 * started once is compared with what the others are worth in that start, not with the luck that the best had there.
 *
 * Solved by weighted least squares with the cells eliminated, so that there are as many unknowns as starts. Cells of a kind
 * share their variance, which is estimated from the residuals.
 */

import { groupBy, mustGet } from '../collections.js';
import { mean, sum } from '../descriptive-statistics.js';

/** @import { Noise } from '../store/types.js' */
/** @import { CellError } from './step-down.js' */

/**
 * @typedef {object} BlockCell
 * @property {number} kind cells of one kind vary alike
 * @property {Map<number, number>} starts the logarithm of its speed in each start that it had, at least one
 * @property {Noise | null} [noise] of its slices; null if unknown
 *
 * @typedef {{variance: number, degrees: number, noise?: number | null}} Estimate `noise`: how much of the variance slices explain
 * @typedef {{times: number, unit: number | null}} Scale `times`: the variance of a cell over that of its kind; `unit`: the noise of slices
 *   for which that is 1, if they are known
 * @typedef {object} Observed a cell
 * @property {number} index among all cells
 * @property {number} kind
 * @property {Scale} scale
 * @property {number[]} places of its starts among all starts
 * @property {number[]} values in these starts
 * @typedef {object} Solution
 * @property {number[]} effects of each cell, with the first start as the origin
 * @property {number[]} starting the effect of each start
 * @property {Float64Array[]} covariance of the starts' effects
 * @property {Float64Array[]} shares of each cell: how much of each start is in its mean
 */

/** Times that weights and variances are estimated in turn; they change little after the third. */
const TURNS = 4;
/** Ties starts that share no cell, so that the system can be solved; their difference then has no useful precision. */
const LOOSE = 1e-9;
/** Least degrees of freedom that an estimate of variance rests on: one, to rounding. */
const LEAST_DEGREES = 0.999;
/** Nothing that is measured repeats to a millionth; invented figures do. */
const LEAST_VARIANCE = 1e-12;
/** @type {Estimate} */
const UNKNOWN = { variance: 1, degrees: 0 };

/**
 * @param {BlockCell[]} cells
 * @param {Map<number, Estimate>[]} [peers] what other groups of the same starts show of how much each kind varies
 */
export function fitBlocks(cells, peers = []) {
  const starts = [...new Set(cells.flatMap((cell) => [...cell.starts.keys()]))];
  const scales = scalesOf(cells);
  const observed = cells.map((cell, index) => ({
    index,
    kind: cell.kind,
    scale: mustGet(scales, cell),
    places: [...cell.starts.keys()].map((start) => starts.indexOf(start)),
    values: [...cell.starts.values()],
  }));
  const fit = fitInTurns(observed, starts.length, peers);
  const { effects, starting, covariance, shares, estimates } = fit;
  const averageStart = starting.length === 0 ? 0 : mean(starting);
  const placeOf = new Map(cells.map((cell, place) => [cell, place]));
  /** The variance of a cell's mean, without what its starts contribute. */
  const errors = observed.map((cell) => {
    const { variance, degrees } = estimateOf(cell, estimates);
    return { variance: variance / cell.values.length, degrees, estimate: mustGet(estimates, cell.kind) };
  });
  return {
    /** How much each kind varies, by its own residuals. */
    variances: peers.length === 0 ? estimates : fitInTurns(observed, starts.length, []).estimates,

    /**
     * Logarithm of the speed in a start of average luck, with its squared standard error.
     * @param {BlockCell} cell @returns {Estimate & {level: number}}
     */
    level(cell) {
      const place = mustGet(placeOf, cell);
      const lean = shares[place].map((share) => 1 / starts.length - share);
      const { variance, degrees } = errors[place];
      return {
        level: effects[place] + averageStart,
        variance: variance + quadratic(lean, covariance),
        degrees,
      };
    },

    /** How far the level of a cell may be off by itself. @param {BlockCell} cell @returns {CellError} */
    errorOf: (cell) => ({ cell, ...errors[mustGet(placeOf, cell)] }),

    /**
     * How far a lies above b, in logarithms.
     * @param {BlockCell} a @param {BlockCell} b @returns {Estimate & {difference: number}} `variance`: its squared standard error
     */
    between(a, b) {
      const [one, other] = [a, b].map((cell) => mustGet(placeOf, cell));
      const lean = shares[one].map((share, start) => share - shares[other][start]);
      const own = together(errors[one], errors[other], a.kind === b.kind);
      return {
        difference: effects[one] - effects[other],
        variance: own.variance + quadratic(lean, covariance),
        degrees: own.degrees,
      };
    },
  };
}

/**
 * @param {Observed[]} observed
 * @param {number} count of starts
 * @param {Map<number, Estimate>[]} peers
 * @returns {Solution & {estimates: Map<number, Estimate>}}
 */
function fitInTurns(observed, count, peers) {
  let estimates = byKind(observed, () => UNKNOWN);
  let solution = solve(observed, count, estimates);
  for (let turn = 0; turn < TURNS; turn++) {
    estimates = byKind(observed, (own) => {
      const found = { ...varianceOf(own, solution, estimates), noise: own[0].scale.unit };
      // Of a kind that was started once here, others only assume how much it varies.
      if (found.degrees === 0) return found;
      return withPeers(
        found,
        peers.flatMap((peer) => peer.get(own[0].kind) ?? []),
      );
    });
    if (estimates.size === 1) {
      // All starts count alike, so that only the scale of the errors was unknown.
      const [{ variance }] = estimates.values();
      const covariance = solution.covariance.map((row) => row.map((each) => each * variance));
      return { ...solution, covariance, estimates };
    }
    solution = solve(observed, count, estimates);
  }
  return { ...solution, estimates };
}

/** @param {Observed} cell @param {Map<number, Estimate>} estimates @returns {Estimate} of a start of this cell */
function estimateOf({ kind, scale }, estimates) {
  const { variance, degrees } = mustGet(estimates, kind);
  return { variance: variance * scale.times, degrees };
}

/**
 * The sum of two independent errors; its degrees of freedom by Welch and Satterthwaite, unless both have the same estimate.
 * @param {Estimate} a @param {Estimate} b @param {boolean} isShared @returns {Estimate}
 */
export function together(a, b, isShared) {
  const variance = a.variance + b.variance;
  if (isShared) return { variance, degrees: a.degrees };
  if (a.degrees === 0 || b.degrees === 0) return { variance, degrees: 0 };
  return { variance, degrees: variance ** 2 / (a.variance ** 2 / a.degrees + b.variance ** 2 / b.degrees) };
}

/**
 * The normal equations of the starts' effects: each cell's starts count by how far they lie from its mean.
 * @param {Observed[]} cells @param {number} count of starts @param {Map<number, Estimate>} estimates @returns {Solution}
 */
function solve(cells, count, estimates) {
  const zeros = () => new Float64Array(count);
  const matrix = Array.from({ length: count }, zeros);
  const right = zeros();
  const shares = cells.map(zeros);
  for (const [cell, observed] of cells.entries()) {
    const { places, values } = observed;
    const weight = 1 / estimateOf(observed, estimates).variance;
    const average = mean(values);
    for (const [index, start] of places.entries()) {
      shares[cell][start] = 1 / places.length;
      right[start] += weight * (values[index] - average);
      matrix[start][start] += weight * (1 + LOOSE);
      for (const other of places) matrix[start][other] -= weight / places.length;
    }
  }
  const covariance = invertButFirst(matrix);
  const starting = covariance.map((row) => dot(row, right));
  const effects = cells.map(({ places, values }) =>
    mean(values.map((value, index) => value - starting[places[index]])),
  );
  return { effects, starting, covariance, shares };
}

/**
 * The variance of a kind, from the residuals over what the fit leaves free of them: of each cell all but its mean, and what
 * its starts have in common with those of other cells.
 * @param {Observed[]} cells of that kind @param {Solution} solution @param {Map<number, Estimate>} before @returns {Estimate}
 */
function varianceOf(cells, { effects, starting, covariance }, before) {
  let [squares, degrees] = [0, 0];
  for (const { index, places, values, kind, scale } of cells) {
    let [own, shared] = [0, 0];
    for (const [at, start] of places.entries()) {
      squares += (values[at] - effects[index] - starting[start]) ** 2 / scale.times;
      own += covariance[start][start];
      for (const other of places) shared += covariance[start][other];
    }
    const variance = mustGet(before, kind).variance * scale.times;
    degrees += places.length - 1 - (own - shared / places.length) / variance;
  }
  if (degrees < LEAST_DEGREES) return UNKNOWN;
  return { variance: Math.max(squares / degrees, LEAST_VARIANCE), degrees };
}

/** One slice in ten takes half as long again: all together tell as much of how they vary as half as many without such. */
const TAILS = 2;

/**
 * How much each cell varies, as a multiple of its kind, by the noise of its slices: garbage collections make redis vary three times
 * as much as ioredis. What one shows is moved towards what all show, as far as chance may have made the difference.
 * @param {BlockCell[]} cells
 * @returns {Map<BlockCell, Scale>}
 */
const scalesOf = (cells) =>
  new Map(groupBy(cells, ({ kind }) => kind).flatMap((own) => [...scalesOfKind(own)]));

/** @param {BlockCell[]} cells @returns {Map<BlockCell, Scale>} */
function scalesOfKind(cells) {
  const known = cells.flatMap(({ noise }) => (noise && noise.variance > 0 ? sliceEstimate(noise) : []));
  if (known.length === 0 || cells.some(({ noise }) => !noise))
    return new Map(cells.map((cell) => [cell, { times: 1, unit: null }]));
  const prior = priorOf(known);
  const explained = cells.map((cell) => {
    const noise = /** @type {Noise} */ (cell.noise);
    const ofSlice =
      prior.degrees === Number.POSITIVE_INFINITY
        ? Math.exp(prior.center)
        : pooled(sliceEstimate(noise), prior).variance;
    return ofSlice / noise.slices;
  });
  const unit = mean(explained);
  return new Map(cells.map((cell, place) => [cell, { times: explained[place] / unit, unit }]));
}

/** @param {Noise} noise @returns {Estimate} */
const sliceEstimate = ({ variance, degrees }) => ({ variance, degrees: variance > 0 ? degrees / TAILS : 0 });

/**
 * Groups that were measured in the same starts vary alike, as a multiple of the noise of their slices: local cells vary several times
 * as much as cells over a network, but in 59 groups of 13 benchmarks the multiple was 1.3, and scattered no more than chance makes it.
 * So a group's variance is moved towards that of the others, the more so, the less these scatter beyond chance (Smyth, Linear models
 * and empirical Bayes methods, 2004).
 *
 * The conditions that a process visits count for themselves: what its start has left over in one says nothing of the next (r = -0.02,
 * 433 pairs of these benchmarks).
 * @param {Estimate} own
 * @param {Estimate[]} peers
 * @returns {Estimate}
 */
function withPeers(own, peers) {
  const telling = peers.filter(({ degrees }) => degrees >= 1);
  if (telling.length === 0) return own;
  const all = own.degrees >= 1 ? [own, ...telling] : telling;
  const isNoiseKnown = [own, ...telling].every(({ noise }) => Number(noise) > 0);
  const unitOf = (/** @type {Estimate} */ { noise }) => (isNoiseKnown ? Number(noise) : 1);
  const prior = priorOf(all.map((each) => ({ ...each, variance: each.variance / unitOf(each) })));
  const shown = sum(telling.map(({ degrees }) => degrees));
  const ofPeers = { ...prior, degrees: Math.min(shown, prior.degrees) };
  const { variance, degrees } = pooled({ ...own, variance: own.variance / unitOf(own) }, ofPeers);
  return { variance: variance * unitOf(own), degrees, noise: own.noise };
}

/**
 * What several estimates have in common, as an estimate of its own: the less they scatter beyond chance, the more it counts.
 * @param {Estimate[]} estimates with degrees of freedom
 * @returns {{center: number, degrees: number}} `center`: of the logarithms of the variances
 */
function priorOf(estimates) {
  // Without what few degrees of freedom make of them.
  const logs = estimates.map(({ variance, degrees }) => Math.log(variance) + shortfallOf(degrees));
  const chances = estimates.map(({ degrees }) => chanceOf(degrees));
  const scatter = scatterBeyond(chances, logs);
  const center = weightedMean(
    logs,
    chances.map((chance) => 1 / (chance + scatter)),
  );
  return { center, degrees: scatter > 0 ? 1 + 2 / scatter : Number.POSITIVE_INFINITY };
}

/**
 * The variance of true values that are known with errors (DerSimonian and Laird, 1986).
 * @param {number[]} chances the squared errors @param {number[]} values
 */
function scatterBeyond(chances, values) {
  const weights = chances.map((chance) => 1 / chance);
  const all = sum(weights);
  const center = weightedMean(values, weights);
  const squares = sum(values.map((value, place) => weights[place] * (value - center) ** 2));
  const expected = all - sum(weights.map((weight) => weight ** 2)) / all;
  return expected > 0 ? Math.max(0, (squares - (values.length - 1)) / expected) : 0;
}

/** @param {number[]} values @param {number[]} weights */
const weightedMean = (values, weights) =>
  sum(values.map((value, place) => value * weights[place])) / sum(weights);

/** @param {Estimate} own @param {ReturnType<typeof priorOf>} prior with finite degrees @returns {Estimate} */
function pooled(own, { center, degrees }) {
  const together = own.degrees + degrees;
  const common = Math.exp(center - shortfallOf(degrees));
  const known = own.degrees > 0 ? own.variance * own.degrees : 0;
  return { variance: (known + common * degrees) / together, degrees: together };
}

/** By how much the logarithm of an estimate is too low on average. @param {number} degrees */
const shortfallOf = (degrees) => 1 / degrees + 1 / (3 * degrees ** 2);

/** The variance of the logarithm of an estimate. @param {number} degrees */
const chanceOf = (degrees) => 2 / degrees + 2 / degrees ** 2 + 4 / (3 * degrees ** 3);

/**
 * Cells that open connections vary several times as much as others, so a kind that was started once only is taken to vary
 * three times as much as the rest.
 */
const SEVERAL = 3;

/**
 * @template {{kind: number}} Cell
 * @param {Cell[]} cells
 * @param {(ofKind: Cell[]) => Estimate} estimate without degrees of freedom where nothing is known
 * @returns {Map<number, Estimate>} by kind
 */
export function byKind(cells, estimate) {
  const found = groupBy(cells, ({ kind }) => kind).map((own) => ({ kind: own[0].kind, ...estimate(own) }));
  const isKnown = (/** @type {Estimate} */ { degrees }) => degrees > 0;
  const known = found.find(isKnown);
  const assumed = known ? { variance: known.variance * SEVERAL ** 2, degrees: known.degrees } : UNKNOWN;
  return new Map(found.map((own) => [own.kind, isKnown(own) ? own : assumed]));
}

/** @param {Float64Array} a @param {Float64Array} b */
function dot(a, b) {
  let total = 0;
  for (let index = 0; index < a.length; index++) total += a[index] * b[index];
  return total;
}

/** @param {Float64Array} vector @param {Float64Array[]} matrix */
function quadratic(vector, matrix) {
  let total = 0;
  for (let row = 0; row < vector.length; row++)
    if (vector[row] !== 0) total += vector[row] * dot(matrix[row], vector);
  return total;
}

/**
 * Inverts in place by Gauss and Jordan, without the first row and column, which are the origin and become zero; a positive
 * definite matrix needs no pivoting.
 * @param {Float64Array[]} matrix
 */
function invertButFirst(matrix) {
  matrix[0]?.fill(0);
  for (const [pivot, own] of matrix.entries()) {
    if (pivot === 0) continue;
    const scale = own[pivot];
    own[0] = 0;
    own[pivot] = 1;
    for (let column = 1; column < own.length; column++) own[column] /= scale;
    for (const row of matrix) {
      const factor = row[pivot];
      if (row === own || factor === 0) continue;
      row[pivot] = 0;
      for (let column = 1; column < row.length; column++) row[column] -= factor * own[column];
    }
  }
  return matrix;
}
