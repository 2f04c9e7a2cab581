import { median } from 'simple-statistics';
import { metricNamed, valuesOf } from '../../metrics/metric-values.js';
import { LEVEL, medianInterval, reach } from './interval.js';

/** @import { Run } from '../../results/types.js' */

/**
 * The ± of a cell's operations a second, as the table prints it.
 *
 * @param {Run[]} runs
 * @returns {number} to its farther side, in percent of the median; Infinity where there are too few runs for 95 %
 */
export function reachPercent(runs) {
  const values = valuesOf(metricNamed('opsPerSecond'), runs);
  const interval = medianInterval(values);
  if (interval === null || interval.level < LEVEL) return Number.POSITIVE_INFINITY;
  return reach(interval, median(values)) * 100;
}

/**
 * Whether the interval of every cell is as narrow as was asked for.
 *
 * @param {Iterable<Run[]>} cells their runs
 * @param {number} percent
 */
export const areStable = (cells, percent) => [...cells].every((runs) => reachPercent(runs) <= percent);
