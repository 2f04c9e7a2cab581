import { coverageText, whole } from '../words/figures.js';
import { wrap } from '../words/wrap.js';
import { axisLines, logDomain, logPosition, logTicks } from './scales.js';

/** @import { CellResult } from '../../results/types.js' */
/** @import { Row } from '../tables/types.js' */
/** @import { Pen } from './plot.js' */

/** @typedef {Row & {letter: string, paint: (text: string) => string}} LetteredRow */

const MARKS = { run: '●', median: '◆', low: '├', high: '┤', line: '─' };
/** With fewer columns than this the names stand above the strips. */
const LEAST_STRIP = 30;
/** Columns that a tick's text takes. */
const TICK = 9;

/**
 * Every run of every cell as a point on a strip, with median and interval.
 * @param {LetteredRow[]} rows @param {Pen} pen @returns {string[]} lines
 */
export function runStrips(rows, { width }) {
  const figures = rows.map(({ columns }) => columns['ops/s']);
  const right = Math.max(...figures.map((figure) => figure.length)) + 1;
  const longest = Math.max(...rows.map(({ name }) => name.length));
  const inOneLine = width - longest - right - 4 >= LEAST_STRIP;
  const left = inOneLine ? longest + 4 : 2;
  const columns = Math.max(1, width - left - right);
  const domain = logDomain(rows.flatMap(({ cell }) => valuesOf(cell)));
  const strips = rows.flatMap(({ name, cell, letter, paint }, index) => {
    const strip = `${stripOf(cell, domain, columns)}${figures[index].padStart(right)}`;
    const label = `${paint(letter)} ${inOneLine ? name.padEnd(longest) : ''}`;
    return inOneLine
      ? `${label}  ${strip}`
      : [...wrap(`${letter} ${name}`, width).map((line) => line.trimEnd()), `  ${strip}`];
  });
  const title = `Operations per second of every run, logarithmic: ${MARKS.run} one run (2: two), ${MARKS.median} median`;
  const coverage = coverageText(rows);
  const interval = coverage === null ? '' : `, ${MARKS.low}${MARKS.line}${MARKS.high} ${coverage}`;
  return [
    ...wrap(title + interval, width),
    ...strips,
    ...axis(domain, columns).map((line) => `${' '.repeat(left)}${line}`.trimEnd()),
  ];
}

/** @param {CellResult} cell @returns {number[]} the operations a second to draw */
function valuesOf({ runs, summary }) {
  const interval = summary?.intervals.opsPerSecond;
  return [
    ...runs.flatMap(({ opsPerSecond }) => opsPerSecond || []),
    ...(interval ? [interval.low, interval.high] : []),
  ];
}

/** @param {CellResult} cell @param {[low: number, high: number]} domain @param {number} columns */
function stripOf({ runs, summary }, domain, columns) {
  const strip = Array(columns).fill(' ');
  const at = (/** @type {number} */ value) => Math.round(logPosition(value, domain) * (columns - 1));
  const interval = summary?.intervals.opsPerSecond;
  if (interval) {
    strip.fill(MARKS.line, at(interval.low), at(interval.high) + 1);
    strip[at(interval.low)] = MARKS.low;
    strip[at(interval.high)] = MARKS.high;
  }
  const counts = Array(columns).fill(0);
  for (const { opsPerSecond } of runs) if (opsPerSecond) counts[at(opsPerSecond)]++;
  for (const [column, count] of counts.entries()) {
    if (count > 0) strip[column] = count === 1 ? MARKS.run : `${Math.min(count, 9)}`;
  }
  if (summary) strip[at(summary.opsPerSecond)] = MARKS.median;
  return strip.join('');
}

/** @param {[low: number, high: number]} domain @param {number} columns @returns {string[]} */
function axis(domain, columns) {
  const ticks = logTicks(domain, Math.max(2, Math.floor(columns / TICK)));
  const columnOf = (/** @type {number} */ tick) => Math.round(logPosition(tick, domain) * (columns - 1));
  const texts = ticks.map((tick) => /** @type {[number, string]} */ ([columnOf(tick), whole(tick)]));
  return axisLines(texts, columns);
}
