import { sameBut } from '../../axes/pairing.js';
import { roundsOf } from '../../axes/same-rounds.js';
import { metricNamed, samplesOf } from '../../metrics/metric-values.js';
import { contrastFamily } from '../statistics/contrasts.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { Finding, Sample } from '../types.js'
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
  const differs = differencesOf(pairs);
  return pairs.map(({ cell, alone }) => ({
    kind: 'beside-company',
    group: cell.group,
    cells: [cell.id, alone.id],
    cell: cell.id,
    alone: alone.id,
    with: figuresOf(cell),
    without: figuresOf(alone),
    differs: { p50Us: differs(cell, 'p50Us'), p99Us: differs(cell, 'p99Us') },
  }));
}

/**
 * @typedef {{cell: CellResult, alone: CellResult}} Pair
 *
 * @param {Pair[]} pairs
 * @returns {(cell: CellResult, metric: typeof METRICS[number]) => boolean | null} null where there are too few runs
 */
function differencesOf(pairs) {
  const keys = [...new Set(pairs.map(({ cell }) => roundsOf(cell)))];
  const blocks = keys.flatMap((key) =>
    METRICS.map((metric) => ({ metric, own: pairs.filter(({ cell }) => roundsOf(cell) === key) })),
  );
  const contrasts = contrastFamily(blocks.map(({ metric, own }) => blockOf(own, metric)));
  return (cell, metric) => {
    const block = blocks.findIndex(
      (each) => each.metric === metric && each.own.some((pair) => pair.cell === cell),
    );
    const pair = blocks[block].own.findIndex((each) => each.cell === cell);
    return contrasts[block].contrastOf(pair)?.differs ?? null;
  };
}

/** @param {Pair[]} pairs that were measured in the same rounds @param {typeof METRICS[number]} id */
function blockOf(pairs, id) {
  const metric = metricNamed(id);
  const cells = [...new Set(pairs.flatMap(({ cell, alone }) => [cell, alone]))];
  const samples = new Map(cells.map((cell) => [cell, samplesOf(cell.runs, metric)]));
  const sampleOf = (/** @type {CellResult} */ cell) => /** @type {Sample} */ (samples.get(cell));
  return {
    pairs: pairs.map(
      ({ cell, alone }) => /** @type {[Sample, Sample]} */ ([sampleOf(cell), sampleOf(alone)]),
    ),
    rounds: [...samples.values()],
  };
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
