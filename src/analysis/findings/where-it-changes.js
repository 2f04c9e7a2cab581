import { nameOriginals } from '../../axes/cell-names.js';
import { dimensionsOf, placeIn } from '../../axes/dimensions.js';
import { isSlower } from '../statistics/contrasts.js';
import { fastestOf } from './group-findings.js';
import { sideOf } from './map-findings.js';
import { coverOf, gridOf } from './map-regions.js';

/** @import { Dimension } from '../../axes/dimensions.js' */
/** @import { Finding } from '../types.js' */
/** @import { ComparedGroup, MeasuredCell } from './compare-group.js' */
/** @import { PlacedPoint } from './map-regions.js' */

/** With more conditions nobody could say where. */
const MOST_CONDITIONS = 2;

/**
 * Under which conditions which cell is fastest, where that differs.
 * @param {ComparedGroup[]} groups
 * @returns {Finding | null} null where the conditions are not one or two, or one choice is good under all
 */
export function whereItChanges(groups) {
  const cells = groups.flatMap(({ contrasts }) => contrasts.compared);
  const dimensions = dimensionsOf(cells);
  if (dimensions.length === 0 || dimensions.length > MOST_CONDITIONS) return null;
  const [rows, columns = { ...rows, examples: [cells[0]] }] = dimensions;
  const isSingle = dimensions.length === 1;
  const names = nameOriginals(cells);
  const points = groups.flatMap((group) => pointOf(group, rows, isSingle ? null : columns));
  const grid = gridOf(rows, columns);
  // Where nothing differs any advice holds.
  const telling = points.filter(({ state }) => state === 'decided');
  // Of choices that are as good at as many points the fastest one.
  const firstAt = (/** @type {string} */ id) =>
    telling.filter(({ winners: [first] }) => names.get(first) === names.get(id)).length;
  const choices = [...new Map(cells.map(({ id }) => [names.get(id), id])).values()].toSorted(
    (a, b) => firstAt(b) - firstAt(a),
  );
  const parts = coverOf(choices, telling, grid, (id) => names.get(id) ?? id);
  if (parts.length < 2) return null;
  const winners = telling.flatMap((point) => point.winners);
  // A cell of the choice at a point where it wins.
  const cellOf = (/** @type {number} */ choice) =>
    winners.find((id) => names.get(id) === names.get(choices[choice])) ?? choices[choice];
  return {
    kind: 'where-it-changes',
    group: null,
    cells: parts.map(({ choice }) => cellOf(choice)),
    rows: sideOf(rows, cells),
    columns: sideOf(columns, cells),
    parts: parts.map(({ choice, region, points: count }) => ({
      cell: cellOf(choice),
      region,
      points: count,
    })),
    points: points.length,
  };
}

/**
 * @param {ComparedGroup} group @param {Dimension} rows
 * @param {Dimension | null} columns null where there is one condition
 * @returns {PlacedPoint[]} none where nothing can be compared
 */
function pointOf({ comparison, contrasts: { compared } }, rows, columns) {
  if (comparison.ranking.length < 2) return [];
  const first = fastestOf(comparison);
  const [example] = /** @type {MeasuredCell[]} */ (compared);
  return [
    {
      row: placeIn(rows, example),
      column: columns === null ? 0 : placeIn(columns, example),
      state: comparison.ranking.some(isSlower) ? 'decided' : 'open',
      winners: first.kind === 'fastest' ? [first.cell, ...first.ties] : [],
    },
  ];
}
