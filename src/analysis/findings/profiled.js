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
    return costs === null || costs.offBy === null ? [] : [{ cell: cell.id, share: costs.offBy }];
  });
  if (offBy.length === 0) return [];
  return [{ kind: 'profiled', group: null, cells: offBy.map(({ cell }) => cell), offBy }];
}
