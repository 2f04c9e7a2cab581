import { costText, PARTS, placeText } from '../../words/code-words.js';
import { percent } from '../../words/figures.js';
import { html } from './markup.js';
import { inBothWidths } from './svg.js';

/** @import { CodeCost, CodeCosts } from '../../../analysis/types.js' */
/** @import { CellProfile } from '../../../results/types.js' */
/** @import { CodeFrame, CodePart } from '../../../worker/types.js' */
/** @import { Markup } from './markup.js' */

/**
 * The parts of a profile in the order in which they stand in a bar, the client's own first, with titles of narrow columns.
 * @type {Record<CodePart, {colour: string, title: string}>}
 */
export const CODE_LOOKS = {
  package: { colour: 'var(--line-1)', title: 'client' },
  node: { colour: 'var(--line-3)', title: 'Node' },
  native: { colour: 'var(--line-4)', title: 'native, system' },
  poll: { colour: 'var(--mark)', title: 'polling' },
  garbage: { colour: 'var(--line-2)', title: 'garbage' },
  application: { colour: 'var(--line-5)', title: 'app work' },
  tool: { colour: 'var(--muted)', title: 'tool' },
  other: { colour: 'var(--faint)', title: 'plugins' },
  server: { colour: 'var(--line-1)', title: 'server' },
  library: { colour: 'var(--line-3)', title: 'libraries' },
  kernel: { colour: 'var(--line-4)', title: 'kernel' },
};

export const CODE_PARTS = /** @type {CodePart[]} */ (Object.keys(CODE_LOOKS));

/** Pixels. */
const [NAME, BAR, GAP] = [18, 20, 12];
const LETTER = 6.2;
/** A narrower part would be nothing but its edges. */
const LEAST_WITH_EDGES = 3;

/** @typedef {{name: string, costs: CodeCosts}} ProfiledRow */

/** What an operation of each cell costs, as a bar of its parts. @param {ProfiledRow[]} rows @param {string} what it costs */
export const codeBars = (rows, what) => inBothWidths((width) => draw(rows, what, width));

/** @param {ProfiledRow[]} rows @param {string} what @param {number} width */
function draw(rows, what, width) {
  const largest = Math.max(...rows.map(({ costs }) => costs.perOp));
  const height = rows.length * (NAME + BAR + GAP);
  return html`<svg class="plot" role="img" viewBox="0 0 ${width} ${height}" aria-label="${what}, a bar for each cell">
${rows.map(({ name, costs }, index) => {
  const top = index * (NAME + BAR + GAP);
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
  return html`<g><title>${PARTS[part]}: ${amount}, ${percent(share)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" fill="${CODE_LOOKS[part].colour}"${width >= LEAST_WITH_EDGES && html` stroke="var(--page)"`}/>${
    amount.length * LETTER + 8 < width &&
    html`<text x="${(x + 4).toFixed(1)}" y="${y + 14}" font-size="11" fill="var(--page)">${amount}</text>`
  }</g>`;
}

/** Pixels; two stand side by side in a wide page. */
const [WIDTH, ROW, SMALL_LETTER] = [430, 16, 6];
/** Deeper calls are in those above them. */
const MOST_ROWS = 40;

/**
 * A flame graph without a script: callers above what they call, as wide as what was counted below them. What is
 * narrower than 0.5 % is left out of a profile.
 * @param {CellProfile} profile @param {Pick<CodeCosts, 'perOp' | 'unit'>} costs @param {string} name of the cell
 */
export function flameGraph(profile, { perOp, unit }, name) {
  const calls = placeCalls(profile);
  const rows = Math.max(1, ...calls.map(({ depth }) => depth + 1));
  return html`<svg class="plot" role="img" viewBox="0 0 ${WIDTH} ${rows * ROW}" aria-label="Flame graph of ${name}">
${calls.map(({ frame, depth, from, share }) => {
  const [x, width] = [from * WIDTH, share * WIDTH];
  const letters = Math.floor((width - 6) / SMALL_LETTER);
  return html`<g><title>${placeText(frame)}: ${costText(share * perOp, unit)} per operation, ${percent(share)}</title><rect x="${x.toFixed(1)}" y="${depth * ROW}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${CODE_LOOKS[frame.part].colour}" stroke="var(--page)" stroke-width=".5"/>${
    letters > 2 &&
    html`<text x="${(x + 3).toFixed(1)}" y="${depth * ROW + 11.5}" font-size="10" fill="var(--page)">${frame.name.slice(0, letters)}</text>`
  }</g>`;
})}</svg>`;
}

/**
 * @param {CellProfile} profile perhaps of a file that somebody has changed
 * @returns {{frame: CodeFrame, depth: number, from: number, share: number}[]} `from` and `share` of the whole
 */
function placeCalls({ frames, rest, stacks }) {
  const all = [...frames, ...rest].reduce((sum, { self }) => sum + self, 0);
  /** @type {({frame: CodeFrame, depth: number, from: number, share: number, filled: number} | null)[]} */
  const placed = [];
  let filled = 0;
  for (const [caller, index, total] of stacks) {
    const [above, frame, share] = [placed[caller] ?? null, frames[index], total / all];
    const room = above === null ? 1 - filled : above.share - above.filled;
    const fits =
      frame !== undefined && share > 0 && share <= room + 1e-6 && (caller === -1 || above !== null);
    const depth = above === null ? 0 : above.depth + 1;
    if (!fits || depth >= MOST_ROWS) {
      placed.push(null);
      continue;
    }
    placed.push({
      frame,
      depth,
      from: above === null ? filled : above.from + above.filled,
      share,
      filled: 0,
    });
    if (above === null) filled += share;
    else above.filled += share;
  }
  return placed.filter((each) => each !== null);
}
