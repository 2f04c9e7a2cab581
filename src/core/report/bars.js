/** @import { Bar } from './types.js' */

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const [FULL, BELOW, ABOVE] = '█▒░';

/** Its uncertain part is shaded on both sides of the value. @param {Bar} bar @param {number} columns */
export function barOf({ value, low = value, high = value, most }, columns) {
  const length = (/** @type {number} */ figure) => (figure / most) * columns;
  const [start, end] = [Math.round(length(low)), Math.round(length(value))];
  const solid = start < end ? FULL.repeat(start) + BELOW.repeat(end - start) : plainBar(length(value));
  return solid.padEnd(Math.round(length(high)), ABOVE);
}

/** @param {number} length in columns; at least an eighth of one is drawn */
function plainBar(length) {
  const eighths = Math.max(1, Math.round(length * 8));
  return FULL.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
