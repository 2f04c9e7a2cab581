/** How much the slices of a run vary. */
import { sampleVariance } from '../descriptive-statistics.js';

/** @import { Noise, Run, Sample } from '../store/types.js' */

/** @param {Run} run @returns {number[]} logarithms of the rates of its slices */
export const logRates = ({ slices = [] }) =>
  slices.flatMap(({ operations, elapsedMs }) => (operations > 0 ? [Math.log(operations / elapsedMs)] : []));

/** @param {Run} run @returns {Noise | undefined} undefined where it has one slice */
function noiseOf(run) {
  const rates = logRates(run);
  if (rates.length < 2) return undefined;
  return { variance: sampleVariance(rates) / rates.length, degrees: rates.length - 1 };
}

/** @param {Sample} speeds of these runs @param {Run[]} runs @returns {Sample} */
export function withNoise(speeds, runs) {
  const noises = new Map(runs.map((run) => [run.round, noiseOf(run)]));
  return speeds.map((figure) => ({ ...figure, noise: noises.get(figure.round) }));
}
