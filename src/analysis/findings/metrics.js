/**
 * @import { Run } from '../../results/types.js'
 * @import { MetricField } from '../types.js'
 */

/**
 * The figures that every run has of its own, and that are therefore given intervals and compared.
 *
 * @type {Record<MetricField, {
 *   name: string, unit: string, moreIsBetter: boolean, of: (run: Run) => number | null | undefined}>}
 */
export const METRICS = {
  opsPerSecond: { name: 'opsPerSecond', unit: 'ops/s', moreIsBetter: true, of: (run) => run.opsPerSecond },
  averageMs: { name: 'averageMs', unit: 'ms', moreIsBetter: false, of: (run) => run.averageMs },
  p99Us: { name: 'p99', unit: 'µs', moreIsBetter: false, of: (run) => run.latency?.p99Us },
  cpuUsPerOp: { name: 'cpuUsPerOp', unit: 'µs', moreIsBetter: false, of: (run) => run.client?.cpuUsPerOp },
};

/**
 * @param {Run[]} runs
 * @param {MetricField} field
 * @returns {{value: number, round: number}[]} of the runs that succeeded and have the figure
 */
export const samplesOf = (runs, field) =>
  runs.flatMap((run) => {
    const value = run.failed === null ? METRICS[field].of(run) : null;
    return value == null ? [] : [{ value, round: run.round }];
  });
