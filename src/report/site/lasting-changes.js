import { sum } from 'simple-statistics';
import { html } from '../formats/html/markup.js';
import { gridTable } from '../formats/html/page-tables.js';
import { changeGrids } from '../tables/trend-table.js';
import { unbroken } from '../words/wrap.js';

/** @import { TrendWithWords } from '../words/trend-words.js' */

/** A page is to stay small. */
const [MOST_CHANGES, MOST_ROWS] = [20, 100];

/** @param {TrendWithWords} trend @returns what changed, the largest change first */
export function changesSection(trend) {
  const [lead, ...others] = trend.sentences.slice(0, MOST_CHANGES);
  const grids = changeGrids(trend).map((grid) => ({ ...grid, rows: grid.rows.slice(0, MOST_ROWS) }));
  const rows = sum(trend.changes.map(({ cells }) => cells.length));
  return html`<section><h2 class="first">Lasting changes</h2><p class="lead">${unbroken(lead)}</p>
${others.map((text) => html`<p>${unbroken(text)}</p>`)}
${grids.map(gridTable)}
${rows > MOST_ROWS && html`<p>These are the largest of ${rows}; 'redis-pipe-bench trend' has all.</p>`}</section>`;
}

/** @param {TrendWithWords} trend @returns how that was tested, and what was left out */
export const notesSection = ({ notes }) =>
  html`<section><h2>How this was found</h2><ul>${notes.map((text) => html`<li>${unbroken(text)}</li>`)}</ul></section>`;
