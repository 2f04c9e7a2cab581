import { FIGURES } from '../commands/figures.js';
import { duration, kilobytes, micro, milli, percent, perSecond, whole } from '../report/figures.js';

/** @import { Breakdown } from '../commands/breakdown/types.js' */
/** @import { Figure, FigureEntry, Figures, Latency, MadeFrom, Metric, Run, Summary } from './types.js' */

/** Less of these is better, if nothing else is said. */
const COSTS = ['ms', 'µs', 'bytes'];

/** @type {[id: string, figure: FigureEntry][]} */
const ENTRIES = Object.entries(FIGURES);

/** @type {Metric[]} */
export const METRICS = ENTRIES.map(([id, figure]) => ({
  id,
  name: id,
  title: figure.meaning,
  better: COSTS.includes(figure.unit) ? 'less' : null,
  fromRuns: 'median',
  ...figure,
}));

/** @param {string} name an id, or another name of it @returns {Metric | undefined} */
export const findMetric = (name) =>
  METRICS.find(({ id }) => id === name) ?? METRICS.find(({ aliases = [] }) => aliases.includes(name));

/** @param {string} name @returns {Metric} */
export function metricNamed(name) {
  const metric = findMetric(name);
  if (metric === undefined) throw new Error(`expected the name of a metric, got '${name}'`);
  return metric;
}

export const metricsOfRuns = () => METRICS.filter(({ fromRuns }) => fromRuns !== null);

/** @param {string} table @returns {Metric[]} in order */
export const metricsIn = (table) => METRICS.filter(({ tables = {} }) => table in tables);

/** Sums and extremes have no interval. @param {Metric} metric */
export const hasInterval = ({ fromRuns, ofPass }) =>
  fromRuns === 'median' || fromRuns === 'histogram' || ofPass !== undefined;

/** The units of what other programs change; they add no bytes or commands. */
const OF_TIME = ['ms', 'µs', 'ops/s', 'share'];

/** @param {Metric} metric */
export const isOfTime = ({ unit }) => OF_TIME.includes(unit);

/** @param {Metric} metric @param {Figures} figures @returns {number | null | undefined} */
function read(metric, figures) {
  const part = metric.in === undefined ? figures : Object(figures)[metric.in];
  return part?.[metric.name];
}

/** @param {Metric['in']} part @param {MadeFrom} measured @returns {any} the figures of that part of a run */
export const figuresFrom = (part, measured) =>
  Object.fromEntries(
    METRICS.flatMap((metric) =>
      metric.in === part && metric.from ? [[metric.name, metric.from(measured)]] : [],
    ),
  );

/** @param {Metric} metric @param {Run} run */
export const figureOfRun = (metric, run) => (metric.of ? metric.of(run) : read(metric, run));

/** @param {Metric} metric @param {Summary} summary of a cell */
export const figureOfCell = (metric, summary) =>
  metric.ofPass
    ? summary.breakdown && metric.ofPass(summary.breakdown)
    : metric.of && metric.fromRuns === 'histogram'
      ? metric.of(summary)
      : read(metric, summary);

/** @param {{runs: Run[], summary?: Summary | null}} cell @param {Metric} metric @returns {Figure[]} */
export const samplesIn = ({ runs, summary }, metric) =>
  metric.ofPass ? samplesOfPass(metric.ofPass, summary?.breakdown?.slices) : samplesOf(runs, metric);

/** All of one start. @param {NonNullable<Metric['ofPass']>} of @param {Breakdown[]} [slices] @returns {Figure[]} */
export const samplesOfPass = (of, slices = []) =>
  slices.flatMap((slice, index) => {
    const value = of(slice);
    return value === null ? [] : [{ value, round: index + 1, start: 1 }];
  });

/** @param {Run[]} runs @param {Metric} metric */
export const samplesOf = (runs, metric) => samplesBy(asIs(runs), (run) => figureOfRun(metric, run));

/** Those in which processors could sleep, unless they were kept awake in all. @param {Run[]} runs */
export function asIs(runs) {
  const own = runs.filter(({ awake }) => !awake);
  return own.length > 0 ? own : runs;
}

/** @param {Run[]} runs @param {(run: Run) => number | null | undefined} of @returns {Figure[]} those of successful runs */
export const samplesBy = (runs, of) =>
  runs.flatMap((run) => {
    const value = run.failed === null ? of(run) : null;
    return value == null ? [] : [{ value, round: run.round, start: run.start, awake: run.awake }];
  });

/** @param {Metric} metric @param {Summary} summary @returns {string} empty if the cell has no such part */
export function cellText(metric, summary) {
  const value = figureOfCell(metric, summary);
  if (value == null && metric.in !== undefined && summary[metric.in] === null) return '';
  return isOfEnough(metric, summary) ? textOf(metric, value) : '';
}

/**
 * Whether there were operations enough for a percentile: in each run, or in all together where these are one histogram.
 * @param {Metric} metric @param {Pick<Summary, 'latency' | 'runs'>} summary
 */
export const isOfEnough = ({ fewest, fromRuns }, { latency, runs }) =>
  fewest === undefined || latency === null || latency.count >= fewest * (fromRuns === 'histogram' ? 1 : runs);

/** A percentile in print. @param {'p50Us' | 'p99Us' | 'p999Us' | 'maxUs'} id @param {Latency | null} latency @returns {string} empty if it is of too few operations */
export const latencyText = (id, latency) =>
  latency && isOfEnough(metricNamed(id), { latency, runs: 1 }) ? duration(latency[id]) : '';

/** All others are whole. @type {Record<string, (value: number | null | undefined, digits?: number) => string>} */
const BY_UNIT = { ms: milli, µs: micro, bytes: kilobytes, share: percent, 'ops/s': perSecond };

/** @param {Metric} metric @param {number | null | undefined} value @param {number} [digits] significant ones @returns {string} */
export const textOf = ({ unit, text = BY_UNIT[unit] ?? whole }, value, digits) => text(value, digits);
