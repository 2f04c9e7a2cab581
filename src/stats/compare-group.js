import { concludeGroup } from './conclusion.js';
import { explainGroup } from './explanation.js';

/**
 * The cells of one group against its fastest.
 *
 * @param {string} group
 * @param {import('../types.js').CellResult[]} cells of that group
 * @returns {import('../types.js').Comparison} with the cells in order, the fastest first
 */
export function compareGroup(group, cells) {
  const ranking = cells
    .flatMap(({ id, summary }) => (summary ? [{ cell: id, ...summary }] : []))
    .sort((a, b) => b.opsPerSecond - a.opsPerSecond);
  const [fastest] = ranking;
  const places = ranking.map(({ cell, opsPerSecond, opsPerSecondHigh }) => ({
    cell,
    opsPerSecond,
    timesSlower: fastest.opsPerSecond / opsPerSecond,
    // A cell whose best run is no slower than the fastest cell's worst one may well be as fast.
    overlapsFastest: opsPerSecondHigh >= fastest.opsPerSecondLow,
  }));
  return {
    group,
    ranking: places,
    conclusion: concludeGroup(cells, { ranking: places }),
    explanation: explainGroup(cells, { ranking: places }),
  };
}
