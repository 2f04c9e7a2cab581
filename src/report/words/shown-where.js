import { gridOf, regionsOf } from '../../analysis/findings/map-regions.js';
import { dimensionsOf, placeIn } from '../../axes/dimensions.js';
import { regionText } from './region-words.js';

/**
 * @import { Gain, MapSide } from '../../analysis/types.js'
 * @import { Dimension } from '../../axes/dimensions.js'
 * @import { CellResult } from '../../results/types.js'
 * @import { Context } from './findings.js'
 */

/** With more conditions nobody could say where. */
const MOST_CONDITIONS = 2;

/**
 * Under which conditions gains were shown.
 *
 * @param {Gain[]} gains
 * @param {Context} context
 * @returns {string} `from 8 tasks on`; empty where that is everywhere
 */
export function shownWhere(gains, { cell, measured }) {
  const shown = new Map(gains.map(({ better }) => [cell(better).group, cell(better)]));
  const all = new Map(measured.map((each) => [each.group, each]));
  if (shown.size === all.size) return '';
  const dimensions = dimensionsOf(measured);
  const counted = `under ${shown.size} of ${all.size} conditions`;
  if (dimensions.length === 0 || dimensions.length > MOST_CONDITIONS) return counted;
  const [rows, columns = { ...rows, examples: [measured[0]] }] = dimensions;
  const isSingle = dimensions.length === 1;
  const placeOf = (/** @type {CellResult} */ each) =>
    `${placeIn(rows, each)} ${isSingle ? 0 : placeIn(columns, each)}`;
  const [inside, known] = [shown, all].map((groups) => [...groups.values()].map(placeOf));
  const grid = gridOf(rows, columns);
  const regions = regionsOf(grid, (row, column) => {
    const place = `${row} ${column}`;
    if (inside.includes(place)) return 'in';
    return known.includes(place) ? 'out' : 'either';
  });
  return regionText(regions, { rows: sideOf(rows), columns: sideOf(columns) }, cell) ?? counted;
}

/** @param {Dimension} dimension of cells of a report @returns {MapSide} */
const sideOf = ({ axis, ordered, examples }) => ({
  axis: axis.id,
  ordered,
  examples: examples.map((example) => /** @type {CellResult} */ (example).id),
});
