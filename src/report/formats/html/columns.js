import { kilobytes, micro, percent, whole } from '../../words/figures.js';

/**
 * @import { Comparison, Contrast, Interval, Summary } from '../../../analysis/types.js'
 * @import { CellResult } from '../../../results/types.js'
 * @import { Row } from '../../tables/result-rows.js'
 */

/**
 * @typedef {Comparison['ranking'][number]} Place
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: Row, place: Place | undefined) => string} text empty where there is nothing to say
 */

/** @type {Column[]} */
export const RESULT_COLUMNS = [
  { title: 'ops/s', text: ({ columns }) => columns['ops/s'] },
  { title: 'interval', text: ({ cell }) => intervalText(cell.summary?.intervals.opsPerSecond) },
  { title: 'slower', text: ({ columns }) => columns.slower },
  { title: 'of the fastest (95 %)', text: (_, place) => contrastText(place?.againstFastest) },
  { title: 'p', text: (_, place) => pText(place?.againstFastest) },
  { title: 'of raw', text: ({ columns }) => columns['of raw'] },
  latency('p50', 'p50Us'),
  latency('p99', 'p99Us'),
  { title: 'limited by', text: ({ cell }) => cell.summary?.bottleneck.limit?.replace('-', ' ') ?? '' },
  { title: 'runs', text: ({ cell }) => runsText(cell) },
  { title: 'iterations', text: ({ columns }) => columns.iterations },
];

/** @type {Column[]} */
export const LATENCY_COLUMNS = [
  latency('p50', 'p50Us'),
  latency('p90', 'p90Us'),
  latency('p99', 'p99Us'),
  latency('p99.9', 'p999Us'),
  latency('slowest', 'maxUs'),
];

/** @type {Column[]} */
export const COST_COLUMNS = [
  cost('client CPU/op', ({ client }) => micro(client.cpuUsPerOp)),
  cost('client busy', ({ bottleneck }) => percent(bottleneck.clientBusy)),
  cost('server CPU/cmd', ({ server }) => micro(server.cpuUsPerCommand)),
  cost('server busy', ({ bottleneck }) => percent(bottleneck.serverBusy)),
  cost('cmds/read', ({ server }) => server.commandsPerRead?.toFixed(1) ?? '?'),
  cost('commands/batch', ({ batching }) => batching?.commandsPerBatch.toFixed(1) ?? ''),
  cost('batch held for', ({ batching }) => (batching ? micro(batching.heldUs) : '')),
  cost('of client CPU/op, waiting', ({ batching }) => (batching ? micro(batching.waitingUsPerOp) : '')),
  cost('allocated/op', ({ client }) => kilobytes(client.allocatedBytesPerOp)),
];

/**
 * @param {string} title
 * @param {'p50Us' | 'p90Us' | 'p99Us' | 'p999Us' | 'maxUs'} figure
 * @returns {Column}
 */
function latency(title, figure) {
  return {
    title,
    text: ({ cell: { summary } }) => (summary?.latency ? micro(summary.latency[figure]) : ''),
  };
}

/**
 * @param {string} title
 * @param {(summary: Summary) => string} text
 * @returns {Column}
 */
function cost(title, text) {
  return { title, text: ({ cell: { summary } }) => (summary ? text(summary) : '') };
}

/** @param {CellResult} cell @returns {string} `5`, `3 of 5` where some failed */
function runsText({ summary, runs }) {
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
