import { axisX, dot, gridX, ruleX, ruleY, text } from '@observablehq/plot';
import { sum } from 'simple-statistics';
import { logDomain, logTicks } from '../../benchmark/report/charts/scales.js';
import { perSecond, whole } from '../../core/report/figures.js';
import { fitLines } from '../../core/report/wrap.js';
import { BARE, drawSvg, GRID, inBothWidths } from './svg.js';

/** @import { Row } from '../../core/report/types.js' */

/** Pixels from the first run of a cell down to the last. */
const RUNS_DEPTH = 18;
/** With more runs of a cell than this points are smaller; with five times as many smaller still, and without titles. */
const MANY = 20;

/** Every run, the first above and the last below, with the cell's median and its interval. @param {Row[]} results of one group */
export function runsChart(results) {
  const rows = results.filter(({ cell }) => cell.runs.length > 0).map(runsOf);
  const most = Math.max(...rows.map(({ points }) => points.length));
  const small = { r: most > MANY * 5 ? 1.2 : 2, ...(most > MANY * 5 && { title: null }) };
  return rowChart('Operations per second of every run, a row for each cell', rows, {
    depth: RUNS_DEPTH,
    dots: most > MANY ? small : { r: 3.2, stroke: 'var(--page)', strokeWidth: 0.8 },
    tickText: whole,
  });
}

/** @param {Row} row */
function runsOf(row) {
  const { name, cell, columns, state } = row;
  const strong = state === 'fastest' || state === 'close';
  const color = strong ? 'var(--accent)' : 'var(--mark)';
  const { summary } = cell;
  const interval = summary?.intervals.opsPerSecond;
  return {
    name,
    strong,
    notes: [columns['ops/s'], columns.slower],
    band: interval ? { ...interval, color } : undefined,
    line: summary ? { value: summary.opsPerSecond } : undefined,
    points: cell.runs.flatMap(({ failed, opsPerSecond, round }) => {
      const title = `${name}, run ${round}: ${perSecond(opsPerSecond)} operations per second`;
      return failed === null && opsPerSecond ? [{ value: opsPerSecond, fill: color, title }] : [];
    }),
  };
}

/** Pixels of a letter, which is a generous average of a system font at 12 px, and of a line. */
const [LETTER, LINE] = [6.6, 15];
const AXIS = 24;
const GAP = 14;
const TICK = 64;
/** Names of up to so many letters stand next to their rows in charts of at least this width, others above them. */
const [MOST_BESIDE, BESIDE_FROM_WIDTH] = [36, 600];
const BOTH_AXES_FROM = 10;

/**
 * @typedef {object} ChartRow
 * @property {string} name
 * @property {string[]} notes short texts, in columns at its right end
 * @property {boolean} strong
 * @property {{low: number, high: number, color: string}} [band] behind its points
 * @property {{value: number}} [line] across the row
 * @property {{value: number, title: string, fill: string}[]} points one below the other
 *
 * @typedef {object} Look
 * @property {number} depth pixels for the marks of a row
 * @property {object} dots
 * @property {(tick: number) => string} tickText
 */

/** @param {string} label @param {ChartRow[]} rows @param {Look} look @returns null where there is nothing to draw */
function rowChart(label, rows, look) {
  const figures = rows.flatMap(({ points, band, line }) => [
    ...points.map(({ value }) => value),
    ...(band ? [band.low, band.high] : []),
    ...(line ? [line.value] : []),
  ]);
  if (figures.length === 0) return null;
  const domain = logDomain(figures);
  /** @type {('bottom' | 'top')[]} */
  const anchors = rows.length > BOTH_AXES_FROM ? ['bottom', 'top'] : ['bottom'];
  return inBothWidths((width) => {
    const layout = layOutRows(rows, width, look.depth);
    const { placed, height, marginLeft, marginRight } = layout;
    const ticks = logTicks(domain, Math.max(2, Math.floor((width - marginLeft - marginRight) / TICK)));
    return drawSvg(label, {
      width,
      height,
      marginLeft,
      marginRight,
      marginTop: AXIS,
      marginBottom: AXIS,
      x: { type: 'log', domain },
      y: { type: 'identity', axis: null },
      marks: [
        gridX(ticks, GRID),
        // As `text`, because `tickFormat` leaves some out on a logarithmic axis.
        anchors.map((anchor) => axisX(ticks, { ...BARE, anchor, text: look.tickText })),
        marksOf(placed, look),
        words(layout),
      ],
    });
  });
}

/** @param {ChartRow[]} rows @param {number} width pixels @param {number} depth pixels for the marks of a row */
function layOutRows(rows, width, depth) {
  const longest = Math.max(...rows.map(({ name }) => name.length));
  const sideBySide = width >= BESIDE_FROM_WIDTH && longest <= MOST_BESIDE;
  const noteWidths = rows[0].notes.map(
    (_, column) => Math.max(...rows.map(({ notes }) => notes[column].length)) * LETTER + 10,
  );
  const noteWidth = 6 + sum(noteWidths);
  const letters = Math.floor((width - (sideBySide ? 0 : noteWidth)) / LETTER);
  let top = AXIS + 4;
  const placed = rows.map((row) => {
    const lines = sideBySide ? [row.name] : fitLines(row.name, letters);
    const y = sideBySide ? top + depth / 2 : top + lines.length * LINE + depth / 2 + 5;
    const nameY = sideBySide ? y : top + LINE / 2;
    top = y + depth / 2 + GAP;
    return { ...row, lines, nameY, y };
  });
  return {
    placed,
    sideBySide,
    height: top + AXIS,
    marginLeft: sideBySide ? longest * LETTER + 16 : 8,
    marginRight: sideBySide ? noteWidth : 8,
    noteWidths,
  };
}

/** @typedef {ReturnType<typeof layOutRows>} Layout */

/** @param {Layout['placed']} placed @param {Look} look */
function marksOf(placed, { depth, dots }) {
  const bands = placed.flatMap(({ band, y }) => (band ? [{ ...band, y }] : []));
  const lines = placed.flatMap(({ line, y }) => (line ? [{ ...line, y }] : []));
  const points = placed.flatMap(({ points: own, y }) =>
    own.map((point, index) => ({
      ...point,
      y: y + (own.length > 1 ? (index / (own.length - 1) - 0.5) * depth : 0),
    })),
  );
  return [
    ruleY(bands, {
      x1: 'low',
      x2: 'high',
      y: 'y',
      stroke: 'color',
      strokeOpacity: 0.25,
      strokeWidth: depth + 8,
    }),
    ruleX(lines, {
      x: 'value',
      y1: ({ y }) => y - depth / 2 - 3,
      y2: ({ y }) => y + depth / 2 + 3,
      stroke: 'var(--ink)',
      strokeWidth: 2,
    }),
    dot(points, { x: 'value', y: 'y', fill: 'fill', title: 'title', ...dots }),
  ];
}

/** Names at the left, notes at the right. @param {Layout} layout */
function words({ placed, sideBySide, marginLeft, marginRight, noteWidths }) {
  const names = [true, false].map((strong) =>
    text(placed, {
      y: 'nameY',
      text: (row) => row.lines.join('\n'),
      fontSize: 12,
      lineHeight: LINE / 12,
      filter: (row) => row.strong === strong,
      fontWeight: strong ? 600 : 400,
      fill: 'var(--ink)',
      frameAnchor: 'left',
      textAnchor: 'start',
      dx: -marginLeft,
      // The first line stands at nameY, the others below it.
      ...(sideBySide ? {} : { lineAnchor: 'top', dy: -LINE / 2 }),
    }),
  );
  const notes = noteWidths.map((_, column) =>
    text(placed, {
      y: 'nameY',
      text: (row) => row.notes[column],
      fontSize: 12,
      fill: 'var(--muted)',
      frameAnchor: 'right',
      textAnchor: 'end',
      dx: marginRight - sum(noteWidths.slice(column + 1)),
    }),
  );
  return [...names, ...notes];
}
