import { nameOriginals } from '../../axes/cell-names.js';
import { isSlower } from '../statistics/contrasts.js';
import { fastestOf } from './group-findings.js';
import { coverOf, planeOf } from './map-regions.js';

/** @import { AxisCell } from '../../axes/types.js' */
/** @import { Finding } from '../types.js' */
/** @import { ComparedGroup } from './compare-group.js' */
/** @import { PlacedPoint } from './map-regions.js' */

/** null without one or two conditions, or if one choice is good under all. @param {ComparedGroup[]} groups @returns {Finding | null} */
export function whereItChanges(groups) {
  const cells = groups.flatMap(({ compared }) => compared);
  const plane = planeOf(cells);
  if (plane === null) return null;
  const names = nameOriginals(cells);
  const points = groups.flatMap((group) => pointOf(group, plane.placeOf));
  // Where nothing differs, any advice holds.
  const decided = points.filter(({ state }) => state === 'decided');
  // Choices that are good at as many points: the fastest first.
  const firstAt = (/** @type {string} */ id) =>
    decided.filter(({ winners: [first] }) => names.get(first) === names.get(id)).length;
  const choices = [...new Map(cells.map(({ id }) => [names.get(id), id])).values()].toSorted(
    (a, b) => firstAt(b) - firstAt(a),
  );
  const parts = coverOf(choices, decided, plane.sides, (id) => names.get(id) ?? id);
  if (parts.length < 2) return null;
  const winners = decided.flatMap((point) => point.winners);
  // A cell of the choice at a point where it wins.
  const cellOf = (/** @type {number} */ choice) =>
    winners.find((id) => names.get(id) === names.get(choices[choice])) ?? choices[choice];
  return {
    kind: 'where-it-changes',
    group: null,
    cells: parts.map(({ choice }) => cellOf(choice)),
    ...plane.sides,
    parts: parts.map(({ choice, ...where }) => ({ cell: cellOf(choice), ...where })),
    points: points.length,
  };
}

/** @param {ComparedGroup} group @param {(cell: AxisCell) => {row: number, column: number}} placeOf @returns {PlacedPoint[]} */
function pointOf({ comparison, compared }, placeOf) {
  if (comparison.ranking.length < 2) return [];
  const first = fastestOf(comparison);
  return [
    {
      ...placeOf(compared[0]),
      state: comparison.ranking.some(isSlower) ? 'decided' : 'open',
      winners: first.kind === 'fastest' ? [first.cell, ...first.ties] : [],
    },
  ];
}
