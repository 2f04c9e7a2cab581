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
import { mean } from 'simple-statistics';

/**
 * @typedef {object} BlockCell
 * @property {number} kind cells of one kind vary alike
 * @property {Map<number, number>} starts the logarithm of its speed in each start that it had, at least one
 *
 * @typedef {{variance: number, degrees: number}} Estimate
 * @typedef {{kind: number, places: number[], values: number[]}} Observed `places`: of its starts among all starts
 * @typedef {object} Solution
 * @property {number[]} effects of each cell, with the first start as the origin
 * @property {number[]} starting the effect of each start
 * @property {number[][]} covariance of the starts' effects
 * @property {number[][]} shares of each cell: how much of each start is in its mean
 */

/**
 * Cells that open connections vary several times as much as others, so a kind that was started once only is taken to vary
 * three times as much as the rest.
 */
const SEVERAL = 3;
/** Times that weights and variances are estimated in turn; they change little after the third. One kind needs no weights. */
const TURNS = 4;
/** Ties starts that share no cell, so that the system can be solved; their difference then has no useful precision. */
const LOOSE = 1e-9;
/** Least degrees of freedom that an estimate of variance rests on: one, to rounding. */
const LEAST_DEGREES = 0.999;
/** Nothing that is measured repeats to a millionth; invented figures do. */
const LEAST_VARIANCE = 1e-12;

/** @param {BlockCell[]} cells */
export function fitBlocks(cells) {
  const starts = [...new Set(cells.flatMap((cell) => [...cell.starts.keys()]))];
  const observed = cells.map((cell) => ({
    kind: cell.kind,
    places: [...cell.starts.keys()].map((start) => starts.indexOf(start)),
    values: [...cell.starts.values()],
  }));
  const kinds = [...new Set(cells.map(({ kind }) => kind))];
  let estimates = new Map(kinds.map((kind) => [kind, { variance: 1, degrees: 0 }]));
  let solution = solve(observed, starts.length, estimates);
  for (let turn = 0; turn < (kinds.length > 1 ? TURNS : 1); turn++) {
    estimates = estimateKinds(observed, kinds, solution, estimates);
    solution = solve(observed, starts.length, estimates);
  }
  const { effects, starting, covariance, shares } = solution;
  const averageStart = starting.length === 0 ? 0 : mean(starting);
  const placeOf = new Map(cells.map((cell, place) => [cell, place]));
  /** Of a cell's mean, without what its starts contribute. */
  const errors = observed.map((cell) => {
    const { variance, degrees } = estimateOf(cell, estimates);
    return { variance: variance / cell.values.length, degrees };
  });
  return {
    /**
     * Logarithm of the speed in a start of average luck, with its squared standard error.
     * @param {BlockCell} cell @returns {Estimate & {level: number}}
     */
    level(cell) {
      const place = /** @type {number} */ (placeOf.get(cell));
      const lean = shares[place].map((share) => 1 / starts.length - share);
      const { variance, degrees } = errors[place];
      return {
        level: effects[place] + averageStart,
        variance: variance + quadratic(lean, covariance),
        degrees,
      };
    },

    /**
     * How far a lies above b, in logarithms.
     * @param {BlockCell} a @param {BlockCell} b @returns {Estimate & {difference: number}} `variance`: its squared standard error
     */
    between(a, b) {
      const [one, other] = [a, b].map((cell) => /** @type {number} */ (placeOf.get(cell)));
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

/** @param {Observed} cell @param {Map<number, Estimate>} estimates */
const estimateOf = ({ kind }, estimates) => /** @type {Estimate} */ (estimates.get(kind));

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
  const zeros = () => new Array(count).fill(0);
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
  const covariance = inverseButFirst(matrix);
  const starting = covariance.map((row) => dot(row, right));
  const effects = cells.map(({ places, values }) =>
    mean(values.map((value, index) => value - starting[places[index]])),
  );
  return { effects, starting, covariance, shares };
}

/**
 * The variance of each kind, from the residuals over what the fit leaves free of them.
 * @param {Observed[]} cells @param {number[]} kinds @param {Solution} solution @param {Map<number, Estimate>} before
 * @returns {Map<number, Estimate>}
 */
function estimateKinds(cells, kinds, { effects, starting, covariance, shares }, before) {
  const found = kinds.map((kind) => {
    let [squares, degrees] = [0, 0];
    for (const [cell, { places, values, kind: own }] of cells.entries()) {
      if (own !== kind) continue;
      const { variance } = /** @type {Estimate} */ (before.get(kind));
      for (const [index, start] of places.entries()) {
        squares += (values[index] - effects[cell] - starting[start]) ** 2;
        const lean = shares[cell].map((share, other) => Number(other === start) - share);
        const fitted = 1 / places.length + quadratic(lean, covariance) / variance;
        degrees += Math.max(0, 1 - fitted);
      }
    }
    return degrees >= LEAST_DEGREES
      ? { variance: Math.max(squares / degrees, LEAST_VARIANCE), degrees }
      : { variance: 0, degrees: 0 };
  });
  const known = found.find(({ degrees }) => degrees > 0);
  const assumed =
    known === undefined
      ? { variance: 1, degrees: 0 }
      : { variance: known.variance * SEVERAL ** 2, degrees: known.degrees };
  return new Map(kinds.map((kind, index) => [kind, found[index].degrees > 0 ? found[index] : assumed]));
}

/** @param {number[]} a @param {number[]} b */
function dot(a, b) {
  let total = 0;
  for (let index = 0; index < a.length; index++) total += a[index] * b[index];
  return total;
}

/** @param {number[]} vector @param {number[][]} matrix */
function quadratic(vector, matrix) {
  let total = 0;
  for (const [row, value] of vector.entries()) if (value !== 0) total += value * dot(matrix[row], vector);
  return total;
}

/**
 * Without its first row and column, which are the origin and become zero. By Gauss and Jordan; a positive definite matrix needs
 * no pivoting.
 * @param {number[][]} matrix @returns {number[][]}
 */
function inverseButFirst(matrix) {
  const size = matrix.length;
  const left = matrix.map((row) => [...row]);
  const inverse = matrix.map((_, row) => matrix.map((_, column) => Number(row === column && row > 0)));
  for (let pivot = 1; pivot < size; pivot++) {
    const scale = left[pivot][pivot];
    for (let column = 1; column < size; column++) {
      left[pivot][column] /= scale;
      inverse[pivot][column] /= scale;
    }
    for (let row = 1; row < size; row++) {
      const factor = left[row][pivot];
      if (row === pivot || factor === 0) continue;
      for (let column = 1; column < size; column++) {
        left[row][column] -= factor * left[pivot][column];
        inverse[row][column] -= factor * inverse[pivot][column];
      }
    }
  }
  return inverse;
}
