import { coverageText, whole } from '../../../core/report/figures.js';
import { fitLines, wrap } from '../../../core/report/wrap.js';
import { axisLines, logColumns, logDomain, logTicks } from './scales.js';

/** @import { CellResult } from '../../../core/store/types.js' */
/** @import { Row } from '../../../core/report/types.js' */
/** @import { Pen } from './plot.js' */

const MARKS = { run: '●', median: '◆', low: '├', high: '┤', line: '─' };
/** With fewer columns than this the names stand above the strips. */
const LEAST_STRIP = 30;
const TICK = 9;

/** @param {(Row & {letter: string, paint: (text: string) => string})[]} rows @param {Pen} pen @returns {string[]} lines */
export function runStrips(rows, { width }) {
  const figures = rows.map(({ columns }) => columns['ops/s']);
  const right = Math.max(...figures.map((figure) => figure.length)) + 1;
  const longest = Math.max(...rows.map(({ name }) => name.length));
  const inOneLine = width - longest - right - 4 >= LEAST_STRIP;
  const left = inOneLine ? longest + 4 : 2;
  const columns = Math.max(1, width - left - right);
  const domain = logDomain(rows.flatMap(({ cell }) => valuesOf(cell)));
  const columnOf = logColumns(domain, columns);
  const strips = rows.flatMap(({ name, cell, letter, paint }, index) => {
    const strip = `${stripOf(cell, columnOf, columns)}${figures[index].padStart(right)}`;
    return inOneLine
      ? `${paint(letter)} ${name.padEnd(longest)}  ${strip}`
      : [...fitLines(`${letter} ${name}`, width).map((line) => line.trimEnd()), `  ${strip}`];
  });
  const title = `Operations per second of every run, logarithmic: ${MARKS.run} one run (2: two), ${MARKS.median} median`;
  const coverage = coverageText(rows);
  const interval = coverage === null ? '' : `, ${MARKS.low}${MARKS.line}${MARKS.high} ${coverage}`;
  const ticks = logTicks(domain, Math.max(2, Math.floor(columns / TICK)));
  return [
    ...wrap(title + interval, width),
    ...strips,
    ...axisLines({ columns, columnOf, ticks, text: whole }).map((line) =>
      `${' '.repeat(left)}${line}`.trimEnd(),
    ),
  ];
}

/** @param {CellResult} cell */
function valuesOf({ runs, summary }) {
  const interval = summary?.intervals.opsPerSecond;
  return [
    ...runs.flatMap(({ opsPerSecond }) => opsPerSecond || []),
    ...(interval ? [interval.low, interval.high] : []),
  ];
}

/** @param {CellResult} cell @param {(value: number) => number} at @param {number} columns */
function stripOf({ runs, summary }, at, columns) {
  const strip = Array(columns).fill(' ');
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
