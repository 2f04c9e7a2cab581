import { median } from 'simple-statistics';
import { nameCells } from '../../../axes/cell-names.js';
import { startedCold } from '../../../cold/first-replies.js';
import { duration, milli, percent, perSecond, times, whole } from '../../../core/report/figures.js';
import { filledColumns, gridOf, titled } from '../../../core/report/grid.js';
import { latencyOf } from '../../../core/statistics/latency.js';
import { cellText, metricNamed, metricsIn } from '../../../core/store/metrics/metric-values.js';
import { textOf } from '../../../core/store/metrics/text.js';
import { alike } from '../../judge/alike.js';

/** @import { Comparison, Contrast, Summary } from '../../judge/types.js' */
/** @import { CellResult, MachineFigures, RunPart } from '../../../core/store/types.js' */
/** @import { Metric } from '../../../core/store/metrics/types.js' */
/** @import { ColumnOf, Grid, Row } from '../../../core/report/types.js' */
/**
 * @typedef {object} GroupGrid
 * @property {(cells: CellResult[], comparison: Comparison) => Grid | null} of a group; null where it has nothing to say
 * @property {string[]} [formats] that show it; all by default
 * @property {(grid: Grid) => boolean} [inShort] whether it stands on the first screen rather than with the details
 */

/** Rows that the first screen has room for. */
const MOST_IN_SHORT = 12;

/** The tables of a group behind that of its results, in their order. @type {GroupGrid[]} */
export const GROUP_GRIDS = [
  { of: versionGrid, inShort: () => true },
  { of: partGrid, inShort: ({ rows }) => rows.length <= MOST_IN_SHORT },
  { of: machineGrid, formats: ['table', 'html'] },
];

/**
 * @param {'table' | 'markdown' | 'html'} format @param {CellResult[]} cells of one group @param {Comparison} comparison
 * @param {boolean} [inShort] only those of the first screen, or only the others
 */
export const gridsOf = (format, cells, comparison, inShort) =>
  GROUP_GRIDS.filter(({ formats }) => formats?.includes(format) ?? true).flatMap((each) => {
    const grid = each.of(cells, comparison);
    if (grid === null) return [];
    return inShort === undefined || (each.inShort?.(grid) ?? false) === inShort ? grid : [];
  });

/** The versions in their order, each against the newest and against the one before. @type {GroupGrid['of']} */
export function versionGrid(cells, { versions }) {
  // Fresh processes have a table of their own.
  if (versions.length === 0 || startedCold(cells)) return null;
  const names = nameCells(cells);
  const metrics = metricsIn('versions');
  return {
    columns: metrics.flatMap(({ tables }) => [
      { title: String(tables?.versions) },
      { title: 'vs newest', tied: true },
      { title: 'vs prior', tied: true },
    ]),
    rows: versions
      .flatMap(({ entries }) => entries)
      .map((entry) => ({
        name: names.get(entry.cell) ?? entry.cell,
        texts: metrics.flatMap((metric) => {
          const figure = /** @type {any} */ (entry)[metric.id];
          return [textOf(metric, figure.median), ratioOf(figure.toNewest), ratioOf(figure.toPrevious)];
        }),
      })),
  };
}

/** @param {Contrast | null} contrast */
const ratioOf = (contrast) => (contrast === null ? '' : contrast.differs ? times(contrast.ratio) : 'unclear');

const LATENCIES = /** @type {const} */ (['p50Us', 'p99Us', 'p999Us', 'maxUs']);

/** Each command apart, where operations differ. @param {CellResult[]} cells of one group @returns {Grid | null} */
export function partGrid(cells) {
  const names = nameCells(cells);
  const rows = cells
    .toSorted((a, b) => (b.summary?.opsPerSecond ?? 0) - (a.summary?.opsPerSecond ?? 0))
    .flatMap(({ id, summary }) =>
      summary === null
        ? []
        : partsIn(summary).map((part) => ({
            name: `${names.get(id)}: ${part.name}`,
            texts: partTexts(part),
          })),
    );
  if (rows.length === 0) return null;
  const columns = titled(['count', '/s', ...LATENCIES.map((id) => metricNamed(id).title)]);
  return { note: 'Each command apart: the latencies of all runs together', columns, rows };
}

/** A short run need not come to every command of a recording. @param {Summary} summary */
const partsIn = ({ parts = [] }) => parts.filter(({ count }) => count > 0);

/** @param {RunPart} part @returns {string[]} latencies may be microseconds or seconds: no unit fits them all */
const partTexts = ({ count, perSecond, latency }) => [
  whole(count),
  perSecond < 10 ? perSecond.toFixed(1) : whole(perSecond),
  ...LATENCIES.map((id) => (latency === null ? '' : duration(latency[id]))),
];

/** What each machine did, where the load came from several. @param {CellResult[]} cells of one group @returns {Grid | null} */
function machineGrid(cells) {
  const names = nameCells(cells);
  const rows = cells.flatMap(({ id, runs }) => {
    const all = runs.flatMap(({ machines = [] }) => machines);
    const machines = alike(all, ({ name }) => name);
    if (machines.length < 2) return [];
    return machines.map((own) => ({ name: `${names.get(id)}: ${own[0].name}`, texts: machineTexts(own) }));
  });
  if (rows.length === 0) return null;
  const note = 'Each machine apart: medians of its runs, latencies of all of them together, the latest start';
  const columns = titled(['ops/s', 'p50', 'p99', 'max', 'CPU', 'started after the first']);
  return { note, columns, rows };
}

/** @param {MachineFigures[]} runs of one machine */
function machineTexts(runs) {
  const latency = latencyOf(runs.flatMap((run) => run.latency?.hdr ?? []));
  return [
    perSecond(median(runs.map(({ opsPerSecond }) => opsPerSecond))),
    ...(latency === null ? ['', '', ''] : [latency.p50Us, latency.p99Us, latency.maxUs].map(duration)),
    percent(median(runs.map(({ cpuUtilization }) => cpuUtilization))),
    milli(Math.max(...runs.map(({ startedAfterMs }) => startedAfterMs))),
  ];
}

/** What the cells of a group cost. @param {Row[]} rows @returns {Grid | null} */
export function costGrid(rows) {
  const measured = rows.filter(({ cell }) => cell.summary !== null);
  const all = metricsIn('cost').map((metric) => metricColumn(metric, metric.tables?.cost));
  const columns = filledColumns(measured, [...all, AWAKE]);
  return columns.length === 0 ? null : gridOf(measured, ({ name }) => ({ name }), columns);
}

/** @type {ColumnOf<Row>} what a cell reaches while its processors are kept awake */
const AWAKE = {
  title: 'ops/s awake',
  text({ cell: { runs } }) {
    const rates = runs.flatMap((run) => (run.awake && run.failed === null ? (run.opsPerSecond ?? []) : []));
    return rates.length > 0 && rates.length < runs.length ? perSecond(median(rates)) : '';
  },
};

/** @param {Metric} metric @param {string} [title] @returns {ColumnOf<Row>} the figure of a cell */
export const metricColumn = (metric, title = metric.title) => ({
  title,
  text: ({ cell: { summary } }) => (summary ? cellText(metric, summary) : ''),
});
