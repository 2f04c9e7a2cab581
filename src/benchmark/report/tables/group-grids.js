import { median } from 'simple-statistics';
import { nameCells } from '../../../axes/cell-names.js';
import { alike } from '../../../core/alike.js';
import { duration, milli, percent, perSecond, pText, times, whole } from '../../../core/report/figures.js';
import { filledColumns, gridOf, titled } from '../../../core/report/grid.js';
import { NO_BREAK_BLANK } from '../../../core/report/wrap.js';
import { latencyOf } from '../../../core/statistics/latency.js';
import { cellText, metricNamed, metricsIn, textOf } from '../../../core/store/metrics.js';
import { headedRows, rowColumn, runTexts } from './result-rows.js';

/** @import { Comparison, Contrast, Summary } from '../../judge/types.js' */
/** @import { CellResult, MachineFigures, Metric, RunPart } from '../../../core/store/types.js' */
/** @import { Group, HeadedGroup } from './result-rows.js' */
/** @import { ColumnOf, Grid, Row } from '../../../core/report/types.js' */

/** Rows that the first screen has room for. */
const MOST_IN_SHORT = 12;

/** Further tables of a group. @param {Group} group @param {boolean} inShort those of the first screen, or the others @returns {Grid[]} */
export function groupGrids({ cells, comparison }, inShort) {
  const parts = partGrid(cells);
  const isShort = (parts?.rows.length ?? 0) <= MOST_IN_SHORT;
  return (
    inShort
      ? [versionGrid(cells, comparison), isShort ? parts : null]
      : [isShort ? null : parts, machineGrid(cells)]
  ).filter((grid) => grid !== null);
}

/** The versions in their order, each against the newest and against the one before. @param {CellResult[]} cells @param {Pick<Comparison, 'versions'>} comparison @returns {Grid | null} */
export function versionGrid(cells, { versions }) {
  if (versions.length === 0) return null;
  const names = nameCells(cells);
  const metrics = metricsIn('versions');
  return {
    columns: metrics.flatMap(({ tables }) => [
      { title: String(tables?.versions) },
      { title: `${tables?.versions}, vs newest` },
      { title: `${tables?.versions}, vs prior` },
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

/** @param {HeadedGroup[]} groups @param {ColumnOf<Row>[]} all @param {Row[]} [rows] @returns {Grid | undefined} with those that any row fills */
function filledGrid(groups, all, rows = headedRows(groups).filter(({ cell }) => cell.summary !== null)) {
  const columns = filledColumns(rows, all);
  if (columns.length === 0) return undefined;
  return gridOf(
    rows,
    (row) => ({ name: row.name, state: row.state, heading: headingIn(rows, row, groups) }),
    columns,
  );
}

/** Above the first row of a group that is left. @param {Row[]} rows @param {Row} row @param {HeadedGroup[]} groups */
function headingIn(rows, row, groups) {
  const { group } = row.cell;
  if (rows.find(({ cell }) => cell.group === group) !== row) return '';
  return groups.find(({ comparison }) => comparison.group === group)?.heading ?? '';
}

/** @param {HeadedGroup[]} groups */
export const latencyGrid = (groups) =>
  filledGrid(
    groups,
    metricsIn('latency').map((metric) => metricColumn(metric)),
  );

/** What the cells cost. @param {HeadedGroup[]} groups */
export const costGrid = (groups) =>
  filledGrid(groups, [
    ...metricsIn('cost')
      .filter(({ tables = {} }) => !('latency' in tables))
      .map((metric) => metricColumn(metric, metric.tables?.cost)),
    AWAKE,
  ]);

/** @param {HeadedGroup[]} groups */
export const runsGrid = (groups) =>
  filledGrid(
    groups,
    [
      rowColumn('iterations'),
      {
        title: 'average (spread) of each run, ms',
        align: 'left',
        text: ({ cell }) =>
          runTexts(cell.runs)
            .map((text, index) =>
              (cell.runs[index]?.awake ? `${text} awake` : text).replaceAll(' ', NO_BREAK_BLANK),
            )
            .join(' '),
      },
    ],
    headedRows(groups).filter(({ cell }) => cell.runs.length > 0),
  );

/** How the cells compare with the fastest, with p corrected for all comparisons. @param {HeadedGroup[]} groups */
export const testGrid = (groups) =>
  filledGrid(groups, [
    { title: 'of the fastest (95 %)', text: ({ ranked }) => contrastText(ranked?.againstFastest) },
    {
      title: 'p',
      text: ({ ranked }) => (ranked?.againstFastest ? pText(ranked.againstFastest.pAdjusted) : ''),
    },
    { title: 'limited by', text: ({ cell }) => cell.summary?.bottleneck.limit?.replace('-', ' ') ?? '' },
    { title: 'runs', text: ({ cell }) => countText(cell) },
  ]);

/** @param {CellResult} cell @returns {string} `5`, or `3 of 5` if some failed */
const countText = ({ summary, runs }) =>
  summary?.runs === runs.length ? `${runs.length}` : `${summary?.runs ?? 0} of ${runs.length}`;

/** @param {Contrast | null | undefined} contrast */
const contrastText = (contrast) =>
  contrast
    ? `${contrast.differs ? '' : 'maybe '}${contrast.ratio.toFixed(2)}x (${contrast.low.toFixed(2)}x to ${contrast.high.toFixed(2)}x)`
    : '';

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
