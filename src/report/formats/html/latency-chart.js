import { alike } from '../../../analysis/alike.js';
import { FIRST_NINES, latencyCurve } from '../../../analysis/statistics/latency.js';
import { clientName } from '../../../axes/cell-names.js';
import { logDomain, ninesText, ninesTicks } from '../../charts/scales.js';
import { duration } from '../../words/figures.js';
import { lineChart } from './line-chart.js';
import { inBothWidths, inCharts, inFacets, MOST_LINES } from './svg.js';

/** @import { Row } from '../../tables/types.js' */
/** @import { ChartLine, Domain } from './line-chart.js' */
/** @import { Markup } from './markup.js' */

/** Pixels of the axis of latencies. */
const HEIGHT = 224;
/** Pixels of a percentile's text. */
const TICK = 42;
/** The room beyond the last operation is for leaders from lines to their names. */
const BEYOND = 1.04;

/**
 * Latency by percentile, on an axis that gives each further nine the same room.
 * @param {Row[]} results of one group @returns {Markup | null} null where no latency was recorded
 */
export function latencyChart(results) {
  const curves = curvesOf(results);
  if (curves.length === 0) return null;
  const points = curves.flatMap((curve) => curve.points);
  const last = Math.max(1, ...points.map(({ x }) => x));
  /** @type {{x: Domain, y: Domain}} */
  const domains = { x: [FIRST_NINES, last * BEYOND], y: logDomain(points.map(({ y }) => y)) };
  if (curves.length <= MOST_LINES) {
    return inBothWidths((width) => drawCurves({ own: curves, others: [] }, domains, width));
  }
  return inFacets(facetsOf(curves), (facet, width) => drawCurves(facet, domains, width));
}

/** @param {Facet} facet @param {{x: Domain, y: Domain}} domains @param {number} width */
function drawCurves({ title, own, others }, domains, width) {
  const chart = {
    lines: own,
    behind: others,
    height: HEIGHT,
    x: {
      domain: domains.x,
      axis: (/** @type {number} */ inner) => ({
        ticks: ninesTicks(domains.x[1] / BEYOND, inner / TICK),
        text: ninesText,
      }),
    },
    y: { domain: domains.y, text: duration },
  };
  return lineChart(`Latency by percentile${title ? `, ${title}` : ''}`, chart, width);
}

/** With more cells than this, a chart shows only its own. */
const MOST_CONTEXT = 12;

/** @typedef {ChartLine & {label: string, part: string}} Curve `part`: its client; `label`: the name without it */

/** The latencies of every cell that has them. @param {Row[]} results @returns {Curve[]} */
function curvesOf(results) {
  const cells = results.map(({ cell }) => cell);
  const curves = results.flatMap(({ name, cell }) => {
    const points = cell.summary?.latency ? latencyCurve(cell.summary.latency.hdr) : [];
    if (points.length < 2) return [];
    const part = clientName(cell, cells);
    const label = name.startsWith(`${part}, `) ? name.slice(part.length + 2) : name;
    return { name, part, label, points: points.map(({ nines, us }) => ({ x: nines, y: us })) };
  });
  return curves.map((curve, index) => ({ ...curve, style: index % MOST_LINES }));
}

/**
 * @typedef {object} Facet a chart among several
 * @property {string} [title]
 * @property {Curve[]} own
 * @property {Curve[]} others drawn behind, to compare with
 */

/**
 * All curves in one chart would be a tangle, so each client has a chart, or several if it has many cells.
 * @param {Curve[]} curves @returns {Facet[]}
 */
function facetsOf(curves) {
  const labels = [...new Set(curves.map(({ label }) => label))].sort();
  // Curves of the same name look the same in all charts, as long as there are enough colours.
  const styleOf = (/** @type {Curve} */ { label }, /** @type {number} */ index) =>
    labels.length <= MOST_LINES ? labels.indexOf(label) : index;
  return alike(curves, ({ part }) => part)
    .flatMap((all) => inCharts(all[0].part, all))
    .map(({ title, lines: own }) => ({
      title,
      own: own.map((curve, index) => ({ ...curve, name: curve.label, style: styleOf(curve, index) })),
      others: curves.length > MOST_CONTEXT ? [] : curves.filter((curve) => !own.includes(curve)),
    }));
}
