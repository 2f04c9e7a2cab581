import { whole } from '../../core/report/figures.js';
import { fitLines, wrap } from '../../core/report/wrap.js';
import { axisLines, logColumns, logDomain, logTicks } from './scales.js';

/** @import { Pen } from '../../core/report/grid.js' */
/** @import { Ranges } from '../../core/report/types.js' */

const MARKS = { run: '●', median: '◆', low: '├', high: '┤', line: '─' };
/** With fewer columns than this the names stand above the strips. */
const LEAST_STRIP = 30;
const TICK = 9;

/** @param {Ranges} chart @param {Pick<Pen, 'width'>} pen @returns {string[]} lines */
export function rangesLines({ label, rows }, { width }) {
  const figures = rows.map(({ notes: [figure = ''] }) => figure);
  const right = Math.max(...figures.map((figure) => figure.length)) + 1;
  const longest = Math.max(...rows.map(({ name }) => name.length));
  const inOneLine = width - longest - right - 2 >= LEAST_STRIP;
  const left = inOneLine ? longest + 2 : 2;
  const columns = Math.max(1, width - left - right);
  const domain = logDomain(rows.flatMap(figuresOf));
  const columnOf = logColumns(domain, columns);
  const strips = rows.flatMap((row, index) => {
    const strip = `${stripOf(row, columnOf, columns)}${figures[index].padStart(right)}`;
    return inOneLine ? `${row.name.padEnd(longest)}  ${strip}` : [...fitLines(row.name, width), `  ${strip}`];
  });
  const title = `${label}, logarithmic: ${MARKS.run} one run (2: two), ${MARKS.median} median, ${MARKS.low}${MARKS.line}${MARKS.high} its interval`;
  const ticks = logTicks(domain, Math.max(2, Math.floor(columns / TICK)));
  return [
    ...wrap(title, width),
    ...strips.map((strip) => strip.trimEnd()),
    ...axisLines({ columns, columnOf, ticks, text: whole }).map((line) =>
      `${' '.repeat(left)}${line}`.trimEnd(),
    ),
  ];
}

/** @param {Ranges['rows'][number]} row @returns {number[]} all that is drawn of it */
export const figuresOf = ({ values, median, interval }) => [
  ...values.flatMap((value) => value ?? []),
  ...(median === undefined ? [] : [median]),
  ...(interval ? [interval.low, interval.high] : []),
];

/** @param {Ranges['rows'][number]} row @param {(value: number) => number} at @param {number} columns */
function stripOf({ values, median, interval }, at, columns) {
  const strip = Array(columns).fill(' ');
  if (interval) {
    strip.fill(MARKS.line, at(interval.low), at(interval.high) + 1);
    strip[at(interval.low)] = MARKS.low;
    strip[at(interval.high)] = MARKS.high;
  }
  const counts = Array(columns).fill(0);
  for (const value of values) if (value !== null) counts[at(value)]++;
  for (const [column, count] of counts.entries()) {
    if (count > 0) strip[column] = count === 1 ? MARKS.run : `${Math.min(count, 9)}`;
  }
  if (median !== undefined) strip[at(median)] = MARKS.median;
  return strip.join('');
}
