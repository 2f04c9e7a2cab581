import { costText, placeText } from '../../words/code-words.js';
import { percent } from '../../words/figures.js';
import { CODE_COLOURS } from './code-colours.js';
import { html } from './markup.js';

/**
 * @import { CodeCosts } from '../../../analysis/types.js'
 * @import { CellProfile } from '../../../results/types.js'
 * @import { CodeFrame } from '../../../worker/types.js'
 * @import { Markup } from './markup.js'
 */

/** Pixels; two stand side by side in a wide page. */
const [WIDTH, ROW, LETTER] = [430, 16, 6];
/** Deeper calls are in those above them. */
const MOST_ROWS = 40;

/**
 * A flame graph without a script: callers above what they call, as wide as what was counted below them. What is
 * narrower than 0.5 % is left out of a profile.
 *
 * @param {CellProfile} profile
 * @param {Pick<CodeCosts, 'perOp' | 'unit'>} costs
 * @param {string} name of the cell
 * @returns {Markup}
 */
export function flameGraph(profile, { perOp, unit }, name) {
  const calls = placeCalls(profile);
  const rows = Math.max(1, ...calls.map(({ depth }) => depth + 1));
  return html`<svg class="plot" role="img" viewBox="0 0 ${WIDTH} ${rows * ROW}" aria-label="Flame graph of ${name}">
${calls.map(({ frame, depth, from, share }) => {
  const [x, width] = [from * WIDTH, share * WIDTH];
  const letters = Math.floor((width - 6) / LETTER);
  return html`<g><title>${placeText(frame)}: ${costText(share * perOp, unit)} an operation, ${percent(share)}</title><rect x="${x.toFixed(1)}" y="${depth * ROW}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${CODE_COLOURS[frame.part]}" stroke="var(--page)" stroke-width=".5"/>${
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
  for (const [caller, place, total] of stacks) {
    const [above, frame, share] = [placed[caller] ?? null, frames[place], total / all];
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
