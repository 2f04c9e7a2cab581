import { axisX, axisY, gridX, gridY, line, link, text } from '@observablehq/plot';
import { FIRST_NINES, latencyCurve } from '../stats/latency.js';
import { clientName } from '../stats/names.js';
import { duration } from '../text/figures.js';
import { logDomain, logPosition, logTicks } from '../text/log-axis.js';
import { ninesText, ninesTicks } from '../text/nines.js';
import { wrap } from '../text/wrap.js';
import { html } from './markup.js';
import { drawSvg, inBothWidths, WIDTHS } from './svg.js';

/** Lines that can be told apart in one chart. */
const MOST_LINES = 5;
/** With more cells than that, a chart shows its own alone. */
const MOST_CONTEXT = 12;
const HEIGHT = 270;
/** Two stand beside each other on a wide page. */
const FACET_WIDTH = 420;
const MARGIN = { marginTop: 12, marginBottom: 34, marginLeft: 52 };
const LABEL = { letters: 17, letter: 6.1, line: 13 };
const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '4 4'];
/** Recorded in tenths of a microsecond. */
const LEAST_US = 0.1;

/** @typedef {{name: string, label: string, part: string, style: number, points: import('../stats/latency.js').CurvePoint[]}} Curve */

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
 * @typedef {object} Facet a chart among several
 * @property {string} [title]
 * @property {Curve[]} own
 * @property {Curve[]} others drawn behind, to compare with
 */

/**
 * All curves over each other would be a knot: a chart for each client, or more where it has many cells.
 *
 * @param {Curve[]} curves
 * @returns {Facet[]}
 */
function facetsOf(curves) {
  const labels = [...new Set(curves.map(({ label }) => label))].sort();
  // What has the same name in several charts looks the same in them, as long as the colours suffice.
  const styleOf = (/** @type {Curve} */ { label }, /** @type {number} */ place) =>
    labels.length <= MOST_LINES ? labels.indexOf(label) : place;
  return [...new Set(curves.map(({ part }) => part))].flatMap((part) => {
    const all = curves.filter((curve) => curve.part === part);
    const charts = Math.ceil(all.length / MOST_LINES);
    return Array.from({ length: charts }, (_, index) => {
      const own = all.slice(index * MOST_LINES, (index + 1) * MOST_LINES);
      return {
        title: charts === 1 ? part : `${part}, ${index + 1} of ${charts}`,
        own: own.map((curve, place) => ({ ...curve, name: curve.label, style: styleOf(curve, place) })),
        others: curves.length > MOST_CONTEXT ? [] : curves.filter((curve) => !own.includes(curve)),
      };
    });
  });
}

/** @param {import('../text/result-rows.js').Row[]} results @returns {Curve[]} */
function curvesOf(results) {
  const curves = results.flatMap(({ name, cell }) => {
    const points = cell.summary?.latency ? latencyCurve(cell.summary.latency.hdr) : [];
    if (points.length < 2) return [];
    const part = clientName(cell);
    return [
      {
        ...{ name, part },
        label: name.startsWith(`${part}, `) ? name.slice(part.length + 2) : name,
        points: points.map(({ nines, us }) => ({ nines, us: Math.max(LEAST_US, us) })),
      },
    ];
  });
  return curves.map((curve, index) => ({ ...curve, style: index % MOST_LINES }));
}

/**
 * @param {Facet} facet
 * @param {{nines: number, us: [low: number, high: number]}} domains
 * @param {number} width
 */
function drawCurves({ title, own, others }, domains, width) {
  const letters = width === WIDTHS.wide ? 40 : LABEL.letters;
  const named = own.map((curve) => ({
    ...curve,
    color: `var(--line-${curve.style + 1})`,
    dash: DASHES[curve.style],
    lines: wrap(curve.name, letters).map((each) => each.slice(0, letters)),
  }));
  const longest = Math.max(...named.flatMap(({ lines }) => lines.map((each) => each.length)));
  const marginRight = longest * LABEL.letter + 22;
  const height = Math.max(HEIGHT, named.reduce((sum, { lines }) => sum + lines.length, 2) * LABEL.line + 46);
  const labels = placeLabels(named, domains.us, height);
  // Beyond the last operation there is room for what leads from a line to its name.
  const edge = domains.nines * 1.04;
  const ticks = ninesTicks(domains.nines, (width - MARGIN.marginLeft - marginRight) / 34);
  const latencies = logTicks(domains.us, 6);
  return drawSvg(`Latency by percentile${title ? `, ${title}` : ''}`, {
    ...{ ...MARGIN, marginRight, width, height },
    x: { domain: [FIRST_NINES, edge] },
    y: { type: 'log', domain: domains.us },
    marks: [
      gridX(ticks, { stroke: 'var(--rule)', strokeOpacity: 1 }),
      gridY(latencies, { stroke: 'var(--rule)', strokeOpacity: 1 }),
      axisX(ticks, { tickFormat: ninesText, label: null, tickSize: 0 }),
      axisY(latencies, { tickFormat: duration, label: null, tickSize: 0 }),
      ...others.map(({ points }) => line(points, { x: 'nines', y: 'us', stroke: 'var(--faint)' })),
      ...named.map(({ points, color, dash, name }) =>
        line(points, {
          ...{ x: 'nines', y: 'us', stroke: color, strokeWidth: 1.8, strokeDasharray: dash },
          title: () => name,
        }),
      ),
      ...labels.map(({ end, at, color }) =>
        link([end], {
          ...{ x1: 'nines', y1: 'us', x2: () => edge, y2: () => at, stroke: color },
          ...{ strokeOpacity: 0.45, strokeWidth: 0.8 },
        }),
      ),
      ...labels.map(({ at, color, lines }) =>
        text([at], {
          ...{ x: () => edge, y: (each) => each, text: () => lines.join('\n'), fill: color },
          ...{ dx: 5, textAnchor: 'start', fontSize: 11.5, lineHeight: LABEL.line / 11.5 },
        }),
      ),
    ],
  });
}

/**
 * Where the names of the lines stand: beside their ends, or as near as they do not cover each other.
 *
 * @template {Curve & {lines: string[]}} Named
 * @param {Named[]} curves
 * @param {[low: number, high: number]} domain
 * @param {number} height
 * @returns {(Named & {end: import('../stats/latency.js').CurvePoint, at: number})[]} `at` in microseconds
 */
function placeLabels(curves, domain, height) {
  const inner = height - MARGIN.marginTop - MARGIN.marginBottom;
  let free = 0;
  const placed = curves
    .map((curve) => {
      const end = /** @type {import('../stats/latency.js').CurvePoint} */ (curve.points.at(-1));
      return {
        curve,
        end,
        depth: curve.lines.length * LABEL.line,
        wish: (1 - logPosition(end.us, domain)) * inner,
      };
    })
    .sort((a, b) => a.wish - b.wish)
    .map((label) => {
      const top = Math.max(free, label.wish - label.depth / 2);
      free = top + label.depth;
      return { ...label, top };
    });
  // What was pushed out below moves back up, and the others with it.
  let floor = inner;
  for (const label of placed.toReversed()) {
    label.top = Math.min(label.top, floor - label.depth);
    floor = label.top;
  }
  return placed.map(({ curve, end, top, depth }) => {
    const position = 1 - (top + depth / 2) / inner;
    return { ...curve, end, at: domain[0] * (domain[1] / domain[0]) ** position };
  });
}
