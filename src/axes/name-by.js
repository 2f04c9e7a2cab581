/** @import { Axis, AxisCell } from './types.js' */

/**
 * A cell's name, made from the axes that are always named and those that vary among the cells beside it.
 *
 * @param {Axis[]} axes
 * @param {AxisCell} cell
 * @param {AxisCell[]} cells
 * @returns {string}
 */
export const nameBy = (axes, cell, cells) =>
  axes.reduce((name, axis) => {
    const part = axis.row(cell);
    if (part === '' || !(axis.always?.(cell) || varies(axis, cell, cells))) return name;
    return name === '' ? part : `${name}${axis.rowGlue ?? ', '}${part}`;
  }, '');

/** @param {Axis} axis @param {AxisCell} cell @param {AxisCell[]} cells */
const varies = (axis, cell, cells) =>
  cells.some((other) => axis.of(other) !== axis.of(cell) && (axis.among?.(cell, other) ?? true));
