import { median } from 'simple-statistics';
import { LEVEL, medianInterval } from './interval.js';
import { samplesOf } from './metrics.js';

/**
 * How wide the 95 % interval of a cell's operations a second is.
 *
 * @param {import('../types.js').Run[]} runs
 * @returns {number} half of its width in percent of the median; Infinity where there are too few runs for 95 %
 */
export function halfWidth(runs) {
  const values = samplesOf(runs, 'opsPerSecond').map(({ value }) => value);
  const interval = medianInterval(values);
  if (interval === null || interval.level < LEVEL) return Number.POSITIVE_INFINITY;
  return ((interval.high - interval.low) / 2 / median(values)) * 100;
}

/**
 * Whether every cell is measured as narrowly as was asked for.
 *
 * @param {Iterable<import('../types.js').Run[]>} cells their runs
 * @param {number} percent
 */
export const areStable = (cells, percent) => [...cells].every((runs) => halfWidth(runs) <= percent);
