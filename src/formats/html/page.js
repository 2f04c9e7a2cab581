import { said } from '../../report/figures.js';
import { legendsOf } from '../../report/grid.js';
import { othersOf } from '../../report/remark-lines.js';
import { unbroken } from '../../report/wrap.js';
import { curvesChart, rangesChart } from './charts.js';
import { html, raw } from './markup.js';

/** @import { Bar, Column, Grid, GridRow, Remark, Report, Section, State, Verdict } from '../../report/types.js' */

/** Nothing is fetched and nothing runs, even if markup slips in. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A report as one page that needs no other file. @param {Report} report */
export const renderPage = ({ title, headline, facts, sections, remarks, verdicts }) =>
  `${html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title} – redis-pipe-bench</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header><p class="kicker">redis-pipe-bench</p>
<h1>${unhyphenated(headline || title)}</h1>
${headline && html`<p class="facts">${unhyphenated(title)}</p>`}
<p class="facts">${unhyphenated(facts.join(' · '))}</p></header>
<main>
${remarkList(
  'Failed',
  remarks.filter(({ above }) => above !== undefined),
)}
${sections.filter(({ place }) => place !== 'details').map(sectionPart)}
${verdictList(verdicts)}
${remarkList('Skipped and doubtful', othersOf({ remarks }))}
${sections.filter(({ place }) => place === 'details').map(sectionPart)}
</main>
</body>
</html>`}\n`;

/** Longer words are broken where there is no room. */
const LONGEST_WORD = 32;

/** Browsers break lines behind hyphens, even between the two of an option. @param {string} text */
const unhyphenated = (text) =>
  text
    .split(/(\S*-\S*)/)
    .map((part, index) =>
      index % 2 === 1 && part.length <= LONGEST_WORD ? html`<span class="word">${part}</span>` : part,
    );

/** @param {Section} section */
const sectionPart = ({ heading, grid, chart, notes = [] }) =>
  html`<section>${heading && html`<h2>${unhyphenated(heading)}</h2>`}
${chart && html`<figure><figcaption>${chart.label}</figcaption>${chart.kind === 'ranges' ? rangesChart(chart) : curvesChart(chart)}</figure>`}
${grid && gridTable(grid, heading || 'results')}
${[...legendsOf(grid?.columns ?? []), ...notes].map((note) => html`<p>${unhyphenated(unbroken(note))}</p>`)}</section>`;

/** @param {Verdict[]} verdicts */
const verdictList = (verdicts) =>
  verdicts.length > 0 &&
  html`<section><h2>Assertions</h2><ul>${verdicts.map(
    ({ text, strict, outcome, figures }) =>
      html`<li class="${outcome === 'failed' ? 'bad' : ''}">${outcome}${strict && ' (strict)'}: ${unhyphenated(text)}${
        outcome !== 'holds' && ` (${figures.join('; ')})`
      }</li>`,
  )}</ul></section>`;

/** @param {string} heading @param {Remark[]} remarks */
const remarkList = (heading, remarks) =>
  remarks.length > 0 &&
  html`<section><h2>${heading}</h2><ul>${remarks.map(
    ({ text, who }) =>
      html`<li>${unhyphenated(text)}${who && html`<br><span class="small">${unhyphenated(who)}</span>`}</li>`,
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
  unsure: 'unsure',
};

/** @param {Grid} grid @param {string} label of a table without a note */
const gridTable = ({ note, names, columns, rows }, label) =>
  // A scrollable region must be reachable with the keyboard, and then needs a name.
  html`<div class="scroll" role="region" tabindex="0" aria-label="${note ?? label}"><table>${note && html`<caption>${note}</caption>`}
<thead><tr><th scope="col">${names?.title ?? ''}</th>${columns.map(({ title, align, narrow }) => html`<th scope="col"${classed(align, undefined, narrow)}>${unhyphenated(title)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => rowOf(row, columns))}</tbody></table></div>`;

/** @param {GridRow} row @param {Column[]} columns */
function rowOf({ name, texts, state, heading }, columns) {
  const [ofRow, ofTexts] = Array.isArray(state) ? [undefined, state] : [state, []];
  return html`${
    heading &&
    html`<tr class="group"><th colspan="${columns.length + 1}" scope="rowgroup">${unhyphenated(heading)}</th></tr>`
  }<tr${ofRow && html` class="${CLASSES[ofRow]}"`}><th scope="row">${unhyphenated(name)}</th>${texts.map(
    (text, index) =>
      html`<td${classed(columns[index].align, ofTexts[index])}>${typeof text === 'object' ? barOf(text) : unhyphenated(text)}</td>`,
  )}</tr>`;
}

/** Pixels. */
const [WIDTH, HEIGHT] = [120, 12];

/** Its interval is a thin line across its end; what it consists of has a shade each. @param {Bar} bar */
function barOf({ value, low = value, high = value, most, parts = [value] }) {
  const lengthOf = (/** @type {number} */ figure) => ((figure / most) * WIDTH).toFixed(1);
  const starts = parts.map((_, index) => parts.slice(0, index).reduce((sum, part) => sum + part, 0));
  return html`<svg class="bar" width="${WIDTH}" height="${HEIGHT}" aria-hidden="true">${parts.map((part, index) => html`<rect x="${lengthOf(starts[index])}" width="${lengthOf(part)}" height="${HEIGHT}"/>`)}<line x1="${lengthOf(low)}" x2="${lengthOf(high)}" y1="${HEIGHT / 2}" y2="${HEIGHT / 2}"/></svg>`;
}

/** @param {Column['align']} align @param {State} [state] @param {boolean} [narrow] */
function classed(align, state, narrow) {
  const names = said([
    align === 'left' && 'text',
    (state && CLASSES[state]) ?? null,
    (narrow ?? false) && 'narrow-head',
  ]);
  return names.length > 0 && html` class="${names.join(' ')}"`;
}

/** The page's look: system fonts, one accent, light and dark, a phone's width, paper. */
const STYLE = `
:root {
  color-scheme: light dark;
  --page: #fdfdfc; --ink: #1c2126; --muted: #57616b; --rule: #e2e5e8; --faint: #d3d8dd; --soft: #f3f5f6;
  --accent: #1a5fa5; --mark: #7b8894; --bad: #a4262c;
  --line-1: #1a5fa5; --line-2: #a8480c; --line-3: #21703f; --line-4: #7d4198; --line-5: #6c5b00;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #14171a; --ink: #e4e7ea; --muted: #9aa5b0; --rule: #2a3036; --faint: #363e46; --soft: #1b2024;
    --accent: #72b2f2; --mark: #7f8c98; --bad: #f28b8b;
    --line-1: #72b2f2; --line-2: #f09a62; --line-3: #6cc48d; --line-4: #cba0e6; --line-5: #d8bf57;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 80rem;
  background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3 { line-height: 1.25; text-wrap: balance; margin: 0; font-weight: 650; }
h1 { font-size: 1.9rem; letter-spacing: -.015em; }
h2 { font-size: 1.3rem; margin-top: 3.25rem; padding-top: 1rem; border-top: 1px solid var(--rule); }
h3 { font-size: 1.02rem; margin-top: 2.25rem; }
p, ul { margin: .75rem 0; max-width: 44rem; }
ul { padding-left: 1.15rem; }
li { margin: .3rem 0; }
.kicker, .facts, .small, figcaption { color: var(--muted); font-size: .875rem; max-width: 44rem; }
figure { margin: .5rem 0 0; max-width: 68rem; }
figcaption { margin-bottom: .75rem; }
.plot { display: block; width: 100%; height: auto; overflow: visible; font: 11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--muted); font-variant-numeric: tabular-nums; }
.narrow { display: none; max-width: 28rem; }
.facets { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: 1.5rem 1.25rem; }
.facets > div { max-width: 27rem; min-width: 0; }
.key { list-style: none; padding: 0; margin: .25rem 0 0; font-size: .8rem; }
.scroll { overflow-x: auto; margin: .75rem 0; }
.scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--muted); padding-bottom: .5rem; line-height: 1.45; }
th, td { padding: .38rem .8rem .38rem 0; text-align: right; white-space: nowrap; vertical-align: baseline; }
th:last-child, td:last-child { padding-right: .25rem; }
thead th { color: var(--muted); font-weight: 500; border-bottom: 1px solid var(--muted); vertical-align: bottom; }
tbody th { font-weight: 400; }
tbody tr + tr > * { border-top: 1px solid var(--rule); }
th:first-child, th.text, td.text { text-align: left; }
td.text { white-space: normal; min-width: 12rem; }
.narrow-head { white-space: normal; overflow-wrap: normal; min-width: 5rem; }
.word { white-space: nowrap; }
tbody th:first-child { white-space: normal; min-width: 13rem; max-width: 22rem; overflow-wrap: anywhere; }
.group th { padding-top: 1.1rem; font-weight: 600; white-space: normal; }
.bar { vertical-align: middle; overflow: visible; }
.bar rect { fill: var(--accent); opacity: .75; }
.bar rect + rect { opacity: .5; }
.bar rect + rect + rect { opacity: .3; }
.bar rect + rect + rect + rect { opacity: .15; }
.bar line { stroke: var(--ink); stroke-width: 2; }
.best > *, td.best { font-weight: 650; }
td.unsure { color: var(--muted); }
.dim > * { color: var(--muted); }
.bad { color: var(--bad); }
@media screen and (max-width: 47.5rem) {
  body { padding: 1.5rem .625rem 3rem; }
  h1 { font-size: 1.5rem; }
  h2 { margin-top: 2.5rem; }
  .wide { display: none; }
  .narrow { display: block; }
  tbody th:first-child { position: sticky; left: 0; background: var(--page); min-width: 8.5rem; max-width: 9rem; }
  .group th:first-child { position: static; max-width: none; }
  caption { padding-right: max(0px, calc(100% - 100vw + 1.25rem)); }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  h2, h3 { break-after: avoid; }
  figure, tr, .facets > div { break-inside: avoid; }
  .scroll { overflow: visible; }
  th, td { padding-right: .5rem; }
}
`;
