/** @import { Axis, AxisCell, AxisInShort } from './types.js' */

/**
 * Most axes are one phrase: in ids, rows, titles and advice. An axis gives it, and whatever differs somewhere.
 * @param {AxisInShort} given @returns {Axis}
 */
export const defineAxis = ({ phrase, usual = '', advice, notMeasured, ...own }) => ({
  of: (cell) => /** @type {any} */ (cell)[own.id] ?? null,
  idPart: phrase,
  row: (cell) => phrase(cell) || usual,
  ...(own.role === 'condition' && { title: phrase }),
  ...own,
  ...(advice && { advice: { value: phrase, ...advice } }),
  ...(notMeasured && { notMeasured: { other: phrase, constant: phrase, ...notMeasured } }),
});

/**
 * A name of the axes that are always named and those that vary among the cells.
 * @param {Axis[]} axes @param {AxisCell} cell @param {AxisCell[]} cells @returns {string}
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
