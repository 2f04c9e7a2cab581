import { duration } from '../../core/report/figures.js';
import { wrap } from '../../core/report/wrap.js';
import { axisLines, logColumns, logDomain, logTicks, ninesText, ninesTicks } from './scales.js';

/** @import { Pen } from '../../core/report/grid.js' */
/** @import { Curves } from '../../core/report/types.js' */
/** @import { Axis } from './scales.js' */

const MOST_CURVES = 8;
const COLORS = /** @type {const} */ (['cyan', 'yellow', 'green', 'magenta']);

/** A letter stands for each line. @param {Curves} chart @param {Pen} pen @returns {string[]} lines */
export function curvesLines({ label, lines }, { width, colors }) {
  const curves = lines.slice(0, MOST_CURVES).map(({ name, points }, index) => {
    const letter = String.fromCharCode(65 + index);
    return { name, letter, mark: colors[COLORS[index % COLORS.length]](letter), points };
  });
  const names = curves.map(({ name, letter }) => `${letter} ${name}`).join(' · ');
  const more = lines.length > MOST_CURVES ? `, the first ${MOST_CURVES}` : '';
  return [
    ...wrap(`${label}${more}`, width),
    ...percentilePlot(curves, planeColumns(width)),
    ...wrap(names, width),
  ];
}

/** Columns that the text of a percentile takes. */
const TICK = 8;

/**
 * Each further nine takes the same room.
 * @param {{mark: string, points: {nines: number, us: number}[]}[]} curves @param {number} columns
 */
function percentilePlot(curves, columns) {
  const all = curves.flatMap(({ points }) => points.map(({ nines }) => nines));
  const [first, last] = [Math.min(...all), Math.max(...all)];
  const ninesAt = (/** @type {number} */ column) => first + (column / (columns - 1)) * (last - first);
  const columnsDrawn = Array.from({ length: columns }, (_, column) => column);
  const drawn = curves.map(({ mark, points }) => ({
    mark,
    points: columnsDrawn.flatMap((column) => pointAt(points, ninesAt(column), column)),
  }));
  return drawPlane(drawn, {
    columns,
    columnOf: (nines) => Math.round(((nines - first) / (last - first)) * (columns - 1)),
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
