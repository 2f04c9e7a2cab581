import { metricNamed } from '../../metrics/metric-values.js';
import { textOf } from '../../metrics/text.js';
import { lineChart } from '../formats/html/line-chart.js';
import { html } from '../formats/html/markup.js';
import { gridTable } from '../formats/html/page-tables.js';
import { inFacets } from '../formats/html/svg.js';
import { versionsBelow } from '../formats/html/version-chart.js';
import { gridOf } from '../tables/grid.js';
import { betterText, olderText, placeText } from '../words/site-words.js';
import { repeatCommand } from './repeat-command.js';

/** @import { LineChart } from '../formats/html/line-chart.js' */
/** @import { ColumnOf } from '../tables/types.js' */
/** @import { Series, SeriesPoint, SeriesSet, SeriesTrend } from '../../series/types.js' */

/** More would make a page too large, and no line of a chart shows more. */
const MOST_POINTS = 100;
/** With more points than this a chart has a line alone. */
const MOST_DOTS = 40;
const HEIGHT = 170;

/**
 * One cell of a client under one set of conditions: a chart of each metric, with the figures and the command behind it.
 * @param {Series[]} own a series of each metric @param {SeriesSet} set
 */
export function seriesSection(own, set) {
  const places = placesIn(own);
  const shown = places.slice(-MOST_POINTS);
  const command = repeatCommand(own[0].example, shown, set.conditions[own[0].conditions]);
  const table = gridTable({
    note: olderText(shown.length, places.length),
    names: { title: set.order },
    ...gridOf(shown, (place) => ({ name: placeText(place, set.order) }), columnsOf(own)),
  });
  return html`${inFacets(
    own.map((series) => chartOf(series, set)),
    lineChart,
  )}
${table}
${command && html`<p class="small">The newest again, side by side in one benchmark: <code>${command.split(' ').map(breakable)}</code></p>`}`;
}

/** Lines break between words of a command, and in lists. @param {string} word */
const breakable = (word) =>
  word.startsWith('--')
    ? html`<span class="key">${word}</span> `
    : html`${word.split(/(?<=,)/).map((part) => html`<wbr>${part}`)} `;

/** @param {Series[]} own @returns {ColumnOf<Place>[]} each metric, with raw beside the first of them that takes time */
function columnsOf(own) {
  const timed = own.find(({ metric, points }) => points.some(({ floor }) => floor) && !isCounted(metric));
  return [
    ...own.map((series) => figureColumn(series, ({ value }) => value)),
    ...(timed
      ? [{ ...figureColumn(timed, ({ floor }) => floor), title: `${metricNamed(timed.metric).title} of raw` }]
      : []),
    { title: 'measured', text: ({ at }) => at.slice(0, 10) },
    { title: 'saved result', align: 'left', text: ({ file }) => file },
  ];
}

/** @param {string} metric */
const isCounted = (metric) => metricNamed(metric).in === 'counted';

/** @param {Series} series @param {(point: SeriesPoint) => number | undefined} figureOf @returns {ColumnOf<Place>} */
function figureColumn(series, figureOf) {
  const metric = metricNamed(series.metric);
  const text = (/** @type {SeriesPoint | undefined} */ point) => textOf(metric, point && figureOf(point), 3);
  return { title: metric.title, text: (place) => text(pointAt(series, place)) };
}

/** @typedef {Omit<SeriesPoint, 'value' | 'floor'>} Place */

/** @param {Series[]} own @returns {Place[]} those of the series that has most; each metric may lack some */
const placesIn = (own) =>
  own.reduce((most, { points }) => (points.length > most.length ? points : most), own[0].points);

/** @param {Series} series @param {Place} place */
const pointAt = ({ points }, { file, release }) =>
  points.find((point) => point.file === file && point.release === release);

/**
 * @param {Series} series @param {SeriesSet & Partial<SeriesTrend>} set
 * @returns {LineChart & {title: string}} with a line between the last result before a change and the first after it
 */
function chartOf({ metric: id, conditions, cell, points: all }, { order, changes = [] }) {
  const metric = metricNamed(id);
  const title = betterText(metric);
  const points = all.slice(-MOST_POINTS);
  const labels = points.map((point) => placeText(point, order));
  const since = changes
    .filter((change) => change.metric === id && change.conditions === conditions)
    .flatMap(({ since: { place }, cells }) => (cells.some((each) => each.cell === cell) ? [place] : []));
  return {
    title,
    label: `${title}: ${labels[0]} to ${labels[labels.length - 1]}`,
    lines: [{ name: '', style: 0, points: points.map(({ value }, x) => ({ x, y: value })) }],
    hasDots: points.length <= MOST_DOTS,
    moments: points.flatMap(({ place }, x) =>
      since.includes(place) && points[x - 1]?.place !== place ? [x - 0.5] : [],
    ),
    height: HEIGHT,
    x: versionsBelow(labels),
    y: { text: (value) => textOf(metric, value) },
  };
}
