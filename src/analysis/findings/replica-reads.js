import { metricNamed, samplesOf } from '../../metrics/metric-values.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { Finding } from '../types.js'
 */

/**
 * What became of the reads of cells whose clients were told to read from replicas.
 *
 * @param {CellResult[]} cells
 * @returns {Finding[]} none where no such cell was measured
 */
export function replicaReads(cells) {
  const reading = cells.filter(({ readFrom, summary }) => readFrom === 'replica' && summary !== null);
  const runs = reading.flatMap((cell) => cell.runs.filter(({ failed }) => failed === null));
  const counts = runs.flatMap(({ staleReads }) => staleReads ?? []);
  if (counts.length === 0) return [];
  const shares = samplesOf(runs, metricNamed('replicaReadShare')).map(({ value }) => value);
  const add = (/** @type {'reads' | 'stale'} */ name) => counts.reduce((sum, each) => sum + each[name], 0);
  return [
    {
      kind: 'replica-reads',
      group: null,
      cells: reading.map(({ id }) => id),
      reads: add('reads'),
      stale: add('stale'),
      behind: Math.max(...counts.map(({ behind }) => behind)),
      lowShare: shares.length > 0 ? Math.min(...shares) : null,
      highShare: shares.length > 0 ? Math.max(...shares) : null,
      wrote: runs.some(({ commands, staleReads }) => commands > Number(staleReads?.reads)),
    },
  ];
}
