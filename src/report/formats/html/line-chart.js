import { dot, line, link, ruleX, ruleY, text } from '@observablehq/plot';
import { logDomain, logPosition, logTicks } from '../../charts/scales.js';
import { fitLines } from '../../words/wrap.js';
import { axes, drawSvg, lineStyle, WIDTHS } from './svg.js';

/** @import { Axis } from './svg.js' */

/** Pixels, as are all sizes here: of a line of text, its letters, and a letter on average. */
const [LABEL_LINE, SIZE, LETTER] = [13, 11.5, 6.1];
const MARGIN_TOP = 12;

const LETTERS = { wide: 40, narrow: 17 };

/**
 * @typedef {{x: number, y: number, title?: string, hollow?: boolean}} Point
 * @typedef {object} ChartLine
 * @property {string} name printed at its end; empty if the title of the chart names the line
 * @property {number} style among the lines of a chart
 * @property {Point[]} points the last one is its end
 * @property {Point[]} [samples] of which its points are medians
 * @property {{x: number, low: number, high: number}[]} [spans] the intervals of its points
 * @typedef {[low: number, high: number]} Domain
 *
 * @typedef {object} LineChart
 * @property {string} label
 * @property {ChartLine[]} lines
 * @property {boolean} [hasDots] at the points
 * @property {Pick<ChartLine, 'points'>[]} [behind] to compare with
 * @property {number[]} [limits] of the vertical axis
 * @property {number[]} [moments] of the horizontal axis
 * @property {number} height of the vertical axis at least
 * @property {{type?: 'log', domain: Domain, axis: (inner: number) => Axis & {depth?: number}}} x `axis` gets the
 *   width between the margins; `depth` is the height of its texts
 * @property {{domain?: Domain, text: (value: number) => string}} y shows all that is drawn by default
 */

/** Lines over a logarithmic axis, each named at its end. @param {LineChart} chart @param {number} width */
export function lineChart(chart, width) {
  const { lines, hasDots, behind = [], limits = [], moments = [], height, x, y } = chart;
  const letters = width === WIDTHS.wide ? LETTERS.wide : LETTERS.narrow;
  const drawn = lines.map((each) => ({
    ...each,
    ...lineStyle(each.style),
    lines: fitLines(each.name, letters),
  }));
  const named = drawn.filter(({ name }) => name !== '');
  const words = named.flatMap((each) => each.lines);
  const longest = Math.max(...words.map(({ length }) => length));
  const marginLeft = 52;
  const marginRight = words.length === 0 ? MARGIN_TOP : longest * LETTER + 22;
  const inner = Math.max(height, words.length * LABEL_LINE);
  const { depth: marginBottom = 34, ...axis } = x.axis(width - marginLeft - marginRight);
  const domain = y.domain ?? logDomain([...lines.flatMap(figuresOf), ...limits]);
  return drawSvg(chart.label, {
    marginTop: MARGIN_TOP,
    marginLeft,
    marginRight,
    marginBottom,
    width,
    height: inner + MARGIN_TOP + marginBottom,
    x: { type: x.type, domain: x.domain },
    y: { type: 'log', domain },
    marks: [
      ...axes(axis, { ticks: logTicks(domain, 6), text: y.text }),
      ruleY(limits, { stroke: 'var(--ink)', strokeDasharray: '2 2' }),
      ruleX(moments, { stroke: 'var(--mark)', strokeDasharray: '2 3' }),
      behind.map(({ points }) => line(points, { x: 'x', y: 'y', stroke: 'var(--faint)' })),
      drawn.map((each) => lineMarks(each, hasDots)),
      endLabels(named, domain, inner, x.domain[1]),
    ],
  });
}

/** @param {ChartLine} line */
const figuresOf = ({ points, samples = [], spans = [] }) => [
  ...[...points, ...samples].map(({ y }) => y),
  ...spans.flatMap(({ low, high }) => [low, high]),
];

/** @param {ChartLine & ReturnType<typeof lineStyle>} line @param {boolean} [hasDots] */
const lineMarks = ({ name, points, samples = [], spans = [], color, dash }, hasDots) => [
  line(points, {
    x: 'x',
    y: 'y',
    stroke: color,
    strokeWidth: 1.8,
    strokeDasharray: dash,
    title: () => name,
  }),
  dot(samples, { x: 'x', y: 'y', r: 1.8, fill: color, fillOpacity: 0.45, title: 'title' }),
  ruleX(spans, { x: 'x', y1: 'low', y2: 'high', stroke: color, strokeOpacity: 0.35, strokeWidth: 7 }),
  hasDots
    ? dot(points, {
        x: 'x',
        y: 'y',
        r: 3.5,
        stroke: color,
        fill: ({ hollow }) => (hollow ? 'var(--page)' : color),
        title: 'title',
      })
    : null,
];

/** @typedef {Pick<ChartLine, 'name' | 'points'> & {color: string, lines: string[]}} EndLabel its name, line by line */

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
