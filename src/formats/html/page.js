import { unbroken } from '../../core/report/wrap.js';
import { curvesChart, rangesChart } from './charts.js';
import { documentOf } from './document.js';
import { html } from './markup.js';

/** @import { Bar, Column, Curves, Grid, GridRow, Ranges, Remark, Report, Section, State, Verdict } from '../../core/report/types.js' */

/** A report as one page that needs no other file. @param {Report} report */
export const renderPage = ({ title, facts, sections, remarks, verdicts }) =>
  documentOf(
    `${title} – redis-pipe-bench`,
    html`<header><p class="kicker">redis-pipe-bench</p>
<h1>${title}</h1>
<p class="facts">${facts.join(' · ')}</p></header>
<main>
${sections.filter(({ place }) => place !== 'details').map(sectionPart)}
${verdictList(verdicts)}
${remarkList(remarks)}
${sections.filter(({ place }) => place === 'details').map(sectionPart)}
</main>`,
  );

/** @param {Section} section */
const sectionPart = ({ heading, grid, chart, notes = [] }) =>
  html`<section>${heading && html`<h2>${heading}</h2>`}
${chart && html`<figure><figcaption>${chart.label}</figcaption>${chartOf(chart)}</figure>`}
${grid && gridTable(grid, heading || 'results')}
${notes.map((note) => html`<p>${unbroken(note)}</p>`)}</section>`;

/** @param {Curves | Ranges} chart */
const chartOf = (chart) => (chart.kind === 'ranges' ? rangesChart(chart) : curvesChart(chart));

/** @param {Verdict[]} verdicts */
const verdictList = (verdicts) =>
  verdicts.length > 0 &&
  html`<section><h2>Assertions</h2><ul>${verdicts.map(
    ({ text, strict, holds, figures }) =>
      html`<li class="${holds ? '' : 'bad'}">${holds ? 'holds' : 'failed'}${strict && ' (strict)'}: ${text}${
        !holds && ` (${figures.join('; ')})`
      }</li>`,
  )}</ul></section>`;

/** @param {Remark[]} remarks */
const remarkList = (remarks) =>
  remarks.length > 0 &&
  html`<section><h2>Skipped, failed and doubtful</h2><ul>${remarks.map(
    ({ text, who }) => html`<li>${text}${who && html`<br><span class="small">${who}</span>`}</li>`,
  )}</ul></section>`;

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

/** @param {Grid} grid @param {string} label of a table without a note */
const gridTable = ({ note, names, columns, rows }, label) =>
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
