import { roundsOf, sameBut } from '../../axes/ids.js';
import { metricNamed, samplesOf } from '../../metrics/metric-values.js';
import { contrastFamily, everyPair } from '../statistics/contrasts.js';
import { apartInEveryRun, enoughRuns } from '../statistics/enough-runs.js';

/**
 * @import { CellResult } from '../../results/types.js'
 * @import { LatencyDifference, Sample } from '../types.js'
 */

/** Of a run; an open loop counts from the planned start. */
const METRICS = /** @type {const} */ (['p50Us', 'p99Us']);

/**
 * @typedef {typeof METRICS[number]} LatencyMetric
 * @typedef {[CellResult, CellResult]} Pair
 *
 * @typedef {object} LatencyContrasts
 * @property {Pair[]} company cells with company, and each of them alone
 * @property {CellResult[][]} rivals cells that held the same rate under the same conditions
 * @property {(metric: LatencyMetric, cell: CellResult, other: CellResult) => LatencyDifference} between
 */

/**
 * All latencies that a report holds against each other, as one family: those with company against those without,
 * and in an open loop, where the rate is given, the p99 of each choice against that of the others.
 *
 * @param {CellResult[]} cells of all groups
 * @returns {LatencyContrasts}
 */
export function latencyContrasts(cells) {
  const company = withAndWithout(cells);
  const rivals = rivalsIn(cells);
  const asked = [
    ...company.flatMap((pair) => METRICS.map((metric) => ({ metric, pair }))),
    ...rivals.flatMap((members) =>
      everyPair(members).map((pair) => ({ metric: /** @type {LatencyMetric} */ ('p99Us'), pair })),
    ),
  ];
  return { company, rivals, between: differencesOf(asked) };
}

/**
 * @param {{metric: LatencyMetric, pair: Pair}[]} asked
 * @returns {LatencyContrasts['between']}
 */
function differencesOf(asked) {
  const sampleOf = sampler();
  const keyOf = (/** @type {typeof asked[number]} */ { metric, pair }) => `${metric} ${roundsOf(pair[0])}`;
  const blocks = [...new Set(asked.map(keyOf))].map((key) => asked.filter((each) => keyOf(each) === key));
  const contrasts = contrastFamily(
    blocks.map((own) => ({
      pairs: own.map(
        ({ metric, pair }) => /** @type {[Sample, Sample]} */ (pair.map((cell) => sampleOf(cell, metric))),
      ),
      rounds: [...new Set(own.flatMap(({ metric, pair }) => pair.map((cell) => sampleOf(cell, metric))))],
    })),
  );
  const isOf =
    (/** @type {LatencyMetric} */ metric, /** @type {CellResult[]} */ cells) =>
    (/** @type {typeof asked[number]} */ each) =>
      each.metric === metric && cells.every((cell) => each.pair.includes(cell));
  return (metric, ...cells) => {
    const block = blocks.findIndex((own) => own.some(isOf(metric, cells)));
    const { contrastOf, tested } = contrasts[block];
    const [a, b] = cells.map((cell) => sampleOf(cell, metric));
    const shown = contrastOf(blocks[block].findIndex(isOf(metric, cells)))?.differs ?? null;
    const inEveryRun = apartInEveryRun(a, b);
    return {
      shown,
      inEveryRun,
      runs: Math.min(a.length, b.length),
      enoughRuns: shown === false && inEveryRun ? enoughRuns(a, b, tested.comparisons) : null,
    };
  };
}

/** @returns {(cell: CellResult, metric: LatencyMetric) => Sample} always the same sample for a cell */
function sampler() {
  /** @type {Map<CellResult, Record<LatencyMetric, Sample>>} */
  const known = new Map();
  return (cell, metric) => {
    const own = known.get(cell) ?? {
      p50Us: samplesOf(cell.runs, metricNamed('p50Us')),
      p99Us: samplesOf(cell.runs, metricNamed('p99Us')),
    };
    known.set(cell, own);
    return own[metric];
  };
}

/** @param {CellResult[]} cells @returns {Pair[]} */
function withAndWithout(cells) {
  const rest = sameBut(['beside'], cells);
  return cells
    .filter((cell) => !isAlone(cell) && hasLatency(cell))
    .flatMap((cell) => {
      const alone = cells.find((other) => isAlone(other) && hasLatency(other) && rest(other) === rest(cell));
      return alone ? [/** @type {Pair} */ ([cell, alone])] : [];
    });
}

/**
 * @param {CellResult[]} cells
 * @returns {CellResult[][]} by group those that held the rate that all were given, the lowest p99 first; at a rate that
 *   was not held a latency says mostly how long the run was
 */
function rivalsIn(cells) {
  const held = cells.filter(
    (cell) =>
      cell.fault === undefined && !cell.openLoop?.search && cell.summary?.openLoop?.held && hasLatency(cell),
  );
  const p99Of = (/** @type {CellResult} */ { summary }) => Number(summary?.openLoop?.p99Us);
  return [...new Set(held.map(({ group }) => group))]
    .map((name) => held.filter(({ group }) => group === name))
    .filter((members) => members.length > 1)
    .map((members) => members.toSorted((a, b) => p99Of(a) - p99Of(b)));
}

/** @param {CellResult} cell */
const isAlone = ({ beside }) => (beside ?? []).length === 0;

/** @param {CellResult} cell */
const hasLatency = ({ summary }) => summary?.latency != null && !summary.tooShort;
