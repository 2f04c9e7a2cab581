import { foundIn } from './about.js';
import { codeCosts } from './code-costs.js';

/** @import { CellResult, Run } from '../../results/types.js' */
/** @import { Finding } from '../types.js' */

/** So many functions and system calls of a server are named. */
const MOST_NAMED = 5;

/**
 * @param {CellResult[]} cells
 * @returns {Finding[]} how far the profiled runs of those that have one were off, and where servers spend their time
 */
export function profiledOf(cells) {
  const costs = cells.flatMap((cell) => {
    const found = codeCosts(cell, 'server');
    if (found === null) return [];
    const { perOp, kinds, modules } = found;
    return { cell: cell.id, perOp, kinds, modules: modules.slice(0, MOST_NAMED) };
  });
  return [
    ...offBy(
      cells,
      'cpu',
      ({ client }) => client && Number(client.cpuUsPerOp) + (client.appWorkUsPerOp ?? 0),
    ),
    ...offBy(cells, 'server', ({ server }) => server?.cpuUsPerCommand),
    ...foundIn(costs, { kind: 'server-code', costs }),
  ];
}

/**
 * @param {CellResult[]} cells @param {'cpu' | 'server'} kind
 * @param {(run: Run) => number | null | undefined} costOf @returns {Finding[]}
 */
function offBy(cells, kind, costOf) {
  const found = cells.flatMap((cell) => {
    const costs = codeCosts(cell, kind);
    if (costs === null || costs.offBy === null) return [];
    const timed = cell.runs.flatMap((run) => (run.failed === null ? (costOf(run) ?? []) : []));
    const share = costs.offBy;
    return [{ cell: cell.id, share, beyondRuns: beyondRuns(timed, costs.perOp, share) }];
  });
  return foundIn(found, { kind: 'profiled', ...(kind === 'server' && { server: true }), offBy: found });
}

/**
 * How far a profiled run was off the nearest of the timed ones, which differ among themselves.
 * @param {number[]} timed @param {number} median
 * @param {number} share how far it was off their median
 * @returns {number} 0 where it lies among them
 */
function beyondRuns(timed, median, share) {
  const [least, most] = [Math.min(...timed) / median, Math.max(...timed) / median];
  if (1 + share > most) return (1 + share) / most - 1;
  return 1 + share < least ? (1 + share) / least - 1 : 0;
}
