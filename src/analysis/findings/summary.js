import { max, median, min } from 'simple-statistics';
import { medianInterval, variation } from '../statistics/interval.js';
import { latencyOf } from '../statistics/latency.js';
import { addAnswers } from './answers.js';
import { findBottleneck } from './bottleneck.js';
import { METRICS, samplesOf } from './metrics.js';
import { summarizeOpenLoop } from './open-loop-summary.js';

/**
 * @import { NodeCost, Run } from '../../results/types.js'
 * @import { MetricField, Summary } from '../types.js'
 * @import { Placed } from './bottleneck.js'
 */

/**
 * What the runs of one cell say together. The unit is the run: medians over the runs, and failed runs
 * are counted, not averaged. Latencies are those of all runs together.
 *
 * @param {Run[]} runs
 * @param {Placed} placement
 * @returns {Summary | null} null when no run succeeded
 */
export function summarize(runs, placement) {
  const good = runs.filter((run) => run.failed === null);
  if (good.length === 0) return null;
  /** @param {'averageMs' | 'spreadMs' | 'opsPerSecond'} field */
  const values = (field) => good.map((run) => Number(run[field]));
  const client = medians(good.map((run) => run.client));
  const server = { ...medians(good.map((run) => run.server)), nodes: nodeMedians(good) };
  const openLoop = summarizeOpenLoop(good.flatMap((run) => run.openLoop ?? []));
  return {
    runs: good.length,
    failedRuns: runs.length - good.length,
    averageMs: median(values('averageMs')),
    spreadMs: median(values('spreadMs')),
    opsPerSecond: median(values('opsPerSecond')),
    opsPerSecondLow: min(values('opsPerSecond')),
    opsPerSecondHigh: max(values('opsPerSecond')),
    intervals: intervalsOf(good),
    variation: variation(values('opsPerSecond')),
    latency: latencyOf(good.flatMap(({ latency }) => (latency ? [latency.hdr] : []))),
    answers: addAnswers(good.map(({ answers }) => answers)),
    batching: good.some((run) => run.batching) ? medians(good.map((run) => run.batching)) : null,
    openLoop,
    client,
    server,
    bottleneck: findBottleneck(client, server, { ...placement, waitingShare: openLoop?.waitingShare }),
  };
}

/**
 * @param {Run[]} runs
 * @returns {Summary['intervals']}
 */
const intervalsOf = (runs) =>
  /** @type {any} */ (
    Object.fromEntries(
      Object.keys(METRICS).map((field) => [
        field,
        medianInterval(samplesOf(runs, /** @type {MetricField} */ (field)).map(({ value }) => value)),
      ]),
    )
  );

/**
 * @param {Run[]} runs
 * @returns {NodeCost[] | null} the medians of each node of a cluster
 */
function nodeMedians(runs) {
  const all = runs.flatMap((run) => run.server?.nodes ?? []);
  const names = [...new Set(all.map(({ node }) => node))];
  if (names.length === 0) return null;
  return names.map((node) => {
    const { commands, cpuUtilization } = medians(all.filter((each) => each.node === node));
    return { node, commands, cpuUtilization };
  });
}

/**
 * @template {object} Figures
 * @param {(Figures | null)[]} all the same figures of several runs
 * @returns {Figures} the median of each, null where no run has it
 */
function medians(all) {
  const known = all.filter((figures) => figures !== null);
  return /** @type {Figures} */ (
    Object.fromEntries(
      Object.keys(known[0] ?? {}).map((name) => {
        const values = known
          .map((figures) => /** @type {Record<string, unknown>} */ (figures)[name])
          .filter((value) => typeof value === 'number');
        return [name, values.length > 0 ? median(values) : null];
      }),
    )
  );
}
