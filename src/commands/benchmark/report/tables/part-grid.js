import { nameCells } from '../../../../axes/cell-names.js';
import { perSecond, whole } from '../../../../report/figures.js';
import { titled } from '../../../../report/grid.js';
import { latencyText, metricNamed } from '../../../../store/metrics.js';

/** @import { Grid } from '../../../../report/types.js' */
/** @import { CellResult } from '../../../../store/types.js' */

/** @type {('p50Us' | 'p99Us' | 'p999Us' | 'maxUs')[]} */
const LATENCIES = ['p50Us', 'p99Us', 'p999Us', 'maxUs'];

/** @param {CellResult[]} cells of one group @returns {Grid | undefined} */
export function partGrid(cells) {
  const names = nameCells(cells);
  const rows = cells
    .toSorted((a, b) => (b.summary?.opsPerSecond ?? 0) - (a.summary?.opsPerSecond ?? 0))
    // A short run need not come to every command of a recording.
    .flatMap(({ id, summary }) => (summary?.parts ?? []).map((part) => ({ ...part, of: names.get(id) })))
    .filter(({ count }) => count > 0)
    .map(({ of, name, count, perSecond: rate, latency }) => ({
      name: `${of}: ${name}`,
      // Latencies may be microseconds or seconds: no unit fits them all.
      texts: [whole(count), perSecond(rate), ...LATENCIES.map((id) => latencyText(id, latency))],
    }));
  if (rows.length === 0) return undefined;
  const columns = titled(['count', '/s', ...LATENCIES.map((id) => metricNamed(id).title)]);
  return { note: 'Each command apart: the latencies of all runs together', columns, rows };
}
