import { metricNamed } from '../../metrics/metric-values.js';
import { textOf } from '../../metrics/text.js';
import { html } from '../formats/html/markup.js';
import { gridTable } from '../formats/html/page-tables.js';
import { rowChart } from '../formats/html/row-layout.js';
import { titled } from '../tables/grid.js';
import { betterText, placeText } from '../words/site-words.js';

/** @import { Metric } from '../../metrics/types.js' */
/** @import { Series, SeriesSet } from '../../series/types.js' */

/** Pixels of a row's mark. */
const DEPTH = 10;

/**
 * The newest of each client under the same conditions: a chart of one metric, and a table of all.
 * @param {{name: string, own: Series[]}[]} clients each with a series of each metric @param {SeriesSet} set
 */
export function sideBySide(clients, set) {
  const metrics = [...new Set(clients.flatMap(({ own }) => own.map(({ metric }) => metric)))].map(
    metricNamed,
  );
  const rows = clients.map((client) => newestOf(client, set));
  const title = `${betterText(metrics[0])}: the newest ${set.order === 'time' ? 'result' : set.order} of each client`;
  const table = gridTable({
    title,
    names: { title: 'client' },
    columns: titled([...metrics.map((metric) => metric.title), 'measured']),
    rows: rows.map(({ name, at, values }) => ({
      name,
      texts: [...metrics.map((metric) => textOf(metric, values[metric.id], 3)), at.slice(0, 10)],
    })),
  });
  return html`<figure><figcaption>${title}</figcaption>${newestChart(title, rows, metrics[0])}</figure>
${table}`;
}

/** @param {{name: string, own: Series[]}} client @param {SeriesSet} set */
function newestOf({ name, own }, { order }) {
  const newest = own.map(({ metric, points }) => ({ metric, point: points[points.length - 1] }));
  return {
    name: `${name} ${placeText(newest[0].point, order)}`,
    at: newest[0].point.at,
    /** @type {Record<string, number | undefined>} */
    values: Object.fromEntries(newest.map(({ metric, point }) => [metric, point.value])),
  };
}

/** @param {string} title @param {ReturnType<typeof newestOf>[]} rows @param {Metric} metric */
function newestChart(title, rows, metric) {
  const drawn = rows.flatMap(({ name, values: { [metric.id]: value } }) => {
    const points = [{ value: Number(value), fill: 'var(--accent)' }];
    return value === undefined ? [] : { name, points, notes: [textOf(metric, value)], strong: false };
  });
  return rowChart(title, drawn, {
    depth: DEPTH,
    dots: { r: 5 },
    tickText: (tick) => textOf(metric, tick),
  });
}
