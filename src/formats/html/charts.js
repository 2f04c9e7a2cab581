import { axisX, axisY, dot, gridX, gridY, line, plot, ruleX, ruleY, text } from '@observablehq/plot';
import { DOMImplementation, XMLSerializer } from '@xmldom/xmldom';
import { groupBy } from '../../collections.js';
import { max, min } from '../../descriptive-statistics.js';
import { printableBeside } from '../../report/escaped.js';
import { duration, whole } from '../../report/figures.js';
import { fitLines } from '../../report/wrap.js';
import { html, raw } from './markup.js';

/** @import { PlotOptions, TextOptions } from '@observablehq/plot' */
/** @import { Curves, Ranges } from '../../report/types.js' */

const printableLines = printableBeside('\\n');
const HTML = 'http://www.w3.org/1999/xhtml';

/** An image that a screen reader names and skips: its figures stand in the tables. @param {string} label @param {PlotOptions} options */
function drawSvg(label, options) {
  // TypeScript knows no types of a browser's window here.
  const document = /** @type {any} */ (new DOMImplementation().createDocument(HTML, 'html'));
  const svg = /** @type {any} */ (plot({ ...options, document, className: 'plot', ariaLabel: label }));
  // Plot's own style sheet sets fixed colours; the page's supports light and dark.
  for (const style of svg.getElementsByTagName('style')) svg.removeChild(style);
  svg.setAttribute('role', 'img');
  return raw(printableLines(new XMLSerializer().serializeToString(svg)));
}

const GRID = { stroke: 'var(--rule)', strokeOpacity: 1 };
/** Ticks are texts alone, set as `text`, because `tickFormat` leaves some out on a logarithmic axis. */
const BARE = { label: null, tickSize: 0 };

/** Pixels: of the axis, of a letter at 12 px on average, of a line of text, and of a tick's text. */
const [AXIS, LETTER, LINE, TICK] = [24, 6.6, 15, 64];
/** The order goes from the first value of a row to its last, and to the next row. */
const [DEPTH, GAP] = [18, 14];
/** Charts of rows are drawn for a wide page and for a phone, whose names have fewer letters; the style sheet shows one. */
const WIDE = { width: 860, letters: 36 };
const NARROW = { width: 340, letters: 17 };

/** Every value, the first above and the last below, with the median and its interval. @param {Ranges} chart */
export function rangesChart({ label, rows: all }) {
  // A logarithmic axis has no place for 0: where nothing was done.
  const rows = all
    .map((row) => ({ ...row, values: row.values.filter(isAboveZero) }))
    .filter(
      ({ values, median, interval }) => values.length > 0 && isAboveZero(median) && interval?.low !== 0,
    );
  const figures = rows
    .flatMap(({ values, median, interval }) => [...values, median, interval?.low, interval?.high])
    .flatMap((figure) => figure ?? []);
  if (figures.length === 0) return null;
  const domain = logDomain(figures);
  const draw = (/** @type {typeof WIDE} */ page) => drawSvg(label, rangesOptions(rows, domain, page));
  return html`<div class="wide">${draw(WIDE)}</div><div class="narrow">${draw(NARROW)}</div>`;
}

/** Names stand at the left, notes at the right. @param {Ranges['rows']} all @param {Domain} domain @param {typeof WIDE} page @returns {PlotOptions} */
function rangesOptions(all, domain, { width, letters }) {
  const names = all.map(({ name }) => fitLines(name, letters));
  const notes = all.map((row) => row.notes.filter(Boolean));
  const step = Math.max(DEPTH, LINE * Math.max(...[...names, ...notes].map(({ length }) => length))) + GAP;
  const [marginLeft, marginRight] = [names, notes].map(
    (texts) => LETTER * Math.max(0, ...texts.flat().map(({ length }) => length)) + 16,
  );
  const rows = all.map((row, index) => ({
    ...row,
    label: names[index].join('\n'),
    note: notes[index].join('\n'),
    color: row.strong ? 'var(--accent)' : 'var(--mark)',
    y: AXIS + (index + 0.5) * step,
  }));
  const points = rows.flatMap(({ name, values, color, y }) =>
    values.map((value, index) => ({
      value,
      fill: color,
      title: `${name}, run ${index + 1}: ${whole(value)}`,
      y: y + (values.length > 1 ? (index / (values.length - 1) - 0.5) * DEPTH : 0),
    })),
  );
  const isCrowded = rows.some(({ values }) => values.length > 20);
  const ticks = logTicks(domain, (width - marginLeft - marginRight) / TICK);
  /** @type {TextOptions} */
  const word = { y: 'y', fontSize: 12, lineHeight: LINE / 12, frameAnchor: 'left' };
  return {
    width,
    height: 2 * AXIS + rows.length * step,
    marginLeft,
    marginRight,
    marginTop: AXIS,
    marginBottom: AXIS,
    x: { type: 'log', domain },
    y: { type: 'identity', axis: null },
    marks: [
      gridX(ticks, GRID),
      axisX(ticks, { ...BARE, text: whole }),
      ruleY(
        rows.flatMap(({ interval, color, y }) => (interval ? { ...interval, color, y } : [])),
        { x1: 'low', x2: 'high', y: 'y', stroke: 'color', strokeOpacity: 0.25, strokeWidth: DEPTH + 8 },
      ),
      ruleX(rows, {
        x: 'median',
        y1: ({ y }) => y - DEPTH / 2 - 3,
        y2: ({ y }) => y + DEPTH / 2 + 3,
        stroke: 'var(--ink)',
        strokeWidth: 2,
      }),
      dot(points, { x: 'value', y: 'y', fill: 'fill', title: 'title', r: isCrowded ? 1.6 : 3.2 }),
      [true, false].map((strong) =>
        text(
          rows.filter((row) => row.strong === strong),
          {
            ...word,
            text: 'label',
            fill: 'var(--ink)',
            fontWeight: strong ? 600 : 400,
            textAnchor: 'start',
            dx: -marginLeft,
          },
        ),
      ),
      text(rows, {
        ...word,
        text: 'note',
        fill: 'var(--muted)',
        frameAnchor: 'right',
        textAnchor: 'end',
        dx: marginRight,
      }),
    ],
  };
}

/** Lines are distinguished by their dashes, not by colour alone. */
const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '4 4'];
/** A chart with more lines than this shows only its own. */
const MOST_CONTEXT = 12;
/** Pixels of a chart of curves: it is shown a quarter larger on a desk. */
const CURVES = { width: 350, height: 240, marginTop: 12, marginLeft: 52, marginRight: 12, marginBottom: 34 };
const MOST_TICKS = 6;

/** Each further nine takes the same room. All in one chart would be a tangle: each family has one, or several. @param {Curves} chart */
export function curvesChart({ label, lines }) {
  const points = lines.flatMap((each) => each.points).filter(({ us }) => us > 0);
  if (points.length === 0) return null;
  const nines = points.map((point) => point.nines);
  const [first, last] = [min(nines), max(nines)];
  const y = logDomain(points.map(({ us }) => us));
  const [xTicks, yTicks] = [ninesTicks(last, MOST_TICKS), logTicks(y, MOST_TICKS)];
  const isOne = lines.length <= DASHES.length;
  const labels = [...new Set(lines.map((each) => each.label))].sort();
  const charts = groupBy(lines, ({ family }) => (isOne ? '' : family)).flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / DASHES.length) }, (_, index) =>
      all.slice(index * DASHES.length, (index + 1) * DASHES.length).map((each, place) => ({
        ...each,
        name: isOne ? each.name : each.label,
        // Curves of the same name look the same in all charts, as long as there are enough colours.
        style: !isOne && labels.length <= DASHES.length ? labels.indexOf(each.label) : place,
      })),
    ),
  );
  const drawn = charts.map((own) => {
    const title = isOne ? '' : own[0].family;
    const svg = drawSvg(title === '' ? label : `${label}, ${title}`, {
      ...CURVES,
      x: { domain: [Math.min(first, last - 1), Math.max(1, last)] },
      y: { type: 'log', domain: y },
      marks: [
        gridX(xTicks, GRID),
        gridY(yTicks, GRID),
        axisX(xTicks, { ...BARE, text: ninesText }),
        axisY(yTicks, { ...BARE, text: duration }),
        (lines.length > MOST_CONTEXT ? [] : lines).map((each) =>
          line(each.points, { x: 'nines', y: 'us', stroke: 'var(--faint)' }),
        ),
        own.map(({ name, points: of, style }) =>
          line(of, {
            x: 'nines',
            y: 'us',
            stroke: `var(--line-${style + 1})`,
            strokeWidth: 1.8,
            strokeDasharray: DASHES[style],
            title: () => name,
          }),
        ),
      ],
    });
    const key = own.map(
      ({ name, style }) =>
        html`<li><svg width="28" height="8" aria-hidden="true"><line x2="28" y1="4" y2="4" stroke="var(--line-${style + 1})" stroke-width="2" stroke-dasharray="${DASHES[style]}"/></svg> ${name}</li>`,
    );
    return html`<div>${title && html`<h3>${title}</h3>`}${svg}<ul class="key">${key}</ul></div>`;
  });
  return html`<div class="facets">${drawn}</div>`;
}

/** @typedef {[low: number, high: number]} Domain of a logarithmic axis */

/** A narrower range would show noise as if it were a difference. */
const LEAST_RATIO = 1.5;
const MARGIN = 1.05;

/** @param {number[]} values above 0 @returns {Domain} */
function logDomain(values) {
  const [low, high] = [min(values), max(values)];
  const missing = Math.sqrt(Math.max(1, LEAST_RATIO / (high / low))) * MARGIN;
  return [low / missing, high * missing];
}

/** Where ticks may stand within a power of ten, the finest first. */
const MANTISSAS = [
  [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9],
  [1, 1.5, 2, 3, 5, 7],
  [1, 2, 5],
  [1, 3],
  [1],
];

/** @param {number | null | undefined} figure */
const isAboveZero = (figure) => figure == null || figure > 0;

/** @param {Domain} domain @param {number} most how many fit @returns {number[]} round values in ascending order */
function logTicks([low, high], most) {
  const [first, last] = [low, high].map((end) => Math.floor(Math.log10(end)));
  const powers = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
  const all = MANTISSAS.map((mantissas) =>
    powers
      .flatMap((power) => mantissas.map((mantissa) => Number((mantissa * power).toPrecision(3))))
      .filter((tick) => tick >= low && tick <= high),
  );
  // Further apart than powers of ten, there are still two.
  const fitting = all.find(({ length }) => length <= Math.max(2, most));
  return fitting ?? [all[4][0], ...all[4].slice(-1)];
}

const MEDIAN = Math.log10(2);

/** @param {number} last nines at the end of the axis @param {number} most how many fit @returns {number[]} nines: 1 for 90 %, 2 for 99 % */
function ninesTicks(last, most) {
  const stride = Math.max(1, Math.ceil(last / most));
  const nines = Array.from({ length: Math.floor(last / stride) }, (_, index) => (index + 1) * stride);
  return stride === 1 ? [MEDIAN, ...nines] : nines;
}

/** @param {number} nines @returns {string} the percentile: `50`, `90`, `99.9` */
const ninesText = (nines) => `${Number((100 * (1 - 10 ** -nines)).toPrecision(10))}`;
