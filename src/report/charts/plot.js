import { wrap } from '../words/wrap.js';
import { percentilePlot } from './percentile-plot.js';
import { runStrips } from './run-strips.js';

/**
 * @import { Row } from '../tables/types.js'
 * @import { createColors } from 'picocolors'
 */

/**
 * @typedef {object} Pen what to draw with
 * @property {number} width columns
 * @property {boolean} unicode
 * @property {ReturnType<typeof createColors>} colors
 */

/** The most curves that can be told apart in one plot. */
export const MOST_CURVES = 8;
/** @type {('cyan' | 'yellow' | 'green' | 'magenta')[]} */
export const COLORS = ['cyan', 'yellow', 'green', 'magenta'];

/**
 * The runs and the latencies of a group, drawn with characters. A letter stands for a cell in both.
 *
 * @param {Row[]} rows in the order of speed
 * @param {Pen} pen
 * @returns {string[]} lines; none where no run succeeded
 */
export function plotGroup(rows, pen) {
  const lettered = rows
    .filter(({ cell }) => cell.summary !== null)
    .map((row, index) => ({
      ...row,
      letter: index < MOST_CURVES ? String.fromCharCode(65 + index) : ' ',
      paint: index < MOST_CURVES ? pen.colors[COLORS[index % COLORS.length]] : String,
    }));
  if (lettered.length === 0) return [];
  const curves = percentilePlot(
    lettered.filter(({ letter }) => letter !== ' '),
    pen,
  );
  const title = `Latency of operations by percentile${lettered.length > MOST_CURVES ? `, the ${MOST_CURVES} fastest cells` : ''}`;
  return [
    ...runStrips(lettered, pen),
    ...(curves.length > 0 ? ['', ...wrap(title, pen.width), ...curves] : []),
  ];
}
