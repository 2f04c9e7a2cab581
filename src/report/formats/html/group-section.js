import { haveFault } from '../../../analysis/findings/fault-ranking.js';
import { startedCold } from '../../../analysis/findings/first-replies.js';
import { isSearch } from '../../../analysis/findings/sustained.js';
import { mainGrid } from '../../tables/main-grid.js';
import { isClosed } from '../../tables/result-rows.js';
import { coverageText } from '../../words/figures.js';
import { codeSection } from './code-section.js';
import { latencyChart } from './latency-chart.js';
import { html } from './markup.js';
import { costTable, gridTable, latencyTable, otherTables, runsTable } from './page-tables.js';
import { runsChart } from './runs-chart.js';

/** @import { Markup } from './markup.js' */
/** @import { Group } from './page.js' */

/** @param {Group} group */
export function groupSection(group) {
  const { id, title, cells, rows, comparison } = group;
  const isBrief = haveFault(cells) || startedCold(cells);
  const [main, coverage] = [mainGrid(group), coverageText(rows)];
  return html`<section id="${id}"><h2>${title}</h2>
${main && gridTable(main)}
${
  isClosed(group) &&
  html`${figure(
    'Every run',
    html`Operations per second, on a logarithmic scale: equal distances are equal ratios. Each point is a run, from the first
(top) to the last (bottom); the line is their median${coverage && `, the band its ${coverage}`}.${
      comparison.ranking.length > 1 && ' The fastest cell and those that tie with it stand out.'
    }`,
    runsChart(rows),
  )}
${runsTable(group)}`
}
${isBrief ? null : measuredParts(group)}</section>`;
}

/** @param {Group} group */
function measuredParts(group) {
  const { rows } = group;
  // The table of a search has the latency of each rate.
  return html`${
    !isSearch(group.cells) &&
    html`${figure(
      'Latency',
      html`From the ${!isClosed(group) && 'scheduled '}start of an operation to its reply, all runs together, by percentile: each step to the
right leaves a tenth of the operations. A line ends at the slowest operation.`,
      latencyChart(rows),
    )}
${latencyTable(group)}`
  }
${otherTables(group)}
${costTable(group)}
${codeSection(group)}`;
}

/** @param {string} title @param {Markup} caption @param {Markup | null} chart */
const figure = (title, caption, chart) =>
  chart && html`<h3>${title}</h3><figure><figcaption>${caption}</figcaption>${chart}</figure>`;
