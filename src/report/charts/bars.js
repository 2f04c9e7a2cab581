/** @import { Interval } from '../../analysis/types.js' */

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const UNICODE = { full: '█', below: '▒', above: '░' };
const ASCII = { full: '#', below: '=', above: '-' };

/** @param {boolean} unicode @returns {string} how a bar shows an interval */
export const intervalMarks = (unicode) => {
  const { below, above } = unicode ? UNICODE : ASCII;
  return below + above;
};

/**
 * A bar in a line of text. Of its interval the part below the value and the part above it are lighter; one that is too
 * narrow to be drawn leaves a plain bar.
 * @param {{value: number, interval: Interval | null | undefined}} figure
 * @param {number} most what a bar of all columns stands for @param {number} columns @param {boolean} unicode
 */
export function barOf({ value, interval }, most, columns, unicode) {
  const { full, below, above } = unicode ? UNICODE : ASCII;
  const length = (/** @type {number} */ figure) => (figure / most) * columns;
  const low = Math.round(length(interval?.low ?? value));
  const end = Math.round(length(value));
  const solid =
    low < end ? full.repeat(low) + below.repeat(end - low) : plainBar(length(value), full, unicode);
  return solid.padEnd(Math.round(length(interval?.high ?? value)), above);
}

/** @param {number} length in columns; the least that can be seen is drawn always @param {string} full @param {boolean} unicode */
function plainBar(length, full, unicode) {
  if (!unicode) return full.repeat(Math.max(1, Math.round(length)));
  const eighths = Math.max(1, Math.round(length * 8));
  return full.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
