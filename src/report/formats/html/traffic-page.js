import { areaY, lineY } from '@observablehq/plot';
import { trafficGrid } from '../../tables/traffic-table.js';
import { duration, whole } from '../../words/figures.js';
import { trafficFacts, trafficTitle, trafficWarnings } from '../../words/traffic-words.js';
import { documentOf } from './document.js';
import { html } from './markup.js';
import { gridTable } from './page-tables.js';
import { axes, drawSvg, inBothWidths } from './svg.js';

/** @import { TrafficSummary } from '../../../traffic/types.js' */

const HEIGHT = 200;
const TICK = 70;

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
function rateSection({ rates }) {
  if (rates.length < 2) return null;
  return html`<section><h2 id="rate">Commands per second</h2>
<figure>${inBothWidths((width) => drawRates(rates, width))}</figure></section>`;
}

/** @param {TrafficSummary['rates']} rates @param {number} width */
function drawRates(rates, width) {
  const most = Math.max(1, ...rates.map(({ perSecond }) => perSecond));
  const last = rates[rates.length - 1].fromUs;
  const times = Math.floor(width / TICK / 2);
  const every = Math.ceil(last / times / 1e6) * 1e6;
  const ticks = Array.from({ length: Math.floor(last / every) + 1 }, (_, index) => index * every);
  const place = { x: 'fromUs', y: 'perSecond' };
  return drawSvg('Commands per second over the time of the recording', {
    width,
    height: HEIGHT,
    marginLeft: 60,
    x: { domain: [0, last] },
    y: { domain: [0, most] },
    marks: [
      ...axes(
        { ticks, text: (us) => (us === 0 ? '0 s' : duration(us)) },
        { ticks: [0, most / 2, most], text: whole },
      ),
      areaY(rates, { ...place, fill: 'var(--accent)', fillOpacity: 0.12 }),
      lineY(rates, { ...place, stroke: 'var(--accent)', strokeWidth: 1.8 }),
    ],
  });
}
