import { nameChoices } from '../../axes/cell-names.js';
import { cornersAmong } from '../../axes/dimensions.js';
import { firstSlices } from './decide-point.js';

/**
 * @import { AxisCell } from '../../axes/types.js'
 * @import { Run } from '../../results/types.js'
 */

/** @typedef {AxisCell & {id: string, group: string, runs: Run[], warm?: boolean}} MapCell */

/**
 * By slices of the first start: its fastest is so many times slower than the slowest of another. At all corners
 * around a point it cannot be by chance, and what wins in between would have to catch up by as much and fall back.
 */
export const LEFT_OUT = 2.5;

/**
 * The choices that a map does not measure at a point: those that are far behind at all corners around it.
 *
 * @param {MapCell[]} cells of all points, with the runs that there are
 * @returns {(group: string) => string[]} the ids of those cells of a point
 */
export function leftOutIn(cells) {
  const names = nameChoices(cells);
  const points = [...new Map(cells.map((cell) => [cell.group, cell])).values()];
  const cornersAround = cornersAmong(points);
  const ofGroup = (/** @type {string} */ group) => cells.filter((cell) => cell.group === group);
  return (group) => {
    const corners = cornersAround(/** @type {MapCell} */ (points.find((point) => point.group === group)));
    if (corners.length === 0 || corners.some((corner) => corner.group === group)) return [];
    const behind = corners.map((corner) => farBehind(ofGroup(corner.group)).map(({ id }) => names.get(id)));
    return ofGroup(group).flatMap(({ id }) =>
      behind.every((some) => some.includes(names.get(id))) ? [id] : [],
    );
  };
}

/** @param {MapCell[]} cells of a point */
function farBehind(cells) {
  const measured = cells.flatMap((cell) => {
    const slices = firstSlices(cell);
    return slices === null ? [] : [{ id: cell.id, ...slices }];
  });
  const sure = Math.max(...measured.map(({ least }) => least));
  return measured.filter(({ most }) => most * LEFT_OUT < sure);
}
