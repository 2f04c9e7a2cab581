/**
 * @import { Catalogue, Chosen } from '../plugins/types.js'
 * @import { Cell } from './types.js'
 */

/** All values of one size, on the server and in each worker. */
const MOST_BYTES = 64e6;

/**
 * The sets of values that a cell works on besides its usual ones: as many as it has keys, if they are not too large.
 *
 * @param {Pick<Cell, 'chosen' | 'keys'>} cell
 * @param {Pick<Catalogue, 'workloads'>} catalogue
 * @returns {{valueSize: number, keys: number}[]} one for each size
 */
export const ownSizes = ({ chosen: { workload }, keys }, { workloads }) =>
  sizesOfWorkload(workload, workloads).map((valueSize) => ({
    valueSize,
    keys: Math.max(1, Math.min(keys, Math.floor(MOST_BYTES / valueSize))),
  }));

/** @param {Chosen} workload @param {Catalogue['workloads']} workloads */
const sizesOfWorkload = ({ id, parameter }, workloads) => workloads.get(id)?.sizes?.(parameter) ?? [];

/**
 * @param {Pick<Cell, 'chosen' | 'keys' | 'valueSize'>} cell
 * @param {Pick<Catalogue, 'workloads'>} catalogue
 * @returns {number} the length of its longest value
 */
export const longestValue = (cell, catalogue) =>
  Math.max(cell.valueSize, ...ownSizes(cell, catalogue).map(({ valueSize }) => valueSize));
