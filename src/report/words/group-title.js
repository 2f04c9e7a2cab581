import { axesOf } from '../../axes/all-axes.js';
import { duration } from '../../axes/number-words.js';

/** @import { CellResult, Report } from '../../results/types.js' */

/**
 * What all cells of a group have in common.
 *
 * @param {CellResult[]} cells
 * @param {Report} report
 */
export function groupTitle([cell], { settings }) {
  const axes = axesOf([cell]);
  const conditions = [...axes.filter((axis) => !axis.titledLast), ...axes.filter((axis) => axis.titledLast)];
  return [
    ...conditions.map(({ title }) => title?.(cell, settings) ?? ''),
    settings.durationMs === null ? '' : `${duration(settings.durationMs * 1000)} a run`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
