/** @import { Axis, AxisCell, AxisInShort } from './types.js' */

/** One phrase is its name in ids, rows, titles and advice, unless it gives another. @param {AxisInShort} given @returns {Axis} */
export const defineAxis = ({ phrase, usual = '', advice, ...own }) => ({
  of: (cell) => Object(cell)[own.id] ?? null,
  idPart: phrase,
  row: (cell) => phrase(cell) || usual,
  ...(own.role === 'condition' && { title: phrase }),
  otherThan: phrase,
  ...own,
  ...(advice && { advice: { value: phrase, ...advice } }),
});

/** Names what varies or is always named. @param {Axis[]} axes @param {AxisCell} cell @param {AxisCell[]} cells */
export const nameBy = (axes, cell, cells) =>
  axes.reduce((name, axis) => {
    const part = axis.row(cell);
    if (part === '' || !(axis.always?.(cell) || varies(axis, cell, cells))) return name;
    return name === '' ? part : `${name}${axis.rowGlue ?? ', '}${part}`;
  }, '');

/** @param {Axis} axis @param {AxisCell} cell @param {AxisCell[]} cells */
const varies = (axis, cell, cells) =>
  cells.some((other) => axis.of(other) !== axis.of(cell) && (axis.among?.(cell, other) ?? true));
