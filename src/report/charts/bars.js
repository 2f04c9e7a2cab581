/** @import { Interval } from '../../analysis/types.js' */

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const [FULL, BELOW, ABOVE] = '█▒░';
/** How a bar shows an interval. */
export const INTERVAL_MARKS = BELOW + ABOVE;

/**
 * A bar in a line of text. Of its interval the part below the value and the part above it are lighter; one that is
 * too narrow to be drawn leaves a plain bar. @param {{value: number, interval: Interval | null | undefined}} figure
 * @param {number} most what a bar of all columns stands for @param {number} columns
 */
export function barOf({ value, interval }, most, columns) {
  const length = (/** @type {number} */ figure) => (figure / most) * columns;
  const low = Math.round(length(interval?.low ?? value));
  const end = Math.round(length(value));
  const solid = low < end ? FULL.repeat(low) + BELOW.repeat(end - low) : plainBar(length(value));
  return solid.padEnd(Math.round(length(interval?.high ?? value)), ABOVE);
}

/** @param {number} length in columns; the least that can be seen is drawn always */
function plainBar(length) {
  const eighths = Math.max(1, Math.round(length * 8));
  return FULL.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
