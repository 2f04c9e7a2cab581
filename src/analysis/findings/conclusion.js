import { nameCells } from '../../axes/names.js';
import { ratioText, times, whole } from '../../report/words/figures.js';
import { inverse, isSlower } from './claims.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { Comparison, Contrast } from '../types.js'
 */

/** A median that is so much lower is no tie, even where the runs are too few to claim the difference. */
const NO_TIE = 1.25;

/** Longer lists are not read. */
const MOST_NAMED = 3;

/**
 * Which cell of a group is fastest and by how much, in plain words; never more than the runs carry.
 *
 * @param {CellResult[]} cells of one group
 * @param {Pick<Comparison, 'ranking'>} comparison
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

  // Of a cell with a single run nothing can be said, not even that it is as fast.
  const unclaimed = others.filter(({ againstFastest }) => againstFastest?.differs === false);
  const close = unclaimed.filter(({ timesSlower }) => timesSlower < NO_TIE);
  const doubtful = unclaimed.filter(({ timesSlower }) => timesSlower >= NO_TIE);
  const slower = others.filter(isSlower);
  const winners = [fastest, ...close].map(({ cell }) => quote(cell));
  const subject =
    close.length === 0
      ? `${winners[0]} is fastest with ${figure} operations a second`
      : `${winners.slice(0, -1).join(', ')} and ${winners.at(-1)} are fastest, and no difference ${winners.length === 2 ? 'between them' : 'from the first of them'} can be claimed (about ${figure} operations a second)`;
  const doubt = doubtful.length === 0 ? '' : ` ${doubtText(doubtful, quote)}`;
  if (slower.length === 0) return `${subject}.${doubt}`;
  const [next] = slower;
  const last = /** @type {typeof next} */ (slower.at(-1));
  const margins = [`${marginText(next)} as many as ${quote(next.cell)}`];
  if (last !== next) margins.push(`${marginText(last)} as many as ${quote(last.cell)}, the slowest`);
  return `${subject}: ${margins.join(', and ')}.${doubt}`;
}

/**
 * @param {Comparison['ranking']} doubtful
 * @param {(id: string) => string} quote
 */
function doubtText(doubtful, quote) {
  const names = doubtful.map(({ cell, timesSlower }) => `${quote(cell)} (${times(timesSlower)})`);
  const text =
    names.length <= MOST_NAMED
      ? names.join(', ')
      : `${names.length} cells, from ${names[0]} to ${names[names.length - 1]}`;
  return `Slower by their medians, but by no more than these few runs vary: ${text}; use more --runs.`;
}

/** @param {Comparison['ranking'][number]} place that is slower */
const marginText = ({ againstFastest }) => ratioText(inverse(/** @type {Contrast} */ (againstFastest)));
