import { median } from '../descriptive-statistics.js';
import { verdictsOn } from './contrasts.js';
import { LEVEL } from './interval.js';
import { welch } from './student.js';

/** @import { Verdict } from './contrasts.js' */

/**
 * How far cells are behind the best of them, where each run starts all that it needs. A difference is stated where each run
 * of one is worse than every run of the best, and that is unlikely by chance for so many comparisons. A single run is not compared.
 * @param {number[][]} samples of each cell the figure of its runs, above 0, less is better
 * @param {number[]} [levels] what is printed of each, so that ratios are the quotients of these; medians by default
 * @returns {{ratio: number, verdict: Verdict | null, interval: {low: number, high: number} | null}[]} of each, over the best, whose
 *   verdict is null; none is the best where none has a figure
 */
export function behindBest(samples, levels = samples.map(levelOf)) {
  const best = levels.indexOf(Math.min(...levels));
  const comparisons = samples.filter(({ length }) => length > 0).length - 1;
  const inOrder = [best, ...samples.keys()].filter((index, place) => place === 0 || index !== best);
  const contrasts = inOrder.map((index) =>
    speedAgainst(samples[best], samples[index], levels[best] / levels[index], comparisons),
  );
  const [ofBest, ...others] = verdictsOn(contrasts);
  return samples.map((values, index) => {
    const place = index < best ? index : index - 1;
    const contrast = index === best ? null : contrasts[place + 1];
    return {
      ratio: levels[index] / levels[best],
      verdict: index !== best ? others[place] : values.length === 0 ? 'not measured' : ofBest,
      interval: contrast && { low: 1 / contrast.high, high: 1 / contrast.low },
    };
  });
}

/** @param {number[]} values @returns {number} */
const levelOf = (values) => (values.length === 0 ? Number.POSITIVE_INFINITY : median(values));

/**
 * How many times as fast a cell is as the best.
 * @param {number[]} best @param {number[]} other @param {number} ratio @param {number} comparisons
 */
function speedAgainst(best, other, ratio, comparisons) {
  if (Math.min(best.length, other.length) < FEWEST) return null;
  const bounds = welch(best.map(Math.log), other.map(Math.log)).interval();
  const isApart = Math.min(...other) > Math.max(...best);
  return {
    ratio,
    low: Math.min(ratio, Math.exp(bounds.low)),
    high: Math.max(ratio, Math.exp(bounds.high)),
    differs: isApart && smallestP(best.length, other.length) * comparisons <= 1 - LEVEL,
  };
}

/**
 * How likely chance alone puts all of one sample above all of the other, or below: 0.0079 for 5 and 5 (Mann and Whitney).
 * @param {number} n @param {number} m @returns {number}
 */
function smallestP(n, m) {
  let ways = 1;
  for (let each = 1; each <= n; each++) ways *= (m + each) / each;
  return 2 / ways;
}

/** One run shows nothing of how much runs vary. */
const FEWEST = 2;
