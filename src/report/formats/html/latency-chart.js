import { line } from '@observablehq/plot';
import { FIRST_NINES } from '../../../analysis/statistics/latency.js';
import { logDomain, logTicks } from '../../charts/log-axis.js';
import { ninesText, ninesTicks } from '../../charts/nines.js';
import { duration } from '../../words/figures.js';
import { fitLines } from '../../words/wrap.js';
import { axes } from './chart-axes.js';
import { endLabels, LABEL_LINE, labelsWidth } from './end-labels.js';
import { curvesOf, facetsOf } from './latency-curves.js';
import { lineStyle, MOST_LINES } from './line-style.js';
import { html } from './markup.js';
import { drawSvg, inBothWidths, WIDTHS } from './svg.js';

/**
 * @import { Row } from '../../tables/types.js'
 * @import { Curve, Facet } from './latency-curves.js'
 * @import { Markup } from './markup.js'
 */

/** Pixels of the axis of latencies. */
const HEIGHT = 224;
/** Two stand beside each other on a wide page. */
const FACET_WIDTH = 420;
const MARGIN = { marginTop: 12, marginBottom: 34, marginLeft: 52 };
/** Pixels of a percentile's text. */
const TICK = 42;
/** Pixels of a line's name on a narrow page. */
const LETTERS = 17;

/**
 * Latency by percentile, on an axis that gives each further nine the same room.
 *
 * @param {Row[]} results of one group
 * @returns {Markup | null} null where no latency was recorded
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
  const facets = facetsOf(curves);
  return inBothWidths((width) => {
    const each = width === WIDTHS.wide ? FACET_WIDTH : width;
    return html`<div class="facets">${facets.map(
      (facet) => html`<div><h4>${facet.title}</h4>${drawCurves(facet, domains, each)}</div>`,
    )}</div>`;
  });
}

/**
 * @param {Facet} facet
 * @param {{nines: number, us: [low: number, high: number]}} domains
 * @param {number} width
 */
function drawCurves({ title, own, others }, domains, width) {
  const letters = width === WIDTHS.wide ? 40 : LETTERS;
  const named = own.map((curve) => ({
    ...curve,
    ...lineStyle(curve.style),
    end: endOf(curve),
    lines: fitLines(curve.name, letters),
  }));
  const marginRight = labelsWidth(named);
  const inner = Math.max(HEIGHT, named.flatMap(({ lines }) => lines).length * LABEL_LINE);
  const ticks = ninesTicks(domains.nines, (width - MARGIN.marginLeft - marginRight) / TICK);
  const latencies = logTicks(domains.us, 6);
  // The room beyond the last operation is for leaders from lines to their names.
  const edge = domains.nines * 1.04;
  return drawSvg(`Latency by percentile${title ? `, ${title}` : ''}`, {
    ...MARGIN,
    marginRight,
    width,
    height: inner + MARGIN.marginTop + MARGIN.marginBottom,
    x: { domain: [FIRST_NINES, edge] },
    y: { type: 'log', domain: domains.us },
    marks: [
      ...axes({ ticks, text: ninesText }, { ticks: latencies, text: duration }),
      ...others.map(({ points }) => line(points, { x: 'nines', y: 'us', stroke: 'var(--faint)' })),
      ...named.map(({ points, color, dash, name }) =>
        line(points, {
          x: 'nines',
          y: 'us',
          stroke: color,
          strokeWidth: 1.8,
          strokeDasharray: dash,
          title: () => name,
        }),
      ),
      ...endLabels(named, domains.us, inner, edge),
    ],
  });
}

/** @param {Curve} curve @returns {{x: number, y: number}} its slowest operation */
function endOf({ points }) {
  const { nines, us } = points[points.length - 1];
  return { x: nines, y: us };
}
