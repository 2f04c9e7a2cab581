/** @import { Interval } from '../../analysis/types.js' */

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * A bar in a line of text: full up to the low end of the interval, light from there to its high end. An
 * interval that is too narrow to be drawn leaves a plain bar.
 *
 * @param {{value: number, interval: Interval | null | undefined}} figure
 * @param {number} most what a bar of all columns stands for
 * @param {number} columns
 * @param {boolean} unicode
 * @returns {string}
 */
export function barOf({ value, interval }, most, columns, unicode) {
  const [full, light] = unicode ? ['█', '░'] : ['#', '-'];
  const { low, high } = interval ?? { low: value, high: value };
  const end = Math.round((high / most) * columns);
  const solid = (low / most) * columns;
  if (end <= Math.ceil(solid)) return plainBar((value / most) * columns, full, unicode);
  const bar = plainBar(solid, full, unicode);
  return bar.padEnd(end, light);
}

/** @param {number} length in columns; the least that can be seen is drawn always @param {string} full @param {boolean} unicode */
function plainBar(length, full, unicode) {
  if (!unicode) return full.repeat(Math.max(1, Math.round(length)));
  const eighths = Math.max(1, Math.round(length * 8));
  return full.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
