/** How much the slices of a run vary. */
import { groupBy } from '../collections.js';
import { sampleVariance } from '../descriptive-statistics.js';

/** @import { Noise, Run, Sample } from '../store/types.js' */

/** @param {Run} run @returns {number[]} logarithms of the rates of its slices */
export const logRates = ({ slices = [] }) =>
  slices.flatMap(({ operations, elapsedMs }) => (operations > 0 ? [Math.log(operations / elapsedMs)] : []));

/**
 * With the noise of the slices of their start, in that state of the processors.
 * @param {Sample} speeds of these runs @param {Run[]} runs @returns {Sample}
 */
export function withNoise(speeds, runs) {
  const noises = new Map(
    groupBy(runs, ({ start, awake }) => `${start} ${awake}`).flatMap((own) => {
      const noise = noiseIn(own.flatMap(logRates));
      return own.map(({ round }) => [round, noise]);
    }),
  );
  return speeds.map((figure) => ({ ...figure, noise: noises.get(figure.round) }));
}

/** @param {number[]} rates @returns {Noise | undefined} undefined where no slices are known */
function noiseIn(rates) {
  const slices = rates.length;
  if (slices === 0) return undefined;
  return { variance: slices > 1 ? sampleVariance(rates) : 0, degrees: slices - 1, slices };
}
