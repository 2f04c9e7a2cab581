import { metricNamed } from '../../metrics/metric-values.js';
import { textOf } from '../../metrics/text.js';
import { lineChart } from '../formats/html/line-chart.js';
import { html } from '../formats/html/markup.js';
import { gridTable } from '../formats/html/page-tables.js';
import { inFacets } from '../formats/html/svg.js';
import { versionsBelow } from '../formats/html/version-chart.js';
import { titled } from '../tables/grid.js';
import { olderText, placeText } from '../words/site-words.js';
import { repeatCommand } from './repeat-command.js';

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
    columns: [
      ...own.map(({ metric }) => ({ title: metricNamed(metric).title })),
      ...titled(['measured', 'saved result'], 'left'),
    ],
    rows: shown.map((place) => ({
      name: placeText(place, set.order),
      texts: [
        ...own.map((series) => textOf(metricNamed(series.metric), pointAt(series, place)?.value ?? null)),
        place.at.slice(0, 10),
        place.file,
      ],
    })),
  });
  return html`${inFacets(
    own.map((series) => chartOf(series, set)),
    drawSeries,
  )}
${table}
${command && html`<p class="small">The same again, side by side in one benchmark: <code>${command}</code></p>`}`;
}

/** @typedef {Omit<SeriesPoint, 'value'>} Place */

/** @param {Series[]} own @returns {Place[]} those of the series that has most; each metric may lack some */
const placesIn = (own) =>
  own.reduce((most, { points }) => (points.length > most.length ? points : most), own[0].points);

/** @param {Series} series @param {Place} place */
const pointAt = ({ points }, { file, release }) =>
  points.find((point) => point.file === file && point.release === release);

/** @param {Series} series @param {SeriesSet & Partial<SeriesTrend>} set */
function chartOf({ metric: id, conditions, cell, points: all }, { order, changes = [] }) {
  const metric = metricNamed(id);
  const title = metric.heading ?? metric.title;
  const points = all
    .slice(-MOST_POINTS)
    .map((point, x) => ({ x, place: point.place, value: point.value, label: placeText(point, order) }));
  const since = changes
    .filter((change) => change.metric === id && change.conditions === conditions)
    .flatMap(({ since: { place }, cells }) => (cells.some((each) => each.cell === cell) ? [place] : []));
  return {
    title,
    metric,
    points,
    // Between the last result before a change and the first one after it.
    steps: points.flatMap(({ x, place }) =>
      since.includes(place) && points[x - 1]?.place !== place ? [x - 0.5] : [],
    ),
    label: `${title}: ${points[0].label} to ${points[points.length - 1].label}`,
  };
}

/** @param {ReturnType<typeof chartOf>} chart @param {number} width pixels */
function drawSeries({ label, metric, points, steps }, width) {
  const chart = {
    lines: [{ name: '', style: 0, points: points.map(({ x, value }) => ({ x, y: value })) }],
    hasDots: points.length <= MOST_DOTS,
    moments: steps,
    height: HEIGHT,
    x: versionsBelow(points.map((point) => point.label)),
    y: { text: (/** @type {number} */ value) => textOf(metric, value) },
  };
  return lineChart(label, chart, width);
}
