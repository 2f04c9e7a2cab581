import { inverse, isSlower } from './claims.js';

/**
 * @import { Contrast, Finding, GroupComparison } from '../types.js'
 */

/** A median this much lower is not a tie, even where the runs are too few to claim the difference. */
export const NO_TIE = 1.25;

/**
 * Which cell of a group is fastest and by how much, as far as the runs carry it.
 *
 * @param {Pick<GroupComparison, 'group' | 'ranking'>} comparison
 * @returns {Finding}
 */
export function fastestOf({ group, ranking }) {
  const cells = ranking.map(({ cell }) => cell);
  if (ranking.length === 0) return { kind: 'no-result', group, cells };
  const [{ cell, opsPerSecond }, ...others] = ranking;
  if (others.length === 0) return { kind: 'alone', group, cells, cell, opsPerSecond };
  if (others.every(({ againstFastest }) => againstFastest === null))
    return { kind: 'single-runs', group, cells };

  // Nothing can be said of a cell with a single run, not even that it is as fast.
  const unclaimed = others.filter(({ againstFastest }) => againstFastest?.differs === false);
  return {
    kind: 'fastest',
    group,
    cells,
    cell,
    opsPerSecond,
    ties: unclaimed.filter(({ timesSlower }) => timesSlower < NO_TIE).map((place) => place.cell),
    doubtful: unclaimed
      .filter(({ timesSlower }) => timesSlower >= NO_TIE)
      .map((place) => ({ cell: place.cell, timesSlower: place.timesSlower })),
    slower: others.filter(isSlower).map(marginOf),
  };
}

/** @param {GroupComparison['ranking'][number]} place that is slower */
function marginOf({ cell, againstFastest }) {
  const { ratio, low, high } = inverse(/** @type {Contrast} */ (againstFastest));
  return { cell, ratio, low, high };
}
