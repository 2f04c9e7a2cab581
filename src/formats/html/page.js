import { unbroken } from '../../core/report/wrap.js';
import { curvesChart } from './curves-chart.js';
import { documentOf } from './document.js';
import { gridTable } from './grid-table.js';
import { html } from './markup.js';
import { rangesChart } from './ranges-chart.js';

/** @import { Curves, Ranges, Remark, Report, Section, Verdict } from '../../core/report/types.js' */

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
