import { axesOf } from './all-axes.js';

/** @import { Axis, AxisCell } from './types.js' */

/**
 * Identifies a cell, the same way in every benchmark that has it.
 *
 * @param {AxisCell} cell
 */
export const idOf = (cell) => joinParts(axesOf([cell]), cell);

/**
 * What is the same for all cells that are compared with each other: their conditions.
 *
 * @param {AxisCell} cell
 * @param {string[]} [except] ids of conditions to leave out
 */
export const groupOf = (cell, except = []) =>
  joinParts(
    axesOf([cell]).filter(({ id, role }) => role === 'condition' && !except.includes(id)),
    cell,
  );

/** @param {Axis[]} axes @param {AxisCell} cell */
const joinParts = (axes, cell) =>
  axes.reduce((text, { idPart, idGlue = '/' }) => {
    const part = idPart(cell);
    if (part === '') return text;
    return text === '' ? part : `${text}${idGlue}${part}`;
  }, '');
