import { rateCurves } from '../../analysis/findings/sustained.js';
import { FIRST_NINES, latencyCurve } from '../../analysis/statistics/latency.js';
import { duration, whole } from '../words/figures.js';
import { wrap } from '../words/wrap.js';
import { runStrips } from './run-strips.js';
import { axisLines, logDomain, logPosition, logTicks, ninesText, ninesTicks } from './scales.js';

/** @import { CellResult } from '../../results/types.js' */
/** @import { Row } from '../tables/types.js' */
/** @import { LetteredRow } from './run-strips.js' */
/** @import { createColors } from 'picocolors' */

/**
 * @typedef {object} Pen what to draw with
 * @property {number} width columns
 * @property {ReturnType<typeof createColors>} colors
 */

const MOST_CURVES = 8;
/** @type {('cyan' | 'yellow' | 'green' | 'magenta')[]} */
const COLORS = ['cyan', 'yellow', 'green', 'magenta'];

/** @param {number} index of a curve @param {Pick<Pen, 'colors'>} pen */
const letterOf = (index, { colors }) => ({
  letter: String.fromCharCode(65 + index),
  paint: colors[COLORS[index % COLORS.length]],
});

/**
 * The runs and the latencies of a group, drawn with characters. A letter stands for a cell in both.
 * @param {Row[]} rows in the order of speed @param {Pen} pen @returns {string[]} lines; none where no run succeeded
 */
export function plotGroup(rows, pen) {
  const lettered = rows
    .filter(({ cell }) => cell.summary !== null)
    .map((row, index) => ({
      ...row,
      ...(index < MOST_CURVES ? letterOf(index, pen) : { letter: ' ', paint: String }),
    }));
  if (lettered.length === 0) return [];
  const curves = percentilePlot(lettered.slice(0, MOST_CURVES), pen);
  const title = `Latency of operations by percentile${lettered.length > MOST_CURVES ? `, the ${MOST_CURVES} fastest cells` : ''}`;
  return [
    ...runStrips(lettered, pen),
    ...(curves.length > 0 ? ['', ...wrap(title, pen.width), ...curves] : []),
  ];
}

/** Columns that a tick's text takes. */
const PERCENTILE_TICK = 8;

/**
 * Latency by percentile, each further nine taking the same room; a line for each cell, drawn with its letter.
 * @param {LetteredRow[]} rows the fastest first @param {Pen} pen
 * @returns {string[]} lines; none where no latency was recorded
 */
function percentilePlot(rows, { width }) {
  const curves = rows.flatMap(({ cell, letter, paint }) => {
    const points = cell.summary?.latency ? latencyCurve(cell.summary.latency.hdr) : [];
    return points.length > 1 ? [{ mark: paint(letter), points }] : [];
  });
  if (curves.length === 0) return [];
  const columns = planeColumns(width);
  const last = Math.max(...curves.map(({ points }) => Number(points.at(-1)?.nines)));
  const ninesAt = (/** @type {number} */ column) =>
    FIRST_NINES + (column / (columns - 1)) * (last - FIRST_NINES);
  const columnOf = (/** @type {number} */ nines) =>
    Math.round(((nines - FIRST_NINES) / (last - FIRST_NINES)) * (columns - 1));
  return drawPlane(
    curves.map(({ mark, points }) => ({ mark, points: inEachColumn(points, columns, ninesAt) })),
    {
      columns,
      ticks: ninesTicks(last, columns / PERCENTILE_TICK).map((nines) => [columnOf(nines), ninesText(nines)]),
    },
  );
}

/**
 * @param {{nines: number, us: number}[]} points @param {number} columns @param {(column: number) => number} ninesAt
 * @returns {[column: number, us: number][]}
 */
const inEachColumn = (points, columns, ninesAt) =>
  Array.from({ length: columns }, (_, column) => column).flatMap((column) => {
    const point = points.find(({ nines }) => nines >= ninesAt(column) - 1e-9);
    return point ? [/** @type {[number, number]} */ ([column, point.us])] : [];
  });

/** Columns that a tick's text takes. */
const RATE_TICK = 10;

/**
 * The p99 latency over the rate, both logarithmic, a letter for each rate that was tried.
 * @param {CellResult[]} cells the steps of a search @param {Pen} pen
 * @returns {string[]} lines; none where no rate was run
 */
export function ratePlot(cells, { width, colors }) {
  const curves = rateCurves(cells)
    .slice(0, MOST_CURVES)
    .map((curve, index) => ({ ...curve, ...letterOf(index, { colors }) }));
  if (curves.length === 0) return [];
  const rates = curves.flatMap(({ points }) => points.map(({ rate }) => rate));
  const columns = planeColumns(width);
  const domain = logDomain(rates);
  const columnOf = (/** @type {number} */ rate) => Math.round(logPosition(rate, domain) * (columns - 1));
  const limitMs = cells[0].openLoop?.sloMs ?? null;
  const title = `p99 from the scheduled start by operations per second, both logarithmic: ${curves
    .map(({ letter, name }) => `${letter} ${name}`)
    .join('; ')}${limitMs === null ? '' : '; the line is the SLO'}`;
  return [
    ...wrap(title, width),
    ...drawPlane(
      curves.map(({ letter, paint, points }) => ({
        mark: paint(letter),
        points: points.map(({ rate, us }) => [columnOf(rate), us]),
      })),
      {
        columns,
        ticks: logTicks(domain, columns / RATE_TICK).map((rate) => [columnOf(rate), whole(rate)]),
        limitUs: limitMs === null ? null : limitMs * 1000,
      },
    ),
  ];
}

const HEIGHT = 12;
/** The fewest columns of the axis, even on a narrow terminal. */
const LEAST = 10;
const LEFT = 8;

/** @param {number} width of the terminal @returns {number} columns of the plane */
const planeColumns = (width) => Math.max(LEAST, width - LEFT - 2);

/**
 * Draws durations over any other quantity, with a logarithmic axis at the left.
 * @typedef {object} Curve
 * @property {string} mark the character that it is drawn with
 * @property {[column: number, us: number][]} points
 * @param {Curve[]} curves where they meet the first is seen
 * @param {{columns: number, ticks: [column: number, text: string][], limitUs?: number | null}} plane
 *   `limitUs` is drawn across
 * @returns {string[]} lines
 */
function drawPlane(curves, { columns, ticks, limitUs = null }) {
  const shown = curves.flatMap(({ points }) => points.map(([, us]) => us));
  const domain = logDomain(limitUs === null ? shown : [...shown, limitUs]);
  const rowOf = (/** @type {number} */ us) => HEIGHT - 1 - Math.round(logPosition(us, domain) * (HEIGHT - 1));
  const plane = Array.from({ length: HEIGHT }, () => Array(columns).fill(' '));
  if (limitUs !== null) plane[rowOf(limitUs)].fill('─');
  for (const { mark, points } of curves.toReversed()) {
    for (const [column, us] of points) plane[rowOf(us)][column] = mark;
  }
  const texts = new Map(logTicks(domain, 5).map((us) => [rowOf(us), duration(us)]));
  if (limitUs !== null) texts.set(rowOf(limitUs), duration(limitUs));
  const body = plane.map((marks, row) => {
    const text = texts.get(row);
    return `${(text ?? '').padStart(LEFT - 1)} ${text ? '┤' : '│'}${marks.join('')}`.trimEnd();
  });
  const [rule, below] = axisLines(ticks, columns);
  const left = ' '.repeat(LEFT);
  return [...body, `${left}└${rule}`, `${left} ${below}`];
}
