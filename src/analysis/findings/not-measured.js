import { axesOf } from '../../axes/list.js';

/** @import { CellResult, Report } from '../../results/types.js' */

/**
 * What the advice says nothing about: all that was not varied, and what gave no result.
 *
 * @param {CellResult[]} cells
 * @param {Pick<Report['settings'], 'smoke' | 'value'>} settings
 * @param {boolean} partial
 * @returns {string}
 */
export function limitsText(cells, settings, partial) {
  const only = axesOf(cells).flatMap(({ notMeasured }) => {
    if (!notMeasured) return [];
    const values = [...new Set(cells.map((cell) => notMeasured.other(cell, settings)))];
    return values.length === 1 ? [`${notMeasured.what} other than ${values[0]}`] : [];
  });
  const skipped = cells.filter((cell) => cell.skipped !== null).length;
  const failed = cells.filter((cell) => cell.skipped === null && cell.summary === null).length;
  const missing = [...only, 'other machines'];
  const gaps = [
    ...(skipped > 0 ? [`${skipped} of ${cells.length} cells were skipped`] : []),
    ...(failed > 0 ? [`${failed} of ${cells.length} gave no result`] : []),
    ...(partial ? ['the benchmark ended early'] : []),
  ];
  return `Not measured: ${missing.join(', ')}${gaps.length > 0 ? `; ${gaps.join(', ')}` : ''}.`;
}
