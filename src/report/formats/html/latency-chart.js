import { alike } from '../../../analysis/alike.js';
import { rateCurves } from '../../../analysis/findings/sustained.js';
import { FIRST_NINES, latencyCurve } from '../../../analysis/statistics/latency.js';
import { clientName } from '../../../axes/cell-names.js';
import { logDomain, logTicks, ninesText, ninesTicks } from '../../charts/scales.js';
import { duration, whole } from '../../words/figures.js';
import { lineChart } from './line-chart.js';
import { inBothWidths, inCharts, inFacets, MOST_LINES } from './svg.js';

/** @import { Row } from '../../tables/types.js' */
/** @import { ChartLine, LineChart } from './line-chart.js' */
/** @import { Group } from './page.js' */

/** Pixels of the axes of latencies, and of the texts of a percentile and of a rate. */
const [PERCENTILES_HEIGHT, RATES_HEIGHT] = [224, 240];
const [PERCENTILE_TICK, RATE_TICK] = [42, 60];
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
    height: PERCENTILES_HEIGHT,
    x: {
      domain: [FIRST_NINES, last * BEYOND],
      axis: (inner) => ({ ticks: ninesTicks(last, inner / PERCENTILE_TICK), text: ninesText }),
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

/** The steps of a search. @param {Group} group @returns null where no rate was searched for */
export function rateChart({ cells }) {
  if (!cells[0].openLoop?.search) return null;
  const curves = rateCurves(cells).slice(0, MOST_LINES);
  if (curves.length === 0) return null;
  const { sloMs } = cells[0].openLoop;
  const domain = logDomain(curves.flatMap(({ points }) => points.map(({ rate }) => rate)));
  /** @type {LineChart} */
  const chart = {
    label: 'p99 latency over the rate',
    lines: curves.map(({ name, points }, style) => ({
      name,
      style,
      points: points.map(({ rate, us, held }) => ({ x: rate, y: us, hollow: !held, title: name })),
    })),
    hasDots: true,
    limits: sloMs === null ? [] : [sloMs * 1000],
    height: RATES_HEIGHT,
    x: {
      type: 'log',
      domain,
      axis: (inner) => ({ ticks: logTicks(domain, inner / RATE_TICK), text: whole }),
    },
    y: { text: duration },
  };
  return inBothWidths((width) => lineChart(chart, width));
}
