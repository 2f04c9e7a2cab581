import { costText, PARTS } from '../../words/code-words.js';
import { percent } from '../../words/figures.js';
import { CODE_COLOURS, CODE_PARTS } from './code-colours.js';
import { html } from './markup.js';
import { inBothWidths } from './svg.js';

/**
 * @import { CodeCost, CodeCosts } from '../../../analysis/types.js'
 * @import { Markup } from './markup.js'
 */

/** Pixels. */
const [NAME, BAR, GAP] = [18, 20, 12];
const LETTER = 6.2;
/** A narrower part would be nothing but its edges. */
const LEAST_WITH_EDGES = 3;

/**
 * @typedef {object} ProfiledRow
 * @property {string} name
 * @property {CodeCosts} costs
 */

/**
 * What an operation of each cell costs, as a bar of its parts.
 *
 * @param {ProfiledRow[]} rows
 * @param {string} what it costs
 * @returns {Markup}
 */
export const codeBars = (rows, what) => inBothWidths((width) => draw(rows, what, width));

/** @param {ProfiledRow[]} rows @param {string} what @param {number} width */
function draw(rows, what, width) {
  const largest = Math.max(...rows.map(({ costs }) => costs.perOp));
  const height = rows.length * (NAME + BAR + GAP);
  return html`<svg class="plot" role="img" viewBox="0 0 ${width} ${height}" aria-label="${what}, a bar for each cell">
${rows.map(({ name, costs }, place) => {
  const top = place * (NAME + BAR + GAP);
  const all = costText(costs.perOp, costs.unit);
  return html`<text x="0" y="${top + 13}" font-size="12" fill="var(--ink)">${name}: ${all}</text>
${segmentsOf(costs, (width * costs.perOp) / largest).map((segment) => segmentMarkup(segment, top + NAME, costs))}`;
})}</svg>`;
}

/** @typedef {CodeCost & {x: number, width: number}} Segment */

/** @param {CodeCosts} costs @param {number} width of the bar @returns {Segment[]} */
function segmentsOf({ kinds }, width) {
  let x = 0;
  return CODE_PARTS.flatMap((part) => {
    const cost = kinds.find((each) => each.part === part);
    if (cost === undefined || cost.share <= 0) return [];
    const segment = { ...cost, x, width: cost.share * width };
    x += segment.width;
    return segment;
  });
}

/** @param {Segment} segment @param {number} y @param {CodeCosts} costs */
function segmentMarkup({ part, x, width, share, perOp }, y, { unit }) {
  const amount = costText(perOp, unit);
  return html`<g><title>${PARTS[part]}: ${amount}, ${percent(share)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" fill="${CODE_COLOURS[part]}"${width >= LEAST_WITH_EDGES && html` stroke="var(--page)"`}/>${
    amount.length * LETTER + 8 < width &&
    html`<text x="${(x + 4).toFixed(1)}" y="${y + 14}" font-size="11" fill="var(--page)">${amount}</text>`
  }</g>`;
}
