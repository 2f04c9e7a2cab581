import { axisX, axisY, gridX, gridY, line, link, text } from '@observablehq/plot';
import { FIRST_NINES } from '../stats/latency.js';
import { duration } from '../text/figures.js';
import { logDomain, logTicks } from '../text/log-axis.js';
import { ninesText, ninesTicks } from '../text/nines.js';
import { fitLines } from '../text/wrap.js';
import { LABEL_LINE, placeLabels } from './end-labels.js';
import { curvesOf, facetsOf, MOST_LINES } from './latency-curves.js';
import { html } from './markup.js';
import { drawSvg, inBothWidths, WIDTHS } from './svg.js';

/** Pixels of the axis of latencies. */
const HEIGHT = 224;
/** Two stand beside each other on a wide page. */
const FACET_WIDTH = 420;
const MARGIN = { marginTop: 12, marginBottom: 34, marginLeft: 52 };
/** Pixels of a percentile's text. */
const TICK = 42;
const LABEL = { letters: 17, letter: 6.1, size: 11.5 };
const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '4 4'];

/**
 * Latency by percentile, on an axis that gives each further nine the same room.
 *
 * @param {import('../text/result-rows.js').Row[]} results of one group
 * @returns {import('./markup.js').Markup | null} null where no latency was recorded
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
 * @param {import('./latency-curves.js').Facet} facet
 * @param {{nines: number, us: [low: number, high: number]}} domains
 * @param {number} width
 */
function drawCurves({ title, own, others }, domains, width) {
  const letters = width === WIDTHS.wide ? 40 : LABEL.letters;
  const named = own.map((curve) => ({
    ...curve,
    color: `var(--line-${curve.style + 1})`,
    dash: DASHES[curve.style],
    lines: fitLines(curve.name, letters),
  }));
  const lines = named.flatMap((curve) => curve.lines);
  const marginRight = Math.max(...lines.map(({ length }) => length)) * LABEL.letter + 22;
  const inner = Math.max(HEIGHT, lines.length * LABEL_LINE);
  const ticks = ninesTicks(domains.nines, (width - MARGIN.marginLeft - marginRight) / TICK);
  const latencies = logTicks(domains.us, 6);
  // Beyond the last operation there is room for what leads from a line to its name.
  const edge = domains.nines * 1.04;
  return drawSvg(`Latency by percentile${title ? `, ${title}` : ''}`, {
    ...{ ...MARGIN, marginRight, width, height: inner + MARGIN.marginTop + MARGIN.marginBottom },
    x: { domain: [FIRST_NINES, edge] },
    y: { type: 'log', domain: domains.us },
    marks: [
      gridX(ticks, { stroke: 'var(--rule)', strokeOpacity: 1 }),
      gridY(latencies, { stroke: 'var(--rule)', strokeOpacity: 1 }),
      axisX(ticks, { text: ninesText, label: null, tickSize: 0 }),
      axisY(latencies, { text: duration, label: null, tickSize: 0 }),
      ...others.map(({ points }) => line(points, { x: 'nines', y: 'us', stroke: 'var(--faint)' })),
      ...named.map(({ points, color, dash, name }) =>
        line(points, {
          ...{ x: 'nines', y: 'us', stroke: color, strokeWidth: 1.8, strokeDasharray: dash },
          title: () => name,
        }),
      ),
      ...placeLabels(named, domains.us, inner).flatMap((label) => labelMarks(label, edge)),
    ],
  });
}

/**
 * The name of a line, and what leads to it.
 *
 * @param {{end: import('../stats/latency.js').CurvePoint, at: number, color: string, lines: string[]}} label
 * @param {number} edge nines
 */
const labelMarks = ({ end, at, color, lines }, edge) => [
  link([end], {
    ...{ x1: 'nines', y1: 'us', x2: () => edge, y2: () => at },
    ...{ stroke: color, strokeOpacity: 0.45, strokeWidth: 0.8 },
  }),
  text([at], {
    ...{ x: () => edge, y: (each) => each, text: () => lines.join('\n'), fill: color },
    ...{ dx: 5, textAnchor: 'start', fontSize: LABEL.size, lineHeight: LABEL_LINE / LABEL.size },
  }),
];
