import { axesOf } from '../axes/all-axes.js';

/** @import { Axis } from '../axes/types.js' */
/** @import { Cell } from './types.js' */

/**
 * What the worker process of a cell is bound to: another cell can have it after this one if this is the same.
 *
 * @param {Cell} cell
 */
export const processOf = (cell) => boundTo(cell, axesOf([cell]));

/**
 * The part of it that all cells of a group have in common.
 *
 * @param {Cell} cell
 */
export const processesOfGroup = (cell) =>
  boundTo(
    cell,
    axesOf([cell]).filter(({ role }) => role === 'condition'),
  );

/** @param {Cell} cell @param {Axis[]} axes */
const boundTo = (cell, axes) =>
  JSON.stringify(axes.map(({ id, of, ofProcess = of }) => [id, ofProcess(cell) ?? null]));
