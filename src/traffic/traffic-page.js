import { documentOf } from '../formats/html/document.js';
import { gridTable } from '../formats/html/grid-table.js';
import { html } from '../formats/html/markup.js';
import { rateGrid, trafficGrid } from './traffic-table.js';
import { trafficFacts, trafficTitle, trafficWarnings } from './traffic-words.js';

/** @import { TrafficSummary } from './types.js' */

/** A profile as one page that needs no other file. @param {TrafficSummary} summary */
export function renderTrafficPage(summary) {
  const { header, file } = summary;
  const warnings = trafficWarnings(summary);
  return documentOf(
    `${file} – ${header.tool.name}`,
    html`<header><p class="kicker">${header.tool.name} ${header.tool.version}</p>
<h1>Traffic in ${file}</h1></header>
<main>
<section><p class="lead">${trafficTitle(summary)}</p>
${warnings.map((text) => html`<p class="notice">${text}</p>`)}
<dl>${trafficFacts(summary).map(([term, text]) => html`<dt>${term}</dt><dd>${text}</dd>`)}</dl></section>
${rateSection(summary)}
<section><h2 id="commands">Commands</h2>
${gridTable(trafficGrid(summary))}</section>
</main>`,
  );
}

/** @param {TrafficSummary} summary */
function rateSection(summary) {
  const rates = rateGrid(summary);
  return rates && html`<section><h2 id="rate">Commands per second</h2>${gridTable(rates)}</section>`;
}
