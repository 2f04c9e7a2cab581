import { median } from 'simple-statistics';
import { LEVEL } from './interval.js';
import { smallestP } from './mann-whitney.js';

/**
 * How far cells are behind the best of them, where each run starts all that it needs. A difference is stated where each run
 * of one is worse than every run of the best, and that is unlikely by chance for so many comparisons.
 * @param {number[][]} samples of each cell the figure of its runs, less is better
 * @returns {{ratio: number, sure: boolean, isBest: boolean}[]} of each; none is the best where none has a figure
 */
export function behindBest(samples) {
  const medians = samples.map((values) => (values.length === 0 ? Number.POSITIVE_INFINITY : median(values)));
  const best = medians.indexOf(Math.min(...medians));
  const comparisons = samples.filter(({ length }) => length > 0).length - 1;
  return samples.map((values, index) => {
    const [one, other] = [samples[best], values];
    const isApart = other.length > 0 && Math.min(...other) > Math.max(...one);
    const isUnlikely = smallestP(one.length, other.length) * comparisons <= 1 - LEVEL;
    return {
      ratio: medians[index] / medians[best],
      sure: isApart && isUnlikely,
      isBest: index === best && one.length > 0,
    };
  });
}
