import { link, text } from '@observablehq/plot';
import { logPosition } from '../../charts/scales.js';

/** Pixels of a line of text. */
export const LABEL_LINE = 13;
const SIZE = 11.5;
/** Pixels of a letter, on average. */
const LETTER = 6.1;

/**
 * @typedef {object} EndLabel
 * @property {string[]} lines of text
 * @property {string} color
 * @property {{x: number, y: number}} end the end of the line that it names, in units of the axes
 */

/** @param {Pick<EndLabel, 'lines'>[]} labels @returns {number} pixels needed beside the lines */
export const labelsWidth = (labels) =>
  Math.max(...labels.flatMap(({ lines }) => lines.map(({ length }) => length))) * LETTER + 22;

/**
 * The names of lines beside their ends, with leaders to them.
 * @param {EndLabel[]} labels @param {[low: number, high: number]} domain
 * @param {number} inner pixels from the top of the axis to its end
 * @param {number} edge where the names begin, in units of the other axis
 */
export const endLabels = (labels, domain, inner, edge) =>
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
 * Places the names of lines beside their ends, or as near as possible without covering each other.
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
