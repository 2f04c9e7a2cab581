import { nameChoices } from '../../axes/cell-names.js';
import { cornersAmong } from '../../axes/dimensions.js';
import { firstSlices } from './decide-point.js';

/** @import { AxisCell } from '../../axes/types.js' */
/** @import { Run } from '../../results/types.js' */

/** @typedef {AxisCell & {id: string, group: string, runs: Run[], warm?: boolean}} MapCell */

/**
 * By slices of the first start, fastest against slowest. At all corners around a point it cannot be chance, and what
 * wins in between would have to catch up by as much and fall back.
 */
export const LEFT_OUT = 2.5;

/** Choices that are far behind at all corners around a point. @param {MapCell[]} cells @returns {(group: string) => string[]} ids */
export function leftOutIn(cells) {
  const names = nameChoices(cells);
  const points = [...new Map(cells.map((cell) => [cell.group, cell])).values()];
  const cornersAround = cornersAmong(points);
  const ofGroup = (/** @type {string} */ group) => cells.filter((cell) => cell.group === group);
  return (group) => {
    const [point] = ofGroup(group);
    const corners = cornersAround(point).map((corner) => corner.group);
    if (corners.length === 0 || corners.includes(group)) return [];
    const isBehind = behindAtAll(corners.map(ofGroup), names);
    return ofGroup(group).flatMap(({ id }) => (isBehind(names.get(id)) ? [id] : []));
  };
}

/** @param {MapCell[][]} points @param {Map<string, string>} names of cells */
function behindAtAll(points, names) {
  const behind = points.map((cells) => farBehind(cells).map(({ id }) => names.get(id)));
  return (/** @type {string | undefined} */ name) => behind.every((all) => all.includes(name));
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
