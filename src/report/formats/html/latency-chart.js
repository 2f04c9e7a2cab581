import { line } from '@observablehq/plot';
import { alike } from '../../../analysis/alike.js';
import { FIRST_NINES, latencyCurve } from '../../../analysis/statistics/latency.js';
import { clientName } from '../../../axes/cell-names.js';
import { logDomain, ninesText, ninesTicks } from '../../charts/scales.js';
import { duration } from '../../words/figures.js';
import { lineChart } from './line-chart.js';
import { inBothWidths, inCharts, inFacets, lineStyle, MOST_LINES } from './svg.js';

/** @import { CurvePoint } from '../../../analysis/statistics/latency.js' */
/** @import { Row } from '../../tables/types.js' */
/** @import { Markup } from './markup.js' */

/** Pixels of the axis of latencies. */
const HEIGHT = 224;
/** Pixels of a percentile's text. */
const TICK = 42;

/**
 * Latency by percentile, on an axis that gives each further nine the same room.
 * @param {Row[]} results of one group @returns {Markup | null} null where no latency was recorded
 */
export function latencyChart(results) {
  const curves = curvesOf(results);
  if (curves.length === 0) return null;
  const domains = {
    nines: Math.max(1, ...curves.map(({ points }) => Number(points.at(-1)?.nines))),
    us: logDomain(curves.flatMap(({ points }) => points.map(({ us }) => us))),
  };
  if (curves.length <= MOST_LINES) {
    return inBothWidths((width) => drawCurves({ own: curves, others: [] }, domains, width));
  }
  return inFacets(facetsOf(curves), (facet, width) => drawCurves(facet, domains, width));
}

/** @param {Facet} facet @param {{nines: number, us: [low: number, high: number]}} domains @param {number} width */
function drawCurves({ title, own, others }, domains, width) {
  const named = own.map((curve) => ({ ...curve, ...lineStyle(curve.style), end: endOf(curve) }));
  // The room beyond the last operation is for leaders from lines to their names.
  const edge = domains.nines * 1.04;
  const axis = (/** @type {number} */ inner) => ({
    ticks: ninesTicks(domains.nines, inner / TICK),
    text: ninesText,
  });
  const chart = {
    named,
    height: HEIGHT,
    marginLeft: 52,
    x: { scale: { domain: [FIRST_NINES, edge] }, edge, axis },
    y: { domain: domains.us, text: duration },
    marks: [
      ...others.map(({ points }) => line(points, { x: 'nines', y: 'us', stroke: 'var(--faint)' })),
      ...named.map(namedLine),
    ],
  };
  return lineChart(`Latency by percentile${title ? `, ${title}` : ''}`, chart, width);
}

/** @param {Curve & ReturnType<typeof lineStyle>} curve */
const namedLine = ({ points, color, dash, name }) =>
  line(points, {
    x: 'nines',
    y: 'us',
    stroke: color,
    strokeWidth: 1.8,
    strokeDasharray: dash,
    title: () => name,
  });

/** @param {Curve} curve @returns {{x: number, y: number}} its slowest operation */
function endOf({ points }) {
  const { nines, us } = points[points.length - 1];
  return { x: nines, y: us };
}

/** With more cells than this, a chart shows only its own. */
const MOST_CONTEXT = 12;

/**
 * @typedef {object} Curve
 * @property {string} name
 * @property {string} label the name without the part
 * @property {string} part the client
 * @property {number} style from 0 to the number of lines in a chart
 * @property {CurvePoint[]} points
 */

/** The latencies of every cell that has them. @param {Row[]} results @returns {Curve[]} */
function curvesOf(results) {
  const cells = results.map(({ cell }) => cell);
  const curves = results.flatMap(({ name, cell }) => {
    const points = cell.summary?.latency ? latencyCurve(cell.summary.latency.hdr) : [];
    if (points.length < 2) return [];
    const part = clientName(cell, cells);
    const label = name.startsWith(`${part}, `) ? name.slice(part.length + 2) : name;
    return { name, part, label, points };
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
