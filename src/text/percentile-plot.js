import { FIRST_NINES, latencyCurve } from '../stats/latency.js';
import { duration } from './figures.js';
import { logDomain, logPosition, logTicks } from './log-axis.js';
import { ninesText, ninesTicks } from './nines.js';
import { putText } from './run-strips.js';

const HEIGHT = 12;
/** Columns of the axis, on however narrow a terminal. */
const LEAST = 10;
/** Columns for the figures at the left. */
const LEFT = 8;
/** Columns that a tick's text takes. */
const TICK = 8;

/**
 * Latency by percentile, each further nine taking the same room; a line for each cell, drawn with its
 * letter.
 *
 * @param {import('./run-strips.js').LetteredRow[]} rows
 * @param {import('./plot.js').Pen} pen
 * @returns {string[]} lines; none where no latency was recorded
 */
export function percentilePlot(rows, { width, unicode }) {
  const curves = rows.flatMap(({ cell, letter, paint }) => {
    const points = cell.summary?.latency ? latencyCurve(cell.summary.latency.hdr) : [];
    return points.length > 1 ? [{ mark: paint(letter), points }] : [];
  });
  if (curves.length === 0) return [];
  const columns = Math.max(LEAST, width - LEFT - 2);
  const last = Math.max(...curves.map(({ points }) => Number(points.at(-1)?.nines)));
  const domain = logDomain(curves.flatMap(({ points }) => points.map(({ us }) => us)));
  const rowOf = (/** @type {number} */ us) => HEIGHT - 1 - Math.round(logPosition(us, domain) * (HEIGHT - 1));
  const plane = Array.from({ length: HEIGHT }, () => Array(columns).fill(' '));
  // Backwards, so that where curves meet the fastest cell is seen.
  for (const { mark, points } of curves.toReversed()) {
    for (let column = 0; column < columns; column++) {
      const nines = FIRST_NINES + (column / (columns - 1)) * (last - FIRST_NINES);
      const point = points.find((each) => each.nines >= nines - 1e-9);
      if (point) plane[rowOf(point.us)][column] = mark;
    }
  }
  const ticks = new Map(logTicks(domain, 5).map((us) => [rowOf(us), duration(us)]));
  const [side, corner, line, tick] = unicode ? ['┤│', '└', '─', '┴'] : ['||', '+', '-', '+'];
  const body = plane.map((marks, row) => {
    const text = ticks.get(row);
    return `${(text ?? '').padStart(LEFT - 1)} ${side[text ? 0 : 1]}${marks.join('')}`.trimEnd();
  });
  return [...body, ...axis(last, columns, { corner, line, tick })];
}

/**
 * @param {number} last
 * @param {number} columns
 * @param {{corner: string, line: string, tick: string}} marks
 * @returns {string[]} a line with ticks and one with their percentiles
 */
function axis(last, columns, { corner, line, tick }) {
  const rule = Array(columns).fill(line);
  let texts = '';
  for (const nines of ninesTicks(last, columns / TICK)) {
    const column = Math.round(((nines - FIRST_NINES) / (last - FIRST_NINES)) * (columns - 1));
    rule[column] = tick;
    texts = putText(texts, column, ninesText(nines), columns);
  }
  const left = ' '.repeat(LEFT);
  return [`${left}${corner}${rule.join('')}`, `${left} ${texts}`];
}
