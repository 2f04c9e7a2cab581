import { METRICS } from './all-metrics.js';
import { textOf } from './text.js';

/** @import { Summary } from '../analysis/types.js' */
/** @import { CountedStart, Run } from '../results/types.js' */
/** @import { Figure, Figures, MadeFrom, Metric, TableName } from './types.js' */

/** @param {string} name an id, or an earlier name @returns {Metric | undefined} */
export const findMetric = (name) =>
  METRICS.find(({ id }) => id === name) ?? METRICS.find(({ aliases = [] }) => aliases.includes(name));

/** @param {string} name @returns {Metric} it must exist: code asks for it, not a user */
export function metricNamed(name) {
  const metric = findMetric(name);
  if (metric === undefined) throw new Error(`expected the name of a metric, got '${name}'`);
  return metric;
}

/** @returns {Metric[]} those that each run has, by which results can be compared */
export const metricsOfRuns = () => METRICS.filter(({ fromRuns }) => fromRuns !== null);

/** @param {TableName} table @returns {Metric[]} those that it has a column of, in order */
export const metricsIn = (table) => METRICS.filter(({ tables = {} }) => table in tables);

/** @param {Metric} metric @returns {boolean} whether a cell's figure has an interval: sums and extremes have none */
export const hasInterval = ({ fromRuns }) => fromRuns === 'median' || fromRuns === 'histogram';

/**
 * @param {Metric} metric @param {Figures} figures
 * @returns {number | null | undefined} the value that has its name there
 */
function read(metric, figures) {
  const part = metric.in === undefined ? figures : /** @type {any} */ (figures)[metric.in];
  return part?.[metric.name ?? metric.id];
}

/**
 * @param {Metric['in']} part @param {MadeFrom} measured
 * @returns {any} the figures of that part of a run, by the names that they have there
 */
export const figuresFrom = (part, measured) =>
  Object.fromEntries(
    METRICS.flatMap((metric) =>
      metric.in === part && metric.from ? [[metric.name ?? metric.id, metric.from(measured)]] : [],
    ),
  );

/** @param {Metric} metric @param {Run} run */
export const figureOfRun = (metric, run) => (metric.of ? metric.of(run) : read(metric, run));

/** @param {Metric} metric @param {Summary} summary of a cell */
export const figureOfCell = (metric, summary) =>
  metric.of && metric.fromRuns === 'histogram' ? metric.of(summary) : read(metric, summary);

/**
 * @param {{runs: Run[], counted?: CountedStart[]}} cell @param {Metric} metric
 * @returns {Figure[]} of its runs, or of its counted starts where they have the figure
 */
export const samplesIn = ({ runs, counted = [] }, metric) =>
  metric.in === 'counted'
    ? counted.flatMap((each) => {
        const value = /** @type {any} */ (each.counted)[metric.id];
        return value == null ? [] : [{ value, round: each.start, start: each.start }];
      })
    : samplesOf(runs, metric);

/** @param {Run[]} runs @param {Metric} metric */
export const samplesOf = (runs, metric) => samplesBy(runs, (run) => figureOfRun(metric, run));

/**
 * @param {Run[]} runs @param {(run: Run) => number | null | undefined} of
 * @returns {Figure[]} of the runs that succeeded and have the figure
 */
export const samplesBy = (runs, of) =>
  runs.flatMap((run) => {
    const value = run.failed === null ? of(run) : null;
    return value == null ? [] : [{ value, round: run.round, start: run.start }];
  });

/**
 * @param {Metric} metric @param {Summary} summary
 * @returns {string} empty if the cell has no such figure, such as one without batches
 */
export function cellText(metric, summary) {
  const value = figureOfCell(metric, summary);
  if (value == null && metric.in !== undefined && summary[metric.in] === null) return '';
  return textOf(metric, value);
}
