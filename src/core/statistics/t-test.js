import { mean, sampleVariance } from 'simple-statistics';
import { studentCritical, studentTwoSided } from './distributions.js';
import { LEVEL } from './interval.js';

/** @import { Shift } from '../../benchmark/judge/types.js' */

/** Samples that may vary differently. @param {number[]} a @param {number[]} b @returns {Shift} how far a lies above b */
export function welch(a, b) {
  const [varianceA, varianceB] = [sampleVariance(a) / a.length, sampleVariance(b) / b.length];
  const variance = varianceA + varianceB;
  const degrees = variance ** 2 / (varianceA ** 2 / (a.length - 1) + varianceB ** 2 / (b.length - 1));
  return shift(mean(a) - mean(b), Math.sqrt(variance), degrees);
}

/** Differences within rounds. @param {number[]} a one value per round @param {number[]} b @returns {Shift} how far a lies above b */
export function paired(a, b) {
  const differences = a.map((value, round) => value - b[round]);
  return shift(mean(differences), Math.sqrt(sampleVariance(differences) / a.length), a.length - 1);
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
