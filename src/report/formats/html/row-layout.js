import { axisX, dot, gridX, ruleX, ruleY, text } from '@observablehq/plot';
import { logDomain, logTicks } from '../../charts/scales.js';
import { fitLines } from '../../words/wrap.js';
import { drawSvg, inBothWidths } from './svg.js';

/** @import { Markish, PlotOptions } from '@observablehq/plot' */
/** @import { Markup } from './markup.js' */

/** Pixels; a generous average of the letters of a system font at 12 px. */
const LETTER = 6.6;
const LINE = 15;
const AXIS = 24;
const GAP = 14;
const TICK = 64;
const BESIDE = 36;
const BESIDE_FROM_WIDTH = 600;
/** With more rows than this a second axis is needed. */
const BOTH_AXES_FROM = 10;

/**
 * @typedef {object} ChartRow
 * @property {string} name
 * @property {string[]} notes short texts, in columns at its right end
 * @property {boolean} strong
 * @property {{low: number, high: number, color: string, title?: string}} [band] behind its points
 * @property {{value: number, title?: string}} [line] across the row
 * @property {{value: number, title?: string, fill: string, stroke?: string, symbol?: string}[]} points
 * @typedef {ChartRow & {lines: string[], nameY: number, y: number}} PlacedRow y is the middle of what is drawn
 */

/**
 * The layout of charts that have a row for each cell over one logarithmic axis: the name next to the row
 * where there is room, above it otherwise.
 * @param {ChartRow[]} rows @param {number} width pixels @param {number} depth pixels for the marks of a row
 */
function layOutRows(rows, width, depth) {
  const longest = Math.max(...rows.map(({ name }) => name.length));
  const sideBySide = width >= BESIDE_FROM_WIDTH && longest <= BESIDE;
  const noteWidths = rows[0].notes.map(
    (_, column) => Math.max(...rows.map(({ notes }) => notes[column].length)) * LETTER + 10,
  );
  const noteWidth = noteWidths.reduce((sum, each) => sum + each, 6);
  const marginLeft = sideBySide ? longest * LETTER + 16 : 8;
  const marginRight = sideBySide ? noteWidth : 8;
  const letters = Math.floor((width - (sideBySide ? 0 : noteWidth)) / LETTER);
  let top = AXIS + 4;
  const placed = rows.map((row) => {
    const lines = sideBySide ? [row.name] : fitLines(row.name, letters);
    const y = sideBySide ? top + depth / 2 : top + lines.length * LINE + depth / 2 + 5;
    const nameY = sideBySide ? y : top + LINE / 2;
    top = y + depth / 2 + GAP;
    return { ...row, lines, nameY, y };
  });
  return { placed, sideBySide, width, height: top + AXIS, marginLeft, marginRight, noteWidths };
}

/**
 * @param {string} label @param {ChartRow[]} rows @param {object} chart
 * @param {number} chart.depth pixels for the marks of a row
 * @param {boolean} [chart.spread] whether the points of a row stand one below the other, from the first to the last
 * @param {object} [chart.dots] how they look @param {number} [chart.bandWidth] pixels
 * @param {(tick: number) => string} chart.tickText
 * @returns {Markup | null} null where there is nothing to draw
 */
export function rowChart(label, rows, chart) {
  const figures = rows.flatMap(({ points, band, line }) => [
    ...points.map(({ value }) => value),
    ...(band ? [band.low, band.high] : []),
    ...(line ? [line.value] : []),
  ]);
  if (figures.length === 0) return null;
  const domain = logDomain(figures);
  return inBothWidths((width) => {
    const layout = layOutRows(rows, width, chart.depth);
    return drawSvg(label, rowOptions(layout, domain, chart.tickText, marksOf(layout.placed, chart)));
  });
}

/** @typedef {ReturnType<typeof layOutRows>} Layout */

/** @param {PlacedRow[]} placed @param {Parameters<typeof rowChart>[2]} chart @returns {Markish[]} */
function marksOf(placed, { depth, spread, dots, bandWidth }) {
  const bands = placed.flatMap(({ band, y }) => (band ? [{ ...band, y }] : []));
  const lines = placed.flatMap(({ line, y }) => (line ? [{ ...line, y }] : []));
  const points = placed.flatMap(({ points: own, y }) =>
    own.map((point, index) => ({
      ...point,
      y: y + (spread && own.length > 1 ? (index / (own.length - 1) - 0.5) * depth : 0),
    })),
  );
  return [
    ruleY(bands, {
      x1: 'low',
      x2: 'high',
      y: 'y',
      stroke: 'color',
      strokeOpacity: 0.25,
      strokeWidth: bandWidth ?? depth + 8,
      title: 'title',
    }),
    ruleX(lines, {
      x: 'value',
      y1: ({ y }) => y - depth / 2 - 3,
      y2: ({ y }) => y + depth / 2 + 3,
      stroke: 'var(--ink)',
      strokeWidth: 2,
      title: 'title',
    }),
    dot(points, { x: 'value', y: 'y', fill: 'fill', title: 'title', ...dots }),
  ];
}

/**
 * The options of Plot that all such charts have in common.
 * @param {Layout} layout @param {[low: number, high: number]} domain @param {(tick: number) => string} tickText
 * @param {Markish[]} marks @returns {PlotOptions}
 */
function rowOptions(layout, domain, tickText, marks) {
  const { placed, width, height, marginLeft, marginRight } = layout;
  const ticks = logTicks(domain, Math.max(2, Math.floor((width - marginLeft - marginRight) / TICK)));
  /** @type {('bottom' | 'top')[]} */
  const anchors = placed.length > BOTH_AXES_FROM ? ['bottom', 'top'] : ['bottom'];
  return {
    width,
    height,
    marginLeft,
    marginRight,
    marginTop: AXIS,
    marginBottom: AXIS,
    x: { type: 'log', domain },
    y: { type: 'identity', axis: null },
    marks: [
      gridX(ticks, { stroke: 'var(--rule)', strokeOpacity: 1 }),
      // As `text`, because `tickFormat` leaves some out on a logarithmic axis.
      ...anchors.map((anchor) => axisX(ticks, { anchor, text: tickText, label: null, tickSize: 0 })),
      ...marks,
      ...words(layout),
    ],
  };
}

/** @param {Layout} layout @returns {Markish[]} names at the left, notes at the right */
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
      dx: marginRight - noteWidths.slice(column + 1).reduce((sum, each) => sum + each, 0),
    }),
  );
  return [...names, ...notes];
}
