import { axisX, axisY, gridX, gridY, plot } from '@observablehq/plot';
import { DOMImplementation, XMLSerializer } from '@xmldom/xmldom';
import { printable } from '../../core/report/escaped.js';
import { html, raw } from './markup.js';

/** @import { Markup } from './markup.js' */
/** @import { PlotOptions } from '@observablehq/plot' */

/** Pixels. Charts are drawn for a wide page and for a phone, with text of the same size; the style sheet shows one. */
export const WIDTHS = { wide: 860, narrow: 340 };

const HTML = 'http://www.w3.org/1999/xhtml';

/** An image that a screen reader names and skips: its figures stand in the tables. @param {string} label @param {PlotOptions} options */
export function drawSvg(label, options) {
  // TypeScript knows no types of a browser's window here.
  const document = /** @type {any} */ (new DOMImplementation().createDocument(HTML, 'html'));
  const svg = /** @type {any} */ (plot({ ...options, document, className: 'plot', ariaLabel: label }));
  // Plot's own style sheet sets fixed colours; the page's supports light and dark.
  for (const style of svg.getElementsByTagName('style')) svg.removeChild(style);
  svg.setAttribute('role', 'img');
  return raw(printable(new XMLSerializer().serializeToString(svg)));
}

/** @param {(width: number) => Markup} draw @returns {Markup} */
export const inBothWidths = (draw) =>
  html`<div class="wide">${draw(WIDTHS.wide)}</div><div class="narrow">${draw(WIDTHS.narrow)}</div>`;

/** Two of these stand side by side on a wide page. */
const FACET_WIDTH = 420;

/** @template {{title?: string}} Facet @param {Facet[]} facets @param {(facet: Facet, width: number) => Markup} draw */
export const inFacets = (facets, draw) =>
  inBothWidths((width) => {
    const each = width === WIDTHS.wide ? FACET_WIDTH : width;
    return html`<div class="facets">${facets.map(
      (facet) => html`<div><h3>${facet.title}</h3>${draw(facet, each)}</div>`,
    )}</div>`;
  });

/**
 * @template Line @param {string} subject @param {Line[]} all
 * @returns {{title: string, lines: Line[]}[]} as many charts as it takes to distinguish the lines
 */
export function inCharts(subject, all) {
  const charts = Math.ceil(all.length / MOST_LINES);
  return Array.from({ length: charts }, (_, index) => ({
    title: charts === 1 ? subject : `${subject}, ${index + 1} of ${charts}`,
    lines: all.slice(index * MOST_LINES, (index + 1) * MOST_LINES),
  }));
}

/** Lines are distinguished by their dashes, not by colour alone. */
const DASHES = ['none', '7 3', '2 3', '9 3 2 3', '4 4'];

export const MOST_LINES = DASHES.length;

/** @param {number} style from 0 to the number of lines in a chart */
export const lineStyle = (style) => ({ color: `var(--line-${style + 1})`, dash: DASHES[style] });

export const GRID = { stroke: 'var(--rule)', strokeOpacity: 1 };
/** Of an axis: its ticks are texts alone. */
export const BARE = { label: null, tickSize: 0 };

/**
 * @typedef {{ticks: number[], text: (value: number) => string}} Axis each tick has a text and a line across the chart
 */

/** @param {Axis} x @param {Axis} y */
export const axes = ({ ticks: xTicks, ...x }, { ticks: yTicks, ...y }) => [
  gridX(xTicks, GRID),
  gridY(yTicks, GRID),
  axisX(xTicks, { ...x, ...BARE }),
  axisY(yTicks, { ...y, ...BARE }),
];
