import { duration } from '../../../core/report/figures.js';
import { wrap } from '../../../core/report/wrap.js';
import { FIRST_NINES, latencyCurve } from '../../../core/statistics/latency.js';
import { runStrips } from './run-strips.js';
import { axisLines, logColumns, logDomain, logTicks, ninesText, ninesTicks } from './scales.js';

/** @import { Row } from '../../../core/report/types.js' */
/** @import { Axis } from './scales.js' */
/** @import { createColors } from 'picocolors' */

/** @typedef {{width: number, colors: ReturnType<typeof createColors>}} Pen `width` in columns */

const MOST_CURVES = 8;
const COLORS = /** @type {const} */ (['cyan', 'yellow', 'green', 'magenta']);

/** @param {number} index of a curve @param {Pen['colors']} colors */
const letterOf = (index, colors) => ({
  letter: String.fromCharCode(65 + index),
  paint: colors[COLORS[index % COLORS.length]],
});

/** A letter stands for a cell in both drawings. @param {Row[]} rows in the order of speed @param {Pen} pen @returns {string[]} lines */
export function plotGroup(rows, pen) {
  const lettered = rows
    .filter(({ cell }) => cell.summary !== null)
    .map((row, index) => ({
      ...row,
      ...(index < MOST_CURVES ? letterOf(index, pen.colors) : { letter: ' ', paint: String }),
    }));
  if (lettered.length === 0) return [];
  const curves = lettered.slice(0, MOST_CURVES).flatMap(({ cell, letter, paint }) => {
    const points = cell.summary?.latency ? latencyCurve(cell.summary.latency.hdr) : [];
    return points.length > 1 ? [{ mark: paint(letter), points }] : [];
  });
  const title = `Latency of operations by percentile${lettered.length > MOST_CURVES ? `, the ${MOST_CURVES} fastest cells` : ''}`;
  return [
    ...runStrips(lettered, pen),
    ...(curves.length > 0
      ? ['', ...wrap(title, pen.width), ...percentilePlot(curves, planeColumns(pen.width))]
      : []),
  ];
}

/** Columns that the text of a percentile takes. */
const TICK = 8;

/**
 * Each further nine takes the same room.
 * @param {{mark: string, points: {nines: number, us: number}[]}[]} curves @param {number} columns
 */
function percentilePlot(curves, columns) {
  const last = Math.max(...curves.map(({ points }) => Number(points.at(-1)?.nines)));
  const ninesAt = (/** @type {number} */ column) =>
    FIRST_NINES + (column / (columns - 1)) * (last - FIRST_NINES);
  const columnsDrawn = Array.from({ length: columns }, (_, column) => column);
  const drawn = curves.map(({ mark, points }) => ({
    mark,
    points: columnsDrawn.flatMap((column) => pointAt(points, ninesAt(column), column)),
  }));
  return drawPlane(drawn, {
    columns,
    columnOf: (nines) => Math.round(((nines - FIRST_NINES) / (last - FIRST_NINES)) * (columns - 1)),
    ticks: ninesTicks(last, columns / TICK),
    text: ninesText,
  });
}

/** @param {{nines: number, us: number}[]} points @param {number} from in nines @param {number} column */
function pointAt(points, from, column) {
  const point = points.find(({ nines }) => nines >= from - 1e-9);
  return point ? [{ column, us: point.us }] : [];
}

const HEIGHT = 12;
/** The fewest columns of the axis, even on a narrow terminal. */
const LEAST = 10;
const LEFT = 8;

/** @param {number} width of the terminal */
const planeColumns = (width) => Math.max(LEAST, width - LEFT - 2);

/**
 * Durations on a logarithmic axis at the left.
 * @param {{mark: string, points: {column: number, us: number}[]}[]} curves of which the first hides the others
 * @param {Axis} axis @returns {string[]} lines
 */
function drawPlane(curves, axis) {
  const domain = logDomain(curves.flatMap(({ points }) => points.map(({ us }) => us)));
  const above = logColumns(domain, HEIGHT);
  const rowOf = (/** @type {number} */ us) => HEIGHT - 1 - above(us);
  const plane = Array.from({ length: HEIGHT }, () => Array(axis.columns).fill(' '));
  for (const { mark, points } of curves.toReversed()) {
    for (const { column, us } of points) plane[rowOf(us)][column] = mark;
  }
  const texts = new Map(logTicks(domain, 5).map((us) => [rowOf(us), duration(us)]));
  const body = plane.map((marks, row) => {
    const text = texts.get(row);
    return `${(text ?? '').padStart(LEFT - 1)} ${text ? '┤' : '│'}${marks.join('')}`.trimEnd();
  });
  const [rule, below] = axisLines(axis);
  const left = ' '.repeat(LEFT);
  return [...body, `${left}└${rule}`, `${left} ${below}`];
}
