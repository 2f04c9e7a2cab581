import { sameBut } from '../../axes/pairing.js';
import { metricNamed, samplesOf } from '../../metrics/metric-values.js';
import { contrastPairs } from '../statistics/contrasts.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { Finding } from '../types.js'
 */

const METRICS = /** @type {const} */ (['p50Us', 'p99Us']);

/**
 * What company does to the measured operations: each cell that has some against the same cell alone, where both
 * were measured. The tests of all these pairs are one family.
 *
 * @param {CellResult[]} cells of all groups
 * @returns {Finding[]}
 */
export function besideCompany(cells) {
  const rest = sameBut(['beside'], cells);
  const pairs = cells
    .filter((cell) => !isAlone(cell) && hasLatency(cell))
    .flatMap((cell) => {
      const alone = cells.find((other) => isAlone(other) && hasLatency(other) && rest(other) === rest(cell));
      return alone ? [{ cell, alone }] : [];
    });
  const { contrastOf } = contrastPairs(
    pairs.flatMap(({ cell, alone }) =>
      METRICS.map((id) => {
        const metric = metricNamed(id);
        return [samplesOf(cell.runs, metric), samplesOf(alone.runs, metric)];
      }),
    ),
  );
  return pairs.map(({ cell, alone }, pair) => ({
    kind: 'beside-company',
    group: cell.group,
    cells: [cell.id, alone.id],
    cell: cell.id,
    alone: alone.id,
    with: figuresOf(cell),
    without: figuresOf(alone),
    differs: {
      p50Us: contrastOf(pair * METRICS.length)?.differs ?? null,
      p99Us: contrastOf(pair * METRICS.length + 1)?.differs ?? null,
    },
  }));
}

/** @param {CellResult} cell */
const isAlone = ({ beside }) => (beside ?? []).length === 0;

/** @param {CellResult} cell */
const hasLatency = ({ summary }) => summary?.latency != null && !summary.tooShort;

/** @param {CellResult} cell */
function figuresOf({ summary }) {
  const { p50Us = 0, p99Us = 0, maxUs = 0 } = summary?.latency ?? {};
  return { p50Us, p99Us, maxUs };
}
