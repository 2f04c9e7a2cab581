import { codeCosts } from './code-costs.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { Finding } from '../types.js'
 */

/**
 * @param {CellResult[]} cells
 * @returns {Finding[]} how far the profiled runs of those that have one were off
 */
export function profiledOf(cells) {
  const offBy = cells.flatMap((cell) => {
    const costs = codeCosts(cell);
    if (costs === null || costs.offBy === null) return [];
    const { offBy: share } = costs;
    return [{ cell: cell.id, share, beyondRuns: beyondRuns(cell, share) }];
  });
  if (offBy.length === 0) return [];
  return [{ kind: 'profiled', group: null, cells: offBy.map(({ cell }) => cell), offBy }];
}

/**
 * How far a profiled run was off the nearest of the timed ones, which differ among themselves.
 *
 * @param {CellResult} cell
 * @param {number} share how far it was off their median
 * @returns {number} 0 where it lies among them
 */
function beyondRuns({ runs, summary }, share) {
  const median = Number(summary?.client.cpuUsPerOp);
  const ratios = runs.flatMap(({ failed, client }) =>
    failed === null && client !== null ? [Number(client.cpuUsPerOp) / median] : [],
  );
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  if (1 + share > most) return (1 + share) / most - 1;
  return 1 + share < least ? (1 + share) / least - 1 : 0;
}
