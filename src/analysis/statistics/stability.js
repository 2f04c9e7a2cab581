import { median } from 'simple-statistics';
import { metricNamed, valuesOf } from '../../metrics/figures.js';
import { LEVEL, medianInterval } from './interval.js';

/** @import { Run } from '../../results/types.js' */

/**
 * How wide the 95 % interval of a cell's operations a second is.
 *
 * @param {Run[]} runs
 * @returns {number} half of its width in percent of the median; Infinity where there are too few runs for 95 %
 */
export function halfWidth(runs) {
  const values = valuesOf(metricNamed('opsPerSecond'), runs);
  const interval = medianInterval(values);
  if (interval === null || interval.level < LEVEL) return Number.POSITIVE_INFINITY;
  return ((interval.high - interval.low) / 2 / median(values)) * 100;
}

/**
 * Whether every cell is measured as narrowly as was asked for.
 *
 * @param {Iterable<Run[]>} cells their runs
 * @param {number} percent
 */
export const areStable = (cells, percent) => [...cells].every((runs) => halfWidth(runs) <= percent);
