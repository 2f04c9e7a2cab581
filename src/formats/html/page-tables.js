import { gridsOf, metricColumn } from '../../benchmark/report/tables/group-grids.js';
import { rowColumn, runsInLine } from '../../benchmark/report/tables/result-rows.js';
import { coverageText, perSecond, pText, whole } from '../../core/report/figures.js';
import { filledColumns, gridOf, titled } from '../../core/report/grid.js';
import { metricNamed, metricsIn } from '../../core/store/metrics/metric-values.js';
import { html } from './markup.js';

/** @import { Contrast, Interval } from '../../benchmark/judge/types.js' */
/** @import { Metric } from '../../core/store/metrics/types.js' */
/** @import { CellResult, Run } from '../../core/store/types.js' */
/** @import { ColumnOf, Grid, GridColumn, GridRow, Row, State } from '../../core/report/types.js' */
/** @import { Group } from './page.js' */

const MOST_RUNS = 1000;

/** @param {Grid} grid */
export const gridTable = (grid) => tableOf(grid, [grid]);

/** @type {Partial<Record<State, string>>} */
const CLASSES = {
  fastest: 'best',
  floor: 'dim',
  failed: 'bad',
  'too short': 'bad',
  'not warm': 'bad',
  skipped: 'dim',
  'not run': 'dim',
  'not held': 'dim',
};

/**
 * @param {Omit<Grid, 'rows'>} grid
 * @param {(Pick<Grid, 'title' | 'rows'> & {id?: string})[]} parts each with a title that links to its section
 */
const tableOf = ({ title: label, note, names, columns }, parts) =>
  // A scrollable region must be reachable with the keyboard, and then needs a name.
  html`<div class="scroll" role="region" tabindex="0" aria-label="${note ?? label}"><table>${note && html`<caption>${note}</caption>`}
<thead><tr><th scope="col">${names?.title ?? 'cell'}</th>${columns.map(({ title, align }) => html`<th scope="col"${classed(align)}>${title}</th>`)}</tr></thead>
${parts.map(
  ({ id, title, rows }) =>
    html`<tbody>${
      id &&
      html`<tr class="group"><th colspan="${columns.length + 1}" scope="rowgroup"><a href="#${id}">${title}</a></th></tr>`
    }${rows.map((row) => rowOf(row, columns))}</tbody>`,
)}</table></div>`;

/** @param {GridRow} row @param {GridColumn[]} columns */
function rowOf({ name, texts, state }, columns) {
  const [ofRow, ofTexts] = Array.isArray(state) ? [undefined, state] : [state, []];
  return html`<tr${ofRow && html` class="${CLASSES[ofRow]}"`}><th scope="row">${name}</th>${texts.map(
    (text, index) => html`<td${classed(columns[index].align, ofTexts[index])}>${text}</td>`,
  )}</tr>`;
}

/** @param {GridColumn['align']} align @param {State} [state] */
function classed(align, state) {
  const names = [align === 'left' ? 'text' : undefined, state && CLASSES[state]].filter(Boolean);
  return names.length > 0 && html` class="${names.join(' ')}"`;
}

/** How fast every cell was. @param {Group[]} groups */
export function resultTable(groups) {
  const coverage = coverageText(groups.flatMap(({ rows }) => rows));
  return groupsTable(
    `Operations per second: medians over the runs${coverage === null ? '' : `, with their ${coverage}`}, the fastest first. Average: the tasks' mean elapsed time, with the spread from fastest to slowest; lowest, median and highest run.`,
    [
      rowColumn('ops/s'),
      rowColumn('slower'),
      { title: 'interval', text: ({ cell }) => intervalText(cell.summary?.intervals.opsPerSecond) },
      rowColumn('of raw'),
      ...['p99Us', 'cpuUsPerOp', 'serverCpuUsPerCommand'].map((id) => metricColumn(metricNamed(id))),
      { title: 'average (spread), ms', text: ({ cell }) => (cell.skipped ? '' : runsInLine(cell.runs)[1]) },
    ],
    groups,
  );
}

/** How the cells compare with the fastest. @param {Group[]} groups */
export const testTable = (groups) =>
  groupsTable(
    'Operations per second of each cell over those of the fastest, with p corrected for all comparisons',
    [
      { title: 'of the fastest (95 %)', text: ({ ranked }) => contrastText(ranked?.againstFastest) },
      {
        title: 'p',
        text: ({ ranked }) => (ranked?.againstFastest ? pText(ranked.againstFastest.pAdjusted) : ''),
      },
      { title: 'limited by', text: ({ cell }) => cell.summary?.bottleneck.limit?.replace('-', ' ') ?? '' },
      { title: 'runs', text: ({ cell }) => countText(cell) },
      rowColumn('iterations'),
    ],
    groups,
  );

/** @param {string} note @param {ColumnOf<Row>[]} all @param {Group[]} groups */
function groupsTable(note, all, groups) {
  const every = groups.flatMap(({ rows }) => rows);
  const columns = filledColumns(every, all);
  const parts = groups.map(({ id, title, rows }) => ({
    ...(groups.length > 1 && { id, title }),
    rows: gridOf(rows, headOf, columns).rows,
  }));
  return tableOf({ note, columns }, parts);
}

/** @param {Group} group */
export const latencyTable = (group) =>
  measuredTable('Percentiles of the operations of all runs together', metricsIn('latency'), group);

/** @param {Group} group @returns without the columns of the table of latencies */
export function costTable(group) {
  const metrics = metricsIn('cost').filter(({ tables = {} }) => !('latency' in tables));
  return measuredTable('Costs per operation: medians over the runs', metrics, group);
}

/** @param {string} note @param {Metric[]} metrics @param {Group} group */
function measuredTable(note, metrics, { rows }) {
  const own = rows.filter(({ cell }) => cell.summary !== null);
  const all = metrics.map((metric) => metricColumn(metric));
  const columns = filledColumns(own, all);
  return columns.length === 0 ? null : gridTable({ note, ...gridOf(own, headOf, columns) });
}

/** @param {Group} group */
export const otherTables = ({ cells, comparison }) => gridsOf('html', cells, comparison).map(gridTable);

/** The figures that the chart draws. @param {Group} group */
export function runsTable({ title, rows }) {
  const runs = rows.flatMap(({ name, cell }) => cell.runs.map((run) => runRow(name, run)));
  if (runs.length === 0 || runs.length > MOST_RUNS) return null;
  const table = gridTable({
    note: `${title}: the average of the tasks' elapsed times, and the spread between the slowest and the fastest`,
    columns: titled(['run', 'ops/s', 'average, ms', 'spread, ms']),
    rows: runs,
  });
  return html`<details><summary>The runs as figures</summary>${table}</details>`;
}

/** @param {string} name @param {Run} run @returns {GridRow} */
function runRow(name, { round, failed, opsPerSecond, averageMs, spreadMs }) {
  if (failed !== null) return { name, texts: [`${round}`, 'failed', '', ''], state: ['close', 'failed'] };
  const times = [averageMs, spreadMs].map((ms) => ms?.toFixed(1) ?? '');
  return { name, texts: [`${round}`, perSecond(opsPerSecond), ...times] };
}

/** @param {Row} row */
const headOf = ({ name, state }) => ({ name, state });

/** @param {CellResult} cell @returns {string} `5`, or `3 of 5` if some failed */
function countText({ summary, runs }) {
  const good = summary?.runs ?? 0;
  if (runs.length === 0) return '';
  return good === runs.length ? `${good}` : `${good} of ${runs.length}`;
}

/** @param {Interval | null | undefined} interval */
const intervalText = (interval) => (interval ? `${whole(interval.low)} to ${whole(interval.high)}` : '');

/** @param {Contrast | null | undefined} contrast */
const contrastText = (contrast) =>
  contrast
    ? `${contrast.differs ? '' : 'maybe '}${contrast.ratio.toFixed(2)}x (${contrast.low.toFixed(2)}x to ${contrast.high.toFixed(2)}x)`
    : '';
