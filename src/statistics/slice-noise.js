/** How much the slices of a run vary. */
import { sampleVariance } from '../descriptive-statistics.js';

/** @import { Run, Sample } from '../store/types.js' */

/** @param {Run} run @returns {number[]} logarithms of the rates of its slices */
export const logRates = ({ slices = [] }) =>
  slices.flatMap(({ operations, elapsedMs }) => (operations > 0 ? [Math.log(operations / elapsedMs)] : []));

/** @param {Run} run @returns {number | undefined} the squared error of the logarithm of its speed, if slices were independent */
function noiseOf(run) {
  const rates = logRates(run);
  return rates.length > 1 ? sampleVariance(rates) / rates.length : undefined;
}

/** @param {Sample} speeds of these runs @param {Run[]} runs @returns {Sample} */
export function withNoise(speeds, runs) {
  const noises = new Map(runs.map((run) => [run.round, noiseOf(run)]));
  return speeds.map((figure) => ({ ...figure, noise: noises.get(figure.round) }));
}
