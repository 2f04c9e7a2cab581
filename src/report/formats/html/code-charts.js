import { sum } from 'simple-statistics';
import { costText, PARTS, placeText } from '../../words/code-words.js';
import { percent } from '../../words/figures.js';
import { html } from './markup.js';
import { inBothWidths } from './svg.js';

/** @import { CodeCosts } from '../../../analysis/types.js' */
/** @import { CellProfile } from '../../../results/types.js' */
/** @import { CodeFrame, CodePart } from '../../../worker/types.js' */

/** The parts of a bar from left to right, with titles of narrow columns. @type {Record<CodePart, {colour: string, title: string}>} */
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

const [NAME, BAR, GAP] = [18, 20, 12];
const LETTER = 6.2;
/** A narrower part would be nothing but its edges. */
const LEAST_WITH_EDGES = 3;

/** @typedef {{name: string, costs: CodeCosts}} ProfiledRow */

/** What an operation of each cell costs, as a bar of its parts. @param {ProfiledRow[]} rows @param {string} what it costs */
export const codeBars = (rows, what) => inBothWidths((width) => drawBars(rows, what, width));

/** @param {ProfiledRow[]} rows @param {string} what @param {number} width */
function drawBars(rows, what, width) {
  const largest = Math.max(...rows.map(({ costs }) => costs.perOp));
  const height = rows.length * (NAME + BAR + GAP);
  return html`<svg class="plot" role="img" viewBox="0 0 ${width} ${height}" aria-label="${what}, a bar for each cell">
${rows.map(({ name, costs }, index) => {
  const top = index * (NAME + BAR + GAP);
  const all = costText(costs.perOp, costs.unit);
  return html`<text x="0" y="${top + 13}" font-size="12" fill="var(--ink)">${name}: ${all}</text>
${segments(costs, (width * costs.perOp) / largest, top + NAME)}`;
})}</svg>`;
}

/** @param {CodeCosts} costs @param {number} all pixels of the bar @param {number} y */
function segments({ kinds, unit }, all, y) {
  let end = 0;
  return CODE_PARTS.flatMap((part) => kinds.filter((each) => each.part === part && each.share > 0)).map(
    ({ part, share, perOp }) => {
      const [x, width] = [end, share * all];
      end += width;
      const amount = costText(perOp, unit);
      return html`<g><title>${PARTS[part]}: ${amount}, ${percent(share)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" fill="${CODE_LOOKS[part].colour}"${width >= LEAST_WITH_EDGES && html` stroke="var(--page)"`}/>${
        amount.length * LETTER + 8 < width &&
        html`<text x="${(x + 4).toFixed(1)}" y="${y + 14}" font-size="11" fill="var(--page)">${amount}</text>`
      }</g>`;
    },
  );
}

/** Pixels; two stand side by side in a wide page. */
const [WIDTH, ROW, SMALL_LETTER] = [430, 16, 6];
/** Deeper calls are in those above them. */
const MOST_ROWS = 40;

/** Without a script; a profile leaves out what is narrower than 0.5 %. @param {CellProfile} profile @param {ProfiledRow} row */
export function flameGraph(profile, { name, costs: { perOp, unit } }) {
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
 * `from`, `share` and what its calls filled are parts of the whole.
 * @typedef {{depth: number, from: number, share: number, filled: number}} Place
 */

/** @param {CellProfile} profile perhaps of a file that somebody has changed: what does not fit is left out */
function placeCalls({ frames, rest, stacks }) {
  const all = sum([...frames, ...rest].map(({ self }) => self));
  /** @type {Place} */
  const top = { depth: -1, from: 0, share: 1, filled: 0 };
  /** @type {((Place & {frame: CodeFrame}) | null)[]} */
  const placed = [];
  for (const [caller, index, total] of stacks) {
    const above = caller === -1 ? top : placed[caller];
    const [frame, share] = [frames[index], total / all];
    if (!above || !frame || !(share > 0 && share <= above.share - above.filled + 1e-6)) placed.push(null);
    else if (above.depth + 1 >= MOST_ROWS) placed.push(null);
    else {
      placed.push({ frame, depth: above.depth + 1, from: above.from + above.filled, share, filled: 0 });
      above.filled += share;
    }
  }
  return placed.filter((each) => each !== null);
}
