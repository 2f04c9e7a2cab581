import { isSlower } from './claims.js';
import { fastestOf } from './fastest.js';
import { limitOf } from './limits.js';
import { causesBetween } from './why-slower.js';

/**
 * @import { Finding } from '../types.js'
 * @import { ComparedGroup, MeasuredCell } from './compare-group.js'
 */

/**
 * Which cell of a group is fastest, what limits it, and why the others are slower.
 *
 * @param {ComparedGroup} group
 * @returns {Finding[]}
 */
export function groupFindings(group) {
  const first = fastestOf(group.comparison);
  if (first.kind === 'no-result' || first.kind === 'single-runs') return [first];
  const fastest = group.contrasts.compared.find(({ id }) => id === group.comparison.ranking[0].cell);
  return [
    first,
    limitOf(/** @type {MeasuredCell} */ (fastest)),
    ...causesBetween(slowerPairs(group), group).map(
      (each) =>
        /** @type {Finding} */ ({
          kind: 'slower',
          group: group.comparison.group,
          cells: [each.cell, each.than],
          ...each,
        }),
    ),
  ];
}

/**
 * @param {ComparedGroup} group
 * @returns {{cell: MeasuredCell, than: MeasuredCell}[]} each cell that was shown to be slower, and the fastest
 */
export function slowerPairs({ comparison: { ranking }, contrasts: { compared } }) {
  const byId = new Map(compared.map((cell) => [cell.id, cell]));
  const than = /** @type {MeasuredCell} */ (byId.get(ranking[0].cell));
  return ranking
    .filter(isSlower)
    .flatMap(({ cell }) => byId.get(cell) ?? [])
    .map((cell) => ({ cell, than }));
}
