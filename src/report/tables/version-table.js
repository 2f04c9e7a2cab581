import { nameCells } from '../../axes/cell-names.js';
import { metricsIn } from '../../metrics/metric-values.js';
import { textOf } from '../../metrics/text.js';
import { times } from '../words/figures.js';
import { ruledTable } from './ruled-table.js';

/**
 * @import { Contrast, VersionFigure, VersionSeries } from '../../analysis/types.js'
 * @import { CellResult } from '../../results/types.js'
 */

/** @returns {string[]} the titles of the columns beside the names */
export const versionTitles = () =>
  metricsIn('versions').flatMap(({ tables }) => [String(tables?.versions), 'to newest', 'to the one before']);

/**
 * The versions of a group in their order, each against the newest and against the one before.
 *
 * @param {CellResult[]} cells of one group
 * @param {VersionSeries[]} series
 * @returns {string} empty where there are none
 */
export const versionTable = (cells, series) =>
  series.length === 0
    ? ''
    : ruledTable(
        ['', ...versionTitles()],
        ['left', ...versionTitles().map(() => /** @type {const} */ ('right'))],
        versionRows(cells, series),
      );

/**
 * @param {CellResult[]} cells of one group
 * @param {VersionSeries[]} series
 * @returns {string[][]}
 */
export function versionRows(cells, series) {
  const names = nameCells(cells);
  return series.flatMap(({ entries }) =>
    entries.map((entry) => [
      names.get(entry.cell) ?? entry.cell,
      ...metricsIn('versions').flatMap((metric) => {
        const figure = /** @type {any} */ (entry)[metric.id];
        return [textOf(metric, figure.median), ...ratiosOf(figure)];
      }),
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
