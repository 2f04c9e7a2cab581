import { mean, sampleVariance } from '../descriptive-statistics.js';
import { LEVEL } from './interval.js';

/**
 * @typedef {object} Shift
 * @property {number} p
 * @property {number} difference of the means
 * @property {(level?: number) => {low: number, high: number}} interval on demand: of many comparisons only p is needed
 */

/** The end of double precision. */
const NEGLIGIBLE = 1e-15;
const MOST_TERMS = 300;
/** Relative to the root; p is no more exact. */
const EXACT = 1e-12;
/** Stands for a zero denominator (Lentz's method). */
const TINY = 1e-300;

/** More degrees: Student's t equals the normal distribution to five digits, in the tails too. */
const AS_GOOD_AS_NORMAL = 1e6;

/** The two-sided p of Student's t. @param {number} t @param {number} degrees fractional (Welch), or Infinity: the normal distribution */
export function studentTwoSided(t, degrees) {
  const finite = Math.min(degrees, AS_GOOD_AS_NORMAL);
  return incompleteBeta(finite / (finite + t * t), finite / 2, 1 / 2);
}

/** The t of a two-sided p: 2.776 for 0.05 and 4 degrees. @param {number} p above 0 @param {number} degrees of freedom */
export function studentCritical(p, degrees) {
  const density = studentDensity(degrees);
  // Newton's method takes 5 to 25 steps and never overshoots: p falls ever more slowly with t.
  let t = 0;
  let step = Number.POSITIVE_INFINITY;
  while (step > t * EXACT) {
    step = (studentTwoSided(t, degrees) - p) / (2 * density(t));
    t += step;
  }
  return t;
}

/** @param {number} degrees of freedom @returns {(t: number) => number} */
function studentDensity(degrees) {
  const finite = Math.min(degrees, AS_GOOD_AS_NORMAL);
  const half = (finite + 1) / 2;
  const atZero = Math.exp(logGamma(half) - logGamma(finite / 2)) / Math.sqrt(finite * Math.PI);
  return (t) => atZero * (1 + (t * t) / finite) ** -half;
}

/**
 * The regularized incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22) and Lentz's method. No
 * package of our size has it.
 * @param {number} x from 0 to 1 @param {number} a @param {number} b @returns {number}
 */
export function incompleteBeta(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // It converges fast on this side of the mean; the other side is its mirror image.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const logFront = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  let numerator = 1;
  let denominator = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = denominator;
  for (let m = 1; m <= MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const term of [even, odd]) {
      denominator = 1 / nonZero(1 + term * denominator);
      numerator = nonZero(1 + term / numerator);
      change = numerator * denominator;
      fraction *= change;
    }
    if (Math.abs(change - 1) < NEGLIGIBLE) break;
  }
  return (Math.exp(logFront) * fraction) / a;
}

/** From here on Stirling's series is exact to double precision. */
const LARGE = 16;

/** The logarithm of the gamma function, by Stirling's series (DLMF 5.11.1) and the recurrence below it. @param {number} x above 0 */
export function logGamma(x) {
  let product = 1;
  let large = x;
  for (; large < LARGE; large++) product *= large;
  const square = 1 / large ** 2;
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / large;
  return (large - 1 / 2) * Math.log(large) - large + Math.log(2 * Math.PI) / 2 + series - Math.log(product);
}

/** @param {number} value */
const nonZero = (value) => (Math.abs(value) < TINY ? TINY : value);

/** Samples that may vary differently. @param {number[]} a @param {number[]} b @returns {Shift} how far a lies above b */
export function welch(a, b) {
  const [varianceA, varianceB] = [sampleVariance(a) / a.length, sampleVariance(b) / b.length];
  const variance = varianceA + varianceB;
  const degrees = variance ** 2 / (varianceA ** 2 / (a.length - 1) + varianceB ** 2 / (b.length - 1));
  return shift(mean(a) - mean(b), Math.sqrt(variance), degrees);
}

/** Student's t. @param {number} difference @param {number} error its standard error @param {number} degrees @returns {Shift} */
export function shift(difference, error, degrees) {
  return {
    difference,
    // If nothing varies, any difference is certain.
    p: error === 0 ? Number(difference === 0) : studentTwoSided(difference / error, degrees),
    interval(level = LEVEL) {
      const margin = error === 0 ? 0 : studentCritical(1 - level, degrees) * error;
      return { low: difference - margin, high: difference + margin };
    },
  };
}
