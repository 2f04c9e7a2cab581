import { whole } from '../text/figures.js';
import { nameCells } from './names.js';

/**
 * Which cell of a group is fastest and by how much, in plain words; never more than the runs carry.
 *
 * @param {import('../types.js').CellResult[]} cells of one group
 * @param {Pick<import('../types.js').Comparison, 'ranking'>} comparison
 * @returns {string}
 */
export function concludeGroup(cells, { ranking }) {
  if (ranking.length === 0) return 'No cell of this group gave a result.';
  const names = nameCells(cells);
  const [fastest, ...others] = ranking;
  const quote = (/** @type {string} */ id) => `"${names.get(id)}"`;
  const figure = whole(fastest.opsPerSecond);
  if (others.length === 0)
    return `${quote(fastest.cell)} does ${figure} operations a second; there is nothing to compare it with.`;

  const close = others.filter(({ overlapsFastest }) => overlapsFastest);
  const slower = others.filter(({ overlapsFastest }) => !overlapsFastest);
  const winners = [fastest, ...close].map(({ cell }) => quote(cell));
  const subject =
    close.length === 0
      ? `${winners[0]} is fastest with ${figure} operations a second`
      : `${winners.slice(0, -1).join(', ')} and ${winners.at(-1)} are fastest, and their runs overlap: no difference between them can be claimed (about ${figure} operations a second)`;
  if (slower.length === 0) return `${subject}.`;
  const [next] = slower;
  const last = /** @type {typeof next} */ (slower.at(-1));
  const margins = [`${times(next.timesSlower)} times as many as ${quote(next.cell)}`];
  if (last !== next)
    margins.push(`${times(last.timesSlower)} times as many as ${quote(last.cell)}, the slowest`);
  return `${subject}: ${margins.join(', and ')}.`;
}

/** @param {number} ratio */
const times = (ratio) => (ratio < 9.95 ? ratio.toFixed(1) : whole(ratio));
