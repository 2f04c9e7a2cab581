import { dot, line, ruleY } from '@observablehq/plot';
import { rateCurves } from '../../../analysis/findings/sustained.js';
import { logDomain, logTicks } from '../../charts/scales.js';
import { duration, whole } from '../../words/figures.js';
import { lineChart } from './line-chart.js';
import { inBothWidths, lineStyle, MOST_LINES } from './svg.js';

/** @import { Markup } from './markup.js' */
/** @import { Group } from './page.js' */

/** Pixels of the axis of latencies. */
const HEIGHT = 240;
/** Pixels of a rate's text. */
const TICK = 60;

/** The p99 latency over the rate: a search's steps. @param {Group} group @returns {Markup | null} null where no rate was searched for */
export function rateChart({ cells }) {
  if (!cells[0].openLoop?.search) return null;
  const curves = rateCurves(cells).slice(0, MOST_LINES);
  if (curves.length === 0) return null;
  const { sloMs } = cells[0].openLoop;
  return inBothWidths((width) => drawCurves(curves, sloMs === null ? [] : [sloMs * 1000], width));
}

/** @typedef {{name: string, points: {rate: number, us: number, held: boolean}[]}} Curve */

/** @param {Curve[]} curves @param {number[]} limits µs @param {number} width */
function drawCurves(curves, limits, width) {
  const points = curves.flatMap((curve) => curve.points);
  const rates = logDomain(points.map(({ rate }) => rate));
  const named = curves.map((curve, index) => {
    const { rate: x, us: y } = curve.points[curve.points.length - 1];
    return { ...curve, ...lineStyle(index), end: { x, y } };
  });
  const axis = (/** @type {number} */ inner) => ({ ticks: logTicks(rates, inner / TICK), text: whole });
  const chart = {
    named,
    height: HEIGHT,
    marginLeft: 52,
    x: { scale: /** @type {const} */ ({ type: 'log', domain: rates }), edge: rates[1], axis },
    y: { domain: logDomain([...points.map(({ us }) => us), ...limits]), text: duration },
    marks: [ruleY(limits, { stroke: 'var(--ink)', strokeDasharray: '2 2' }), ...named.flatMap(curveMarks)],
  };
  return lineChart('p99 latency over the rate', chart, width);
}

/** @param {Curve & ReturnType<typeof lineStyle>} curve */
const curveMarks = ({ points, color, dash, name }) => [
  line(points, { x: 'rate', y: 'us', stroke: color, strokeWidth: 1.8, strokeDasharray: dash }),
  dot(points, {
    x: 'rate',
    y: 'us',
    r: 3.5,
    stroke: color,
    title: () => name,
    fill: (/** @type {{held: boolean}} */ { held }) => (held ? color : 'var(--page)'),
  }),
];
