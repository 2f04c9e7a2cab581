import { count } from '../../axes/number-words.js';
import { documentOf } from '../formats/html/document.js';
import { html } from '../formats/html/markup.js';
import { conditionText } from '../words/site-words.js';
import { changesSection, notesSection } from './lasting-changes.js';
import { seriesSection } from './series-section.js';

/** @import { TrendWithWords } from '../words/trend-words.js' */

/** Each takes some 20 kB. */
const MOST_DRAWN = 12;

/** What changed over many results, as one page that needs no other file. @param {TrendWithWords} trend */
export function renderTrendPage(trend) {
  return documentOf(
    'Changes – redis-pipe-bench',
    html`<header><p class="kicker">redis-pipe-bench</p><h1>Results over time</h1></header>
<main>${changesSection(trend)}
${changedSections(trend)}
${notesSection(trend)}</main>`,
  );
}

/** The cells that changed, with all that is known of them. @param {TrendWithWords} trend */
function changedSections(trend) {
  const { changes, series, names } = trend;
  const changed = changes.flatMap(({ conditions, cells }) =>
    cells.map(({ cell }) => `${conditions} ${cell}`),
  );
  const own = [...new Set(changed)].map((key) =>
    series.filter(({ conditions, cell }) => `${conditions} ${cell}` === key),
  );
  return html`${own.slice(0, MOST_DRAWN).map(
    (each) => html`<section><h2>${names[each[0].cell]}</h2>
<p class="facts">${conditionText(trend.conditions[each[0].conditions])}</p>
${seriesSection(each, trend)}</section>`,
  )}
${own.length > MOST_DRAWN && html`<p>${count(own.length - MOST_DRAWN, 'more cell')} changed: --format json has all points.</p>`}`;
}
