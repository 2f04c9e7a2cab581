import { inverse, isSlower } from '../../core/statistics/contrasts.js';
import { about, noConclusion } from './about.js';

/** @import { Contrast, Finding, GroupComparison } from '../judge/types.js' */

/** A median this much lower is no tie, even if the difference is not proven. */
export const NO_TIE = 1.25;

/** As far as proven. @param {Pick<GroupComparison, 'group' | 'ranking'>} comparison @returns {Finding} */
export function fastestOf({ group, ranking }) {
  const cells = ranking.map(({ cell: id }) => ({ id }));
  if (ranking.length === 0) return noConclusion('no-result', cells, group);
  const [{ cell, opsPerSecond }, ...others] = ranking;
  if (others.length > 0 && others.every(({ againstFastest }) => againstFastest === null))
    return noConclusion('single-runs', cells.slice(0, 1), group);

  // A single run says nothing, not even that a cell is as fast.
  const unclaimed = others.filter(({ againstFastest }) => againstFastest?.differs === false);
  return {
    kind: 'fastest',
    ...about(cells, group),
    cell,
    opsPerSecond,
    ties: unclaimed.filter((place) => timesBehind(place) < NO_TIE).map((place) => place.cell),
    doubtful: unclaimed
      .map((place) => ({ cell: place.cell, timesSlower: timesBehind(place) }))
      .filter(({ timesSlower }) => timesSlower >= NO_TIE),
    slower: others.filter(isSlower).map((place) => {
      const { ratio, low, high } = inverse(/** @type {Contrast} */ (place.againstFastest));
      return { cell: place.cell, ratio, low, high };
    }),
  };
}

/** @param {GroupComparison['ranking'][number]} place */
export const timesBehind = ({ timesSlower }) => timesSlower ?? Number.POSITIVE_INFINITY;
