/**
 * @import { CellResult } from '../../results/types.js'
 * @import { Finding } from '../types.js'
 * @import { LatencyContrasts } from './latency-contrasts.js'
 */

/**
 * What company does to the measured operations: each cell that has some against the same cell alone, where both
 * were measured.
 *
 * @param {LatencyContrasts} contrasts
 * @returns {Finding[]}
 */
export const besideCompany = ({ company, between }) =>
  company.map(([cell, alone]) => {
    const [p50Us, p99Us] = [between('p50Us', cell, alone), between('p99Us', cell, alone)];
    return {
      kind: 'beside-company',
      group: cell.group,
      cells: [cell.id, alone.id],
      cell: cell.id,
      alone: alone.id,
      with: figuresOf(cell),
      without: figuresOf(alone),
      differs: { p50Us: p50Us.shown, p99Us: p99Us.shown },
      inEveryRun: { p50Us: p50Us.inEveryRun, p99Us: p99Us.inEveryRun },
      runs: p99Us.runs,
      enoughRuns: { p50Us: p50Us.enoughRuns, p99Us: p99Us.enoughRuns },
    };
  });

/** @param {CellResult} cell */
function figuresOf({ summary }) {
  const { p50Us = 0, p99Us = 0, maxUs = 0 } = summary?.latency ?? {};
  // The p99 of an open loop is that of its median run, as in its table and in all that is said of the rate.
  return { p50Us, p99Us: summary?.openLoop?.p99Us ?? p99Us, maxUs };
}
