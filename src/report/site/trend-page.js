import { sum } from 'simple-statistics';
import { count } from '../../axes/number-words.js';
import { documentOf } from '../formats/html/document.js';
import { html } from '../formats/html/markup.js';
import { gridTable } from '../formats/html/page-tables.js';
import { changeGrids } from '../tables/trend-table.js';
import { unbroken } from '../words/wrap.js';
import { cellSection } from './series-section.js';

/** @import { TrendWithWords } from '../words/trend-words.js' */

/** A page is to stay small: a cell takes some 20 kB. */
const [MOST_CHANGES, MOST_ROWS, MOST_CELLS] = [20, 100, 12];

/** What changed over many results, as one page that needs no other file. @param {TrendWithWords} trend */
export const renderTrendPage = (trend) =>
  documentOf(
    'Changes – redis-pipe-bench',
    html`<header><p class="kicker">redis-pipe-bench</p><h1>Results over time</h1></header>
<main>${changesSection(trend)}
${changedCells(trend)}
${notesSection(trend)}</main>`,
  );

/** @param {TrendWithWords} trend */
export function changesSection(trend) {
  const [lead, ...others] = trend.sentences.slice(0, MOST_CHANGES);
  const grids = changeGrids(trend).map((grid) => ({ ...grid, rows: grid.rows.slice(0, MOST_ROWS) }));
  const rows = sum(trend.changes.map(({ cells }) => cells.length));
  return html`<section><h2 class="first">Lasting changes</h2><p class="lead">${unbroken(lead)}</p>
${others.map((text) => html`<p>${unbroken(text)}</p>`)}
${grids.map(gridTable)}
${rows > MOST_ROWS && html`<p>These are the largest of ${rows}; 'redis-pipe-bench trend' has all.</p>`}</section>`;
}

/** How changes were found, and what was left out. @param {TrendWithWords} trend */
export const notesSection = ({ notes }) =>
  html`<section><h2>How this was found</h2><ul>${notes.map((text) => html`<li>${unbroken(text)}</li>`)}</ul></section>`;

/** @param {TrendWithWords} trend */
function changedCells(trend) {
  const { changes, series, names } = trend;
  const changed = changes.flatMap(({ conditions, cells }) =>
    cells.map(({ cell }) => `${conditions} ${cell}`),
  );
  const all = [...new Set(changed)].map((key) =>
    series.filter(({ conditions, cell }) => `${conditions} ${cell}` === key),
  );
  return html`${all.slice(0, MOST_CELLS).map((own) => cellSection(names[own[0].cell], own, trend))}
${all.length > MOST_CELLS && html`<p>${count(all.length - MOST_CELLS, 'more cell')} changed: --format json has all points.</p>`}`;
}
