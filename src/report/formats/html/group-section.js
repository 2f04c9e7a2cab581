import { haveFault } from '../../../analysis/findings/fault-ranking.js';
import { startedCold } from '../../../analysis/findings/first-replies.js';
import { mainGrid } from '../../tables/main-grid.js';
import { isClosed } from '../../tables/result-rows.js';
import { coverageText } from '../../words/figures.js';
import { codeSection } from './code-section.js';
import { faultChart } from './fault-chart.js';
import { latencyChart, rateChart } from './latency-chart.js';
import { html, swatch } from './markup.js';
import { costTable, gridTable, latencyTable, otherTables, runsTable } from './page-tables.js';
import { costChart, runsChart } from './throughput-charts.js';
import { versionChart } from './version-chart.js';

/** @import { Markup } from './markup.js' */
/** @import { Group } from './page.js' */

const MARKS = {
  bar: html`<svg width="4" height="13" aria-hidden="true"><path d="M2 0v13" stroke="var(--ink)" stroke-width="2"/></svg>`,
  client: html`<svg width="11" height="11" aria-hidden="true"><circle cx="5.5" cy="5.5" r="4.5" fill="var(--accent)"/></svg>`,
  server: html`<svg width="11" height="13" aria-hidden="true"><path d="M5.5 1 9.5 6.5 5.5 12 1.5 6.5Z" fill="none" stroke="var(--server)" stroke-width="1.5"/></svg>`,
};

/** @param {Group} group */
export function groupSection(group) {
  const { id, title, cells, rows, comparison } = group;
  const closed = isClosed(group);
  const isBrief = haveFault(cells) || startedCold(cells);
  const [main, curve, coverage] = [mainGrid(group), rateChart(group), coverageText(rows)];
  return html`<section id="${id}"><h2>${title}</h2>
${figure(
  'What became of the operations',
  html`The first run in steps of 100 ms. Above the line: operations that were <span class="key">${swatch('var(--accent)')} done</span>
or <span class="key">${swatch('var(--bad)')} failed</span>. Below it: callers that <span class="key">${swatch('var(--mark)')} waited</span>, with the
largest number at the right. Peaks are cut off at twice the rate.${cells[0].fault?.kind !== 'none' && ' The dotted lines are the fault and its end.'}`,
  faultChart(group),
)}
${figure(
  'Latency over the rate',
  html`The p99 from the scheduled start, all runs of a rate together, on logarithmic scales. Filled points are sustained
rates, empty points are not; the dotted line is the SLO.`,
  curve,
)}
${main && gridTable(main)}
${
  closed &&
  html`${figure(
    'Every run',
    html`Operations per second, on a logarithmic scale: equal distances are equal ratios. Each point is a run, from the first
(top) to the last (bottom); the line is their median${coverage && `, the band its ${coverage}`}.${
      comparison.ranking.length > 1 && ' The fastest cell and those that tie with it stand out.'
    }`,
    runsChart(rows),
  )}
${runsTable(group)}
${figure(
  'Versions',
  html`The oldest at the left, on logarithmic scales. Each small point is a run, the large one their median${coverage && `, the bar its ${coverage}`}.`,
  versionChart(group),
)}`
}
${isBrief ? null : measuredParts(group, curve !== null)}</section>`;
}

/** @param {Group} group @param {boolean} hasCurve of the rates, which shows its latencies */
function measuredParts(group, hasCurve) {
  const { rows } = group;
  const closed = isClosed(group);
  return html`${
    !hasCurve &&
    html`${figure(
      'Latency',
      html`From the ${!closed && 'scheduled '}start of an operation to its reply, all runs together, by percentile: each step to the
right leaves a tenth of the operations. A line ends at the slowest operation.`,
      latencyChart(rows),
    )}
${latencyTable(group)}`
  }
${otherTables(group)}
${
  closed &&
  figure(
    'Throughput and CPU',
    html`<span class="key">${MARKS.bar} time from one operation to the next</span> (1 / throughput), and the CPU
time per operation of <span class="key">${MARKS.client} the client</span> and <span class="key">${MARKS.server} the server's main thread</span>. A
mark on the line means that the client or the server is busy all the time. At the right: what limits the cell.`,
    costChart(rows),
  )
}
${costTable(group)}
${codeSection(group)}`;
}

/** @param {string} title @param {Markup} caption @param {Markup | null} chart */
const figure = (title, caption, chart) =>
  chart && html`<h3>${title}</h3><figure><figcaption>${caption}</figcaption>${chart}</figure>`;
