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
  const byId = new Map(group.contrasts.compared.map((cell) => [cell.id, cell]));
  const { ranking } = group.comparison;
  const than = /** @type {MeasuredCell} */ (byId.get(ranking[0].cell));
  const slower = ranking.filter(isSlower).flatMap(({ cell }) => byId.get(cell) ?? []);
  const found = causesBetween(
    slower.map((cell) => ({ cell, than })),
    group,
  );
  return [
    first,
    limitOf(than),
    ...found.map(
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
