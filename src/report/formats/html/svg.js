import { plot } from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { printable } from '../../words/printable.js';
import { html, raw } from './markup.js';

/**
 * @import { Markup } from './markup.js'
 * @import { PlotOptions } from '@observablehq/plot'
 */

/**
 * Charts are drawn twice, with text of the same size: for a wide page and for a phone. The style sheet shows
 * one of them.
 */
export const WIDTHS = { wide: 860, narrow: 340 };

/**
 * Draws a chart as an image that a screen reader names and skips: its figures stand in the tables.
 *
 * @param {string} label
 * @param {PlotOptions} options
 * @returns {Markup}
 */
export function drawSvg(label, options) {
  // The types of a browser's window are not loaded: this is no browser.
  const { document } = /** @type {any} */ (parseHTML('<!doctype html><html><body></body></html>'));
  const svg = plot({ ...options, document });
  // Plot's own style sheet sets fixed colours; the page's supports light and dark.
  svg.querySelector('style')?.remove();
  svg.setAttribute('class', 'plot');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  return raw(printable(svg.outerHTML));
}

/**
 * @param {(width: number) => Markup} draw
 * @returns {Markup} the chart in both widths
 */
export const inBothWidths = (draw) =>
  html`<div class="wide">${draw(WIDTHS.wide)}</div><div class="narrow">${draw(WIDTHS.narrow)}</div>`;
