import { line, link, text } from '@observablehq/plot';
import { duration } from '../../core/report/figures.js';
import { fitLines } from '../../core/report/wrap.js';
import { logDomain, logPosition, logTicks, ninesText, ninesTicks } from '../charts/scales.js';
import { axes, drawSvg, inBothWidths, inCharts, inFacets, lineStyle, MOST_LINES, WIDTHS } from './svg.js';

/** @import { Curves } from '../../core/report/types.js' */
/** @import { Axis } from './svg.js' */

/** Pixels, as are all sizes here: of a line of text, its letters, and a letter on average. */
const [LABEL_LINE, SIZE, LETTER] = [13, 11.5, 6.1];
const [MARGIN_TOP, MARGIN_LEFT, MARGIN_BOTTOM, LEAST_HEIGHT] = [12, 52, 34, 224];

const LETTERS = { wide: 40, narrow: 17 };

/** Pixels of the text of a percentile. */
const TICK = 42;
/** The room beyond the last operation is for leaders from lines to their names. */
const BEYOND = 1.04;
/** With more lines than this, a chart shows only its own. */
const MOST_CONTEXT = 12;

/** Each further nine takes the same room. @param {Curves} curves */
export function curvesChart({ label, lines: all }) {
  const curves = all.map((curve, style) => ({
    ...curve,
    style: style % MOST_LINES,
    points: curve.points.map(({ nines, us }) => ({ x: nines, y: us })),
  }));
  const points = curves.flatMap((curve) => curve.points);
  if (points.length === 0) return null;
  const nines = points.map(({ x }) => x);
  const last = Math.max(1, ...nines);
  /** @type {LineChart} */
  const chart = {
    label,
    lines: curves,
    x: {
      domain: [Math.min(...nines), last * BEYOND],
      axis: (inner) => ({ ticks: ninesTicks(last, inner / TICK), text: ninesText }),
    },
    y: { domain: logDomain(points.map(({ y }) => y)), text: duration },
  };
  if (curves.length <= MOST_LINES) return inBothWidths((width) => lineChart(chart, width));
  // All curves in one chart would be a tangle: each family has a chart, or several if it is large.
  const families = [...new Set(curves.map(({ family }) => family))];
  const facets = families.flatMap((family) =>
    inCharts(
      family,
      curves.filter((curve) => curve.family === family),
    ),
  );
  const labels = [...new Set(curves.map((curve) => curve.label))].sort();
  const drawn = facets.map(({ title, lines }) => ({
    ...chart,
    label: `${label}, ${title}`,
    title,
    // Curves of the same name look the same in all charts, as long as there are enough colours.
    lines: lines.map((curve, index) => ({
      ...curve,
      name: curve.label,
      style: labels.length <= MOST_LINES ? labels.indexOf(curve.label) : index,
    })),
    behind: curves.length > MOST_CONTEXT ? [] : curves.filter((curve) => !lines.includes(curve)),
  }));
  return inFacets(drawn, lineChart);
}

/**
 * @typedef {object} ChartLine
 * @property {string} name printed at its end
 * @property {number} style among the lines of a chart
 * @property {{x: number, y: number}[]} points the last one is its end
 * @typedef {[low: number, high: number]} Domain
 *
 * @typedef {object} LineChart
 * @property {string} label
 * @property {ChartLine[]} lines
 * @property {Pick<ChartLine, 'points'>[]} [behind] to compare with
 * @property {{domain: Domain, axis: (inner: number) => Axis}} x `axis` gets the width between the margins
 * @property {{domain: Domain, text: (value: number) => string}} y
 */

/** Lines over a logarithmic axis, each named at its end. @param {LineChart} chart @param {number} width */
function lineChart({ label, lines, behind = [], x, y }, width) {
  const letters = width === WIDTHS.wide ? LETTERS.wide : LETTERS.narrow;
  const drawn = lines.map((each) => ({
    ...each,
    ...lineStyle(each.style),
    lines: fitLines(each.name, letters),
  }));
  const words = drawn.flatMap((each) => each.lines);
  const marginRight = Math.max(...words.map(({ length }) => length)) * LETTER + 22;
  const inner = Math.max(LEAST_HEIGHT, words.length * LABEL_LINE);
  return drawSvg(label, {
    marginTop: MARGIN_TOP,
    marginLeft: MARGIN_LEFT,
    marginRight,
    marginBottom: MARGIN_BOTTOM,
    width,
    height: inner + MARGIN_TOP + MARGIN_BOTTOM,
    x: { domain: x.domain },
    y: { type: 'log', domain: y.domain },
    marks: [
      ...axes(x.axis(width - MARGIN_LEFT - marginRight), { ticks: logTicks(y.domain, 6), text: y.text }),
      behind.map(({ points }) => line(points, { x: 'x', y: 'y', stroke: 'var(--faint)' })),
      drawn.map(({ name, points, color, dash }) =>
        line(points, {
          x: 'x',
          y: 'y',
          stroke: color,
          strokeWidth: 1.8,
          strokeDasharray: dash,
          title: () => name,
        }),
      ),
      endLabels(drawn, y.domain, inner, x.domain[1]),
    ],
  });
}

/** @typedef {Pick<ChartLine, 'points'> & {color: string, lines: string[]}} EndLabel its name, line by line */

/**
 * @param {EndLabel[]} labels @param {Domain} domain @param {number} inner the height of the axis
 * @param {number} edge where the names begin, in units of the other axis
 */
const endLabels = (labels, domain, inner, edge) =>
  placeLabels(labels, domain, inner).flatMap(({ points, at, color, lines }) => [
    link(points.slice(-1), {
      x1: 'x',
      y1: 'y',
      x2: () => edge,
      y2: () => at,
      stroke: color,
      strokeOpacity: 0.45,
      strokeWidth: 0.8,
    }),
    text([at], {
      x: () => edge,
      y: (each) => each,
      text: () => lines.join('\n'),
      fill: color,
      dx: 5,
      textAnchor: 'start',
      fontSize: SIZE,
      lineHeight: LABEL_LINE / SIZE,
    }),
  ]);

/**
 * Places names as near to the ends of their lines as they can stand without covering each other.
 * @param {EndLabel[]} labels @param {Domain} domain @param {number} inner
 * @returns {(EndLabel & {at: number})[]} `at` in units of the axis
 */
function placeLabels(labels, domain, inner) {
  let free = 0;
  const placed = labels
    .map((label) => ({
      label,
      depth: label.lines.length * LABEL_LINE,
      wish: (1 - logPosition(Number(label.points.at(-1)?.y), domain)) * inner,
    }))
    .sort((a, b) => a.wish - b.wish)
    .map((each) => {
      const top = Math.max(free, each.wish - each.depth / 2);
      free = top + each.depth;
      return { ...each, top };
    });
  // Labels pushed out at the bottom move back up, and push the others.
  let floor = inner;
  for (const each of placed.toReversed()) {
    each.top = Math.min(each.top, floor - each.depth);
    floor = each.top;
  }
  return placed.map(({ label, top, depth }) => {
    const position = 1 - (top + depth / 2) / inner;
    return { ...label, at: domain[0] * (domain[1] / domain[0]) ** position };
  });
}
