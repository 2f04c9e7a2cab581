import { link, text } from '@observablehq/plot';
import { logPosition, logTicks } from '../../charts/scales.js';
import { fitLines } from '../../words/wrap.js';
import { axes, drawSvg, WIDTHS } from './svg.js';

/** @import { Markish, ScaleOptions } from '@observablehq/plot' */
/** @import { Axis } from './svg.js' */

/** Pixels of a line of text. */
const LABEL_LINE = 13;
const SIZE = 11.5;
/** Pixels of a letter, on average. */
const LETTER = 6.1;
const MARGIN_TOP = 12;

/** The most in a line of a name. */
const LETTERS = { wide: 40, narrow: 17 };

/**
 * @typedef {object} NamedLine
 * @property {string} name
 * @property {string} color
 * @property {{x: number, y: number}} end in units of the axes
 * @typedef {NamedLine & {lines: string[]}} EndLabel its name, line by line
 */

/**
 * Lines over a logarithmic axis, each named at its end.
 * @param {string} label @param {object} chart
 * @param {NamedLine[]} chart.named none where the title of the chart says which line it is
 * @param {number} chart.height pixels of the vertical axis at least @param {number} chart.marginLeft
 * @param {{scale: ScaleOptions, edge: number, axis: (inner: number) => Axis & {depth?: number}}} chart.x `edge`: where the
 *   names begin; `axis` is told of the pixels between the margins, and `depth` is what it needs below the chart
 * @param {{domain: [low: number, high: number], text: (value: number) => string}} chart.y
 * @param {Markish[]} chart.marks @param {number} width
 */
export function lineChart(label, { named, height, marginLeft, x, y, marks }, width) {
  const letters = width === WIDTHS.wide ? LETTERS.wide : LETTERS.narrow;
  const labels = named.map((each) => ({ ...each, lines: fitLines(each.name, letters) }));
  const lines = labels.flatMap((each) => each.lines);
  const longest = Math.max(...lines.map(({ length }) => length));
  const marginRight = lines.length === 0 ? MARGIN_TOP : longest * LETTER + 22;
  const inner = Math.max(height, lines.length * LABEL_LINE);
  const { depth: marginBottom = 34, ...axis } = x.axis(width - marginLeft - marginRight);
  return drawSvg(label, {
    marginTop: MARGIN_TOP,
    marginLeft,
    marginRight,
    marginBottom,
    width,
    height: inner + MARGIN_TOP + marginBottom,
    x: x.scale,
    y: { type: 'log', domain: y.domain },
    marks: [
      ...axes(axis, { ticks: logTicks(y.domain, 6), text: y.text }),
      ...marks,
      ...endLabels(labels, y.domain, inner, x.edge),
    ],
  });
}

/**
 * The names of lines at their ends, with leaders to them.
 * @param {EndLabel[]} labels @param {[low: number, high: number]} domain
 * @param {number} inner pixels from the top of the axis to its end
 * @param {number} edge where the names begin, in units of the other axis
 */
const endLabels = (labels, domain, inner, edge) =>
  placeLabels(labels, domain, inner).flatMap(({ end, at, color, lines }) => [
    link([end], {
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
 * Places the names of lines at their ends, or as near as possible without covering each other.
 * @param {EndLabel[]} labels @param {[low: number, high: number]} domain
 * @param {number} inner pixels from the top of the axis to its end
 * @returns {(EndLabel & {at: number})[]} `at` in units of the axis
 */
function placeLabels(labels, domain, inner) {
  let free = 0;
  const placed = labels
    .map((label) => ({
      label,
      depth: label.lines.length * LABEL_LINE,
      wish: (1 - logPosition(label.end.y, domain)) * inner,
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
