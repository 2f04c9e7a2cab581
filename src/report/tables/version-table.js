import { nameCells } from '../../axes/names.js';
import { micro, times, whole } from '../words/figures.js';
import { ruledTable } from './ruled-table.js';

/**
 * @import { Contrast, VersionFigure, VersionSeries } from '../../analysis/types.js'
 * @import { CellResult } from '../../results/types.js'
 */

export const VERSION_TITLES = [
  'ops/s',
  'to newest',
  'to the one before',
  'client/op',
  'to newest',
  'to the one before',
];
const ALIGN = /** @type {const} */ (['left', 'right', 'right', 'right', 'right', 'right', 'right']);

/**
 * The versions of a group in their order, each against the newest and against the one before.
 *
 * @param {CellResult[]} cells of one group
 * @param {VersionSeries[]} series
 * @returns {string} empty where there are none
 */
export const versionTable = (cells, series) =>
  series.length === 0 ? '' : ruledTable(['', ...VERSION_TITLES], [...ALIGN], versionRows(cells, series));

/**
 * @param {CellResult[]} cells of one group
 * @param {VersionSeries[]} series
 * @returns {string[][]}
 */
export function versionRows(cells, series) {
  const names = nameCells(cells);
  return series.flatMap(({ entries }) =>
    entries.map(({ cell, opsPerSecond, cpuUsPerOp }) => [
      names.get(cell) ?? cell,
      whole(opsPerSecond.median),
      ...ratiosOf(opsPerSecond),
      micro(cpuUsPerOp.median),
      ...ratiosOf(cpuUsPerOp),
    ]),
  );
}

/** @param {VersionFigure} figure */
const ratiosOf = ({ toNewest, toPrevious }) => [ratioOf(toNewest), ratioOf(toPrevious)];

/** @param {Contrast | null} contrast */
function ratioOf(contrast) {
  if (contrast === null) return '';
  return contrast.differs ? times(contrast.ratio) : '~';
}
