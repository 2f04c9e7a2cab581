/** @import { Interval } from '../../judge/types.js' */

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const [FULL, BELOW, ABOVE] = '█▒░';
export const INTERVAL_MARKS = BELOW + ABOVE;

/**
 * @param {{value: number, interval: Interval | null | undefined}} figure
 * @param {number} most what a bar of all columns stands for @param {number} columns
 */
export function barOf({ value, interval }, most, columns) {
  const length = (/** @type {number} */ figure) => (figure / most) * columns;
  const low = Math.round(length(interval?.low ?? value));
  const end = Math.round(length(value));
  const solid = low < end ? FULL.repeat(low) + BELOW.repeat(end - low) : plainBar(length(value));
  return solid.padEnd(Math.round(length(interval?.high ?? value)), ABOVE);
}

/** @param {number} length in columns; at least an eighth of one is drawn */
function plainBar(length) {
  const eighths = Math.max(1, Math.round(length * 8));
  return FULL.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
