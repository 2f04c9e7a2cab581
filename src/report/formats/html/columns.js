import { cellText, metricNamed, metricsIn } from '../../../metrics/metric-values.js';
import { runsInLine } from '../../tables/runs-in-line.js';
import { whole } from '../../words/figures.js';

/**
 * @import { Comparison, Contrast, Interval } from '../../../analysis/types.js'
 * @import { Metric } from '../../../metrics/types.js'
 * @import { CellResult } from '../../../results/types.js'
 * @import { Row } from '../../tables/result-rows.js'
 */

/**
 * @typedef {Comparison['ranking'][number]} Place
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: Row, place: Place | undefined) => string} text empty where there is nothing to say
 */

/** What is asked first. @type {Column[]} */
export const RESULT_COLUMNS = [
  { title: 'ops/s', text: ({ columns }) => columns['ops/s'] },
  { title: 'slower', text: ({ columns }) => columns.slower },
  { title: 'interval', text: ({ cell }) => intervalText(cell.summary?.intervals.opsPerSecond) },
  { title: 'of raw', text: ({ columns }) => columns['of raw'] },
  measured(metricNamed('p99Us')),
  measured(metricNamed('cpuUsPerOp')),
  measured(metricNamed('serverCpuUsPerCommand')),
  { title: 'average (spread), ms', text: ({ cell }) => (cell.skipped === null ? runsText(cell) : '') },
];

/** How that was tested. @type {Column[]} */
export const TEST_COLUMNS = [
  { title: 'of the fastest (95 %)', text: (_, place) => contrastText(place?.againstFastest) },
  { title: 'p', text: (_, place) => pText(place?.againstFastest) },
  { title: 'limited by', text: ({ cell }) => cell.summary?.bottleneck.limit?.replace('-', ' ') ?? '' },
  { title: 'runs', text: ({ cell }) => countText(cell) },
  { title: 'iterations', text: ({ columns }) => columns.iterations },
];

export const latencyColumns = () => metricsIn('latency').map(measured);

/** Without the columns of the table of latencies. */
export const costColumns = () =>
  metricsIn('cost')
    .filter(({ tables = {} }) => !('latency' in tables))
    .map(measured);

/** @param {Metric} metric @returns {Column} */
function measured(metric) {
  return {
    title: metric.title,
    text: ({ cell: { summary } }) => (summary ? cellText(metric, summary) : ''),
  };
}

/** @param {CellResult} cell @returns {string} least, median and most of its runs; the figures of each stand below the chart */
const runsText = ({ runs }) => runsInLine(runs).at(1) ?? '';

/** @param {CellResult} cell @returns {string} `5`, or `3 of 5` if some failed */
function countText({ summary, runs }) {
  if (runs.length === 0) return '';
  return summary?.runs === runs.length ? `${runs.length}` : `${summary?.runs ?? 0} of ${runs.length}`;
}

/** @param {Interval | null | undefined} interval */
const intervalText = (interval) => (interval ? `${whole(interval.low)} – ${whole(interval.high)}` : '');

/** @param {Contrast | null | undefined} contrast */
const contrastText = (contrast) =>
  contrast
    ? `${contrast.differs ? '' : '~ '}${contrast.ratio.toFixed(2)} (${contrast.low.toFixed(2)} – ${contrast.high.toFixed(2)})`
    : '';

/** @param {Contrast | null | undefined} contrast */
function pText(contrast) {
  if (!contrast) return '';
  return contrast.pAdjusted < 0.001 ? '< 0.001' : contrast.pAdjusted.toFixed(3);
}
