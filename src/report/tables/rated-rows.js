import { haveFault } from '../../analysis/findings/fault-ranking.js';
import { faultNote, faultRows } from './fault-rows.js';
import { OPEN_LOOP_NOTE, openLoopRows } from './open-loop-rows.js';

/**
 * @import { Comparison } from '../../analysis/types.js'
 * @import { CellResult } from '../../results/types.js'
 */

/**
 * The table of cells that ran at a given rate: how they kept to it, or how they came through while something broke.
 *
 * @param {CellResult[]} cells of one group
 * @param {Comparison} comparison
 */
export const ratedRows = (cells, comparison) =>
  (haveFault(cells) ? faultRows : openLoopRows)(cells, comparison);

/**
 * @param {CellResult[]} cells
 * @returns {string[]} what the columns of those tables mean, each once
 */
export function ratedNotes(cells) {
  const rated = cells.filter(({ openLoop }) => openLoop !== null);
  const broken = rated.filter((cell) => haveFault([cell]));
  return [
    ...(broken.length > 0 ? [faultNote(broken)] : []),
    ...(broken.length < rated.length ? [OPEN_LOOP_NOTE] : []),
  ];
}
