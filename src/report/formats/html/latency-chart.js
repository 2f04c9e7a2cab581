import { alike } from '../../../analysis/alike.js';
import { FIRST_NINES, latencyCurve } from '../../../analysis/statistics/latency.js';
import { clientName } from '../../../axes/cell-names.js';
import { logDomain, ninesText, ninesTicks } from '../../charts/scales.js';
import { duration } from '../../words/figures.js';
import { lineChart } from './line-chart.js';
import { inBothWidths, inCharts, inFacets, MOST_LINES } from './svg.js';

/** @import { Row } from '../../tables/types.js' */
/** @import { ChartLine, LineChart } from './line-chart.js' */

/** Pixels of the text of a percentile. */
const TICK = 42;
/** The room beyond the last operation is for leaders from lines to their names. */
const BEYOND = 1.04;

/** Each further nine takes the same room. @param {Row[]} results of one group @returns null where no latency was recorded */
export function latencyChart(results) {
  const curves = curvesOf(results);
  if (curves.length === 0) return null;
  const points = curves.flatMap((curve) => curve.points);
  const last = Math.max(1, ...points.map(({ x }) => x));
  /** @type {LineChart} */
  const chart = {
    label: 'Latency by percentile',
    lines: curves,
    x: {
      domain: [FIRST_NINES, last * BEYOND],
      axis: (inner) => ({ ticks: ninesTicks(last, inner / TICK), text: ninesText }),
    },
    y: { domain: logDomain(points.map(({ y }) => y)), text: duration },
  };
  if (curves.length <= MOST_LINES) return inBothWidths((width) => lineChart(chart, width));
  const facets = facetsOf(curves).map((facet) => ({
    ...chart,
    ...facet,
    label: `${chart.label}, ${facet.title}`,
  }));
  return inFacets(facets, lineChart);
}

/** With more cells than this, a chart shows only its own. */
const MOST_CONTEXT = 12;

/** @typedef {ChartLine & {client: string, label: string}} Curve `label`: the name without the client */

/** @param {Row[]} results @returns {Curve[]} of every cell that has latencies */
function curvesOf(results) {
  const cells = results.map(({ cell }) => cell);
  const curves = results.flatMap(({ name, cell }) => {
    const points = cell.summary?.latency ? latencyCurve(cell.summary.latency.hdr) : [];
    if (points.length < 2) return [];
    const client = clientName(cell, cells);
    const label = name.startsWith(`${client}, `) ? name.slice(client.length + 2) : name;
    return { name, client, label, points: points.map(({ nines, us }) => ({ x: nines, y: us })) };
  });
  return curves.map((curve, index) => ({ ...curve, style: index % MOST_LINES }));
}

/** All curves in one chart would be a tangle: each client has a chart, or several if it has many cells. @param {Curve[]} curves */
function facetsOf(curves) {
  const labels = [...new Set(curves.map(({ label }) => label))].sort();
  // Curves of the same name look the same in all charts, as long as there are enough colours.
  const styleOf = (/** @type {Curve} */ { label }, /** @type {number} */ index) =>
    labels.length <= MOST_LINES ? labels.indexOf(label) : index;
  return alike(curves, ({ client }) => client)
    .flatMap((all) => inCharts(all[0].client, all))
    .map(({ title, lines: own }) => ({
      title,
      lines: own.map((curve, index) => ({ ...curve, name: curve.label, style: styleOf(curve, index) })),
      behind: curves.length > MOST_CONTEXT ? [] : curves.filter((curve) => !own.includes(curve)),
    }));
}
