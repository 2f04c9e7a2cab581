import { logPosition } from '../text/log-axis.js';

/** Pixels of a line of text. */
export const LABEL_LINE = 13;

/**
 * Where the names of the lines stand: beside their ends, or as near as they do not cover each other.
 *
 * @template {import('./latency-curves.js').Curve & {lines: string[]}} Named
 * @param {Named[]} curves
 * @param {[low: number, high: number]} domain
 * @param {number} inner pixels from the top of the axis to its end
 * @returns {(Named & {end: import('../stats/latency.js').CurvePoint, at: number})[]} `at` in microseconds
 */
export function placeLabels(curves, domain, inner) {
  let free = 0;
  const placed = curves
    .map((curve) => {
      const end = /** @type {import('../stats/latency.js').CurvePoint} */ (curve.points.at(-1));
      return {
        curve,
        end,
        depth: curve.lines.length * LABEL_LINE,
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
