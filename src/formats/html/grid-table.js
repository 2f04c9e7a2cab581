import { html } from './markup.js';

/** @import { Bar, Column, Grid, GridRow, State } from '../../core/report/types.js' */

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

/** @param {Grid} grid @param {string} [label] of a table without a note */
export const gridTable = ({ note, names, columns, rows }, label = 'table') =>
  // A scrollable region must be reachable with the keyboard, and then needs a name.
  html`<div class="scroll" role="region" tabindex="0" aria-label="${note ?? label}"><table>${note && html`<caption>${note}</caption>`}
<thead><tr><th scope="col">${names?.title ?? ''}</th>${columns.map(({ title, align }) => html`<th scope="col"${classed(align)}>${title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => rowOf(row, columns))}</tbody></table></div>`;

/** @param {GridRow} row @param {Column[]} columns */
function rowOf({ name, texts, state, heading }, columns) {
  const [ofRow, ofTexts] = Array.isArray(state) ? [undefined, state] : [state, []];
  return html`${
    heading &&
    html`<tr class="group"><th colspan="${columns.length + 1}" scope="rowgroup">${heading}</th></tr>`
  }<tr${ofRow && html` class="${CLASSES[ofRow]}"`}><th scope="row">${name}</th>${texts.map(
    (text, index) =>
      html`<td${classed(columns[index].align, ofTexts[index])}>${typeof text === 'object' ? barOf(text) : text}</td>`,
  )}</tr>`;
}

/** Pixels. */
const [WIDTH, HEIGHT] = [120, 12];

/** Its interval is a thin line across its end. @param {Bar} bar */
function barOf({ value, low = value, high = value, most }) {
  const [at, from, to] = [value, low, high].map((figure) => ((figure / most) * WIDTH).toFixed(1));
  return html`<svg class="bar" width="${WIDTH}" height="${HEIGHT}" aria-hidden="true"><rect width="${at}" height="${HEIGHT}"/><line x1="${from}" x2="${to}" y1="${HEIGHT / 2}" y2="${HEIGHT / 2}"/></svg>`;
}

/** @param {Column['align']} align @param {State} [state] */
function classed(align, state) {
  const names = [align === 'left' ? 'text' : undefined, state && CLASSES[state]].filter(Boolean);
  return names.length > 0 && html` class="${names.join(' ')}"`;
}
