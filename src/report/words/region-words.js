import { axesOf } from '../../axes/all-axes.js';

/**
 * @import { MapFinding, MapSide, Region } from '../../analysis/types.js'
 * @import { AxisCell } from '../../axes/types.js'
 */

/** @typedef {(id: string) => AxisCell} CellOf */

/** More parts than these are no boundary that anyone remembers. */
const MOST_PARTS = 3;

/**
 * Where something holds, in words.
 *
 * @param {Region[]} regions
 * @param {Pick<MapFinding, 'rows' | 'columns'>} map
 * @param {CellOf} cellOf
 * @returns {string | null} `from 16 tasks on, or at 1 task with no added distance`; `everywhere`; null where it
 *   takes too many words
 */
export function regionText(regions, { rows, columns }, cellOf) {
  if (regions.length === 0 || regions.length > MOST_PARTS) return null;
  const parts = regions.map((region) => {
    const texts = [rangeText(region.rows, rows, cellOf), rangeText(region.columns, columns, cellOf)];
    return texts.filter((text) => text !== '').join(' and ') || 'everywhere';
  });
  return parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')}, or ${parts[parts.length - 1]}`;
}

/**
 * @param {number} place
 * @param {MapSide} side
 * @param {CellOf} cellOf
 * @returns {string} `at 2 ms round trip`, `with no added distance`
 */
export const placeText = (place, side, cellOf) => rangeText([place, place], side, cellOf);

/**
 * @param {[number, number]} range
 * @param {MapSide} side
 * @param {CellOf} cellOf
 * @returns {string} empty for all of its values
 */
function rangeText([first, last], { axis: id, examples }, cellOf) {
  const end = examples.length - 1;
  if (first === 0 && last === end) return '';
  const axis = axesOf([cellOf(examples[0])]).find((each) => each.id === id);
  const name = (/** @type {number} */ place) => axis?.row(cellOf(examples[place])) ?? '';
  // No distance, no work: that is no place on a scale.
  const isNone = (/** @type {number} */ place) => typeof axis?.of(cellOf(examples[place])) !== 'number';
  if (first === last) return `${isNone(first) ? 'with' : 'at'} ${name(first)}`;
  if (first === 0) return `up to ${name(last)}`;
  return last === end ? `from ${name(first)} on` : `from ${name(first)} to ${name(last)}`;
}
