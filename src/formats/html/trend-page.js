import { sum } from 'simple-statistics';
import { count } from '../../axes/number-words.js';
import { conditionText, olderText, placeText } from '../../benchmark/report/words/series-words.js';
import { gridOf } from '../../core/report/grid.js';
import { unbroken } from '../../core/report/wrap.js';
import { metricNamed } from '../../core/store/metrics/metric-values.js';
import { textOf } from '../../core/store/metrics/text.js';
import { changeGrids } from '../../history/trend-table.js';
import { documentOf } from './document.js';
import { html } from './markup.js';
import { gridTable } from './page-tables.js';

/** @import { Series, SeriesPoint } from '../../history/types.js' */
/** @import { ColumnOf } from '../../core/report/types.js' */
/** @import { TrendWithWords } from '../../history/trend-words.js' */

/** Longer pages and tables are not read; JSON has all. */
const [MOST_CHANGES, MOST_ROWS, MOST_CELLS, MOST_POINTS] = [20, 100, 12, 100];

/** What changed over many results, as one page that needs no other file. @param {TrendWithWords} trend */
export const renderTrendPage = (trend) =>
  documentOf(
    'Changes – redis-pipe-bench',
    html`<header><p class="kicker">redis-pipe-bench</p><h1>Results over time</h1></header>
<main>${changesSection(trend)}
${changedCells(trend)}
<section><h2>How this was found</h2><ul>${trend.notes.map((text) => html`<li>${unbroken(text)}</li>`)}</ul></section></main>`,
  );

/** @param {TrendWithWords} trend */
function changesSection(trend) {
  const [lead, ...others] = trend.sentences.slice(0, MOST_CHANGES);
  const grids = changeGrids(trend).map((grid) => ({ ...grid, rows: grid.rows.slice(0, MOST_ROWS) }));
  const rows = sum(trend.changes.map(({ cells }) => cells.length));
  return html`<section><h2 class="first">Lasting changes</h2><p class="lead">${unbroken(lead)}</p>
${others.map((text) => html`<p>${unbroken(text)}</p>`)}
${grids.map(gridTable)}
${rows > MOST_ROWS && html`<p>These are the largest of ${rows}; 'redis-pipe-bench trend' has all.</p>`}</section>`;
}

/** @param {TrendWithWords} trend */
function changedCells(trend) {
  const { changes, series } = trend;
  const changed = changes.flatMap(({ conditions, cells }) =>
    cells.map(({ cell }) => `${conditions} ${cell}`),
  );
  const all = [...new Set(changed)].map((key) =>
    series.filter(({ conditions, cell }) => `${conditions} ${cell}` === key),
  );
  return html`${all.slice(0, MOST_CELLS).map((own) => cellSection(own, trend))}
${all.length > MOST_CELLS && html`<p>${count(all.length - MOST_CELLS, 'more cell')} changed: --format json has all points.</p>`}`;
}

/** @param {Series[]} own of a cell under one set of conditions @param {TrendWithWords} trend */
function cellSection(own, { names, conditions, order }) {
  // Each metric may lack some.
  const [{ points }] = own.toSorted((a, b) => b.points.length - a.points.length);
  const shown = points.slice(-MOST_POINTS);
  const [{ cell, conditions: at }] = own;
  return html`<section><h2>${names[cell]}</h2>
<p class="facts">${conditionText(conditions[at])}</p>
${gridTable({
  note: olderText(shown.length, points.length),
  names: { title: order },
  ...gridOf(shown, (point) => ({ name: placeText(point, order) }), columnsOf(own)),
})}</section>`;
}

/** @param {Series[]} own @returns {ColumnOf<SeriesPoint>[]} each metric, and raw for the first of them */
function columnsOf(own) {
  const timed = own.find(({ points }) => points.some(({ floor }) => floor));
  return [
    ...own.map((series) => figureColumn(series, ({ value }) => value)),
    ...(timed
      ? [{ ...figureColumn(timed, ({ floor }) => floor), title: `${metricNamed(timed.metric).title} of raw` }]
      : []),
    { title: 'measured', text: ({ at }) => at.slice(0, 10) },
    { title: 'saved result', align: 'left', text: ({ file }) => file },
  ];
}

/** @param {Series} series @param {(point: SeriesPoint) => number | undefined} figureOf @returns {ColumnOf<SeriesPoint>} */
function figureColumn({ metric: id, points }, figureOf) {
  const metric = metricNamed(id);
  return {
    title: metric.title,
    text({ file, release }) {
      const point = points.find((each) => each.file === file && each.release === release);
      return textOf(metric, point && figureOf(point), 3);
    },
  };
}
