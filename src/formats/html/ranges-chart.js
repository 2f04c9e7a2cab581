import { axisX, dot, gridX, ruleX, ruleY, text } from '@observablehq/plot';
import { sum } from 'simple-statistics';
import { whole } from '../../core/report/figures.js';
import { fitLines } from '../../core/report/wrap.js';
import { figuresOf } from '../charts/ranges.js';
import { logDomain, logTicks } from '../charts/scales.js';
import { BARE, drawSvg, GRID, inBothWidths } from './svg.js';

/** @import { Ranges } from '../../core/report/types.js' */

/** Pixels from the first value of a row down to the last. */
const DEPTH = 18;
/** With more values of a row than this points are smaller; with five times as many smaller still. */
const MANY = 20;

/** Pixels of a letter, which is a generous average of a system font at 12 px, and of a line. */
const [LETTER, LINE] = [6.6, 15];
const AXIS = 24;
const GAP = 14;
const TICK = 64;
/** Names of up to so many letters stand next to their rows in charts of at least this width, others above them. */
const [MOST_BESIDE, BESIDE_FROM_WIDTH] = [36, 600];
const BOTH_AXES_FROM = 10;

/** Every value, the first above and the last below, with the median and its interval. @param {Ranges} chart */
export function rangesChart({ label, rows: all }) {
  const rows = all.filter(({ values }) => values.length > 0);
  const figures = rows.flatMap(figuresOf);
  if (figures.length === 0) return null;
  const domain = logDomain(figures);
  /** @type {('bottom' | 'top')[]} */
  const anchors = rows.length > BOTH_AXES_FROM ? ['bottom', 'top'] : ['bottom'];
  return inBothWidths((width) => {
    const layout = layOutRows(rows, width);
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
        anchors.map((anchor) => axisX(ticks, { ...BARE, anchor, text: whole })),
        marksOf(placed),
        words(layout),
      ],
    });
  });
}

/** @param {Ranges['rows']} rows @param {number} width pixels */
function layOutRows(rows, width) {
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
    const y = sideBySide ? top + DEPTH / 2 : top + lines.length * LINE + DEPTH / 2 + 5;
    const nameY = sideBySide ? y : top + LINE / 2;
    top = y + DEPTH / 2 + GAP;
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

/** @param {Layout['placed']} placed */
function marksOf(placed) {
  const most = Math.max(...placed.map(({ values }) => values.length));
  const bands = placed.flatMap(({ interval, strong, y }) =>
    interval ? [{ ...interval, color: colorOf(strong), y }] : [],
  );
  const lines = placed.flatMap(({ median, y }) => (median === undefined ? [] : [{ value: median, y }]));
  const points = placed.flatMap(({ name, values, strong, y }) =>
    values.flatMap((value, index) =>
      value === null
        ? []
        : [
            {
              value,
              fill: colorOf(strong),
              title: `${name}, run ${index + 1}: ${whole(value)}`,
              y: y + (values.length > 1 ? (index / (values.length - 1) - 0.5) * DEPTH : 0),
            },
          ],
    ),
  );
  const dots =
    most > MANY ? { r: most > MANY * 5 ? 1.2 : 2 } : { r: 3.2, stroke: 'var(--page)', strokeWidth: 0.8 };
  return [
    ruleY(bands, {
      x1: 'low',
      x2: 'high',
      y: 'y',
      stroke: 'color',
      strokeOpacity: 0.25,
      strokeWidth: DEPTH + 8,
    }),
    ruleX(lines, {
      x: 'value',
      y1: ({ y }) => y - DEPTH / 2 - 3,
      y2: ({ y }) => y + DEPTH / 2 + 3,
      stroke: 'var(--ink)',
      strokeWidth: 2,
    }),
    dot(points, { x: 'value', y: 'y', fill: 'fill', title: 'title', ...dots }),
  ];
}

/** @param {boolean} strong */
const colorOf = (strong) => (strong ? 'var(--accent)' : 'var(--mark)');

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
