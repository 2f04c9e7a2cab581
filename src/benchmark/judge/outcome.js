import { inverse, isSlower } from '../../core/statistics/contrasts.js';

/** @import { Contrast, GroupComparison } from './types.js' */

/** A median this much lower is no tie, even if the difference is not proven. */
export const NO_TIE = 1.25;

/** @typedef {ReturnType<typeof fastestOf>} Fastest */

/**
 * What is fastest, as far as proven. `ties`: about as fast, no difference is proven; `doubtful`: far slower by their medians, but not
 * proven; `slower`: the fastest over theirs, in operations per second.
 * @param {Pick<GroupComparison, 'group' | 'ranking'>} comparison of at least one cell
 */
export function fastestOf({ group, ranking }) {
  const [{ cell, opsPerSecond }, ...others] = ranking;
  // A single run says nothing, not even that a cell is as fast.
  const unclaimed = others.filter(({ againstFastest }) => againstFastest?.differs === false);
  return {
    group,
    cells: ranking.map((place) => place.cell),
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
