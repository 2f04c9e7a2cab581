import { duration } from '../words/figures.js';
import { axisLines, logDomain, logPosition, logTicks } from './scales.js';

const HEIGHT = 12;
/** The fewest columns of the axis, even on a narrow terminal. */
const LEAST = 10;
const LEFT = 8;

/** @param {number} width of the terminal @returns {number} columns of the plane */
export const planeColumns = (width) => Math.max(LEAST, width - LEFT - 2);

/**
 * Draws durations over any other quantity, with a logarithmic axis at the left.
 * @typedef {object} Curve
 * @property {string} mark the character that it is drawn with
 * @property {[column: number, us: number][]} points
 * @param {Curve[]} curves where they meet the first is seen
 * @param {{columns: number, unicode: boolean, ticks: [column: number, text: string][], limitUs?: number | null}} plane
 *   `limitUs` is drawn across
 * @returns {string[]} lines
 */
export function drawPlane(curves, { columns, unicode, ticks, limitUs = null }) {
  const [side, corner, line, tick] = unicode ? ['┤│', '└', '─', '┴'] : ['||', '+', '-', '+'];
  const shown = curves.flatMap(({ points }) => points.map(([, us]) => us));
  const domain = logDomain(limitUs === null ? shown : [...shown, limitUs]);
  const rowOf = (/** @type {number} */ us) => HEIGHT - 1 - Math.round(logPosition(us, domain) * (HEIGHT - 1));
  const plane = Array.from({ length: HEIGHT }, () => Array(columns).fill(' '));
  if (limitUs !== null) plane[rowOf(limitUs)].fill(line);
  for (const { mark, points } of curves.toReversed()) {
    for (const [column, us] of points) plane[rowOf(us)][column] = mark;
  }
  const texts = new Map(logTicks(domain, 5).map((us) => [rowOf(us), duration(us)]));
  if (limitUs !== null) texts.set(rowOf(limitUs), duration(limitUs));
  const body = plane.map((marks, row) => {
    const text = texts.get(row);
    return `${(text ?? '').padStart(LEFT - 1)} ${side[text ? 0 : 1]}${marks.join('')}`.trimEnd();
  });
  const [rule, below] = axisLines(ticks, columns, { line, tick });
  const left = ' '.repeat(LEFT);
  return [...body, `${left}${corner}${rule}`, `${left} ${below}`];
}
