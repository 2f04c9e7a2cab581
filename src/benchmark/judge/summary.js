import { max, mean, median, medianSorted, min, sum } from 'simple-statistics';
import { alike } from '../../core/alike.js';
import { intervalOfSorted, variation } from '../../core/statistics/interval.js';
import { latencyOf } from '../../core/statistics/latency.js';
import { asIs, figureOfRun, hasInterval, metricsOfRuns } from '../../core/store/metrics/metric-values.js';
import { findBottleneck } from './bottleneck.js';
import { isDisturbed, waitsOf } from './waits.js';
import { startsOf } from './warm-runs.js';

/** @import { Metric } from '../../core/store/metrics/types.js' */
/** @import { NodeCost, Run, RunPart } from '../../core/store/types.js' */
/** @import { Interval, OpenLoopSummary, Summary } from './types.js' */
/** @import { Placed } from './bottleneck.js' */

/**
 * Each metric says how a cell's figure is made from its runs. Failed runs are left out.
 * @param {Run[]} runs @param {Placed & {leastMs?: number}} placement `leastMs`: shorter runs mean nothing
 * @returns {Summary | null} null if no run succeeded
 */
export function summarize(runs, placement) {
  const good = asIs(runs.filter((run) => run.failed === null));
  if (good.length === 0) return null;
  const rates = good.map((run) => Number(run.opsPerSecond));
  const { figures, parts, intervals } = figuresOf(good);
  /** @type {Summary['client']} */
  const client = /** @type {any} */ (parts.client);
  const replicas = nodeMedians(good.flatMap((run) => run.server?.replicas ?? []));
  /** @type {Summary['server']} */
  const server = /** @type {any} */ ({
    ...parts.server,
    ...(replicas !== null && { replicas }),
    nodes: nodeMedians(good.flatMap((run) => run.server?.nodes ?? [])),
  });
  const openLoop = summarizeOpenLoop(good, parts.openLoop);
  const isSliced = good.every(({ slices = [] }) => slices.length > 0);
  const answers = good.flatMap((run) => run.answers ?? []);
  const said = (/** @type {'true' | 'false'} */ what) => sum(answers.map((each) => each[what]));
  const waits = waitsOf(good);
  return /** @type {Summary} */ ({
    runs: good.length,
    failedRuns: runs.filter((run) => run.failed !== null).length,
    ...figures,
    ...(isSliced && startsOf(good).length > 1 && { opsPerSecond: levelOf(good) }),
    opsPerSecondLow: min(rates),
    opsPerSecondHigh: max(rates),
    intervals,
    tooShort: Number(figures.elapsedMs) < (placement.leastMs ?? 0),
    variation: variation(rates),
    latency: latencyOf(good.map(({ latency }) => latency?.hdr ?? null)),
    parts: summarizeParts(good),
    answers: answers.length === 0 ? null : { true: said('true'), false: said('false') },
    batching: good.some((run) => run.batching) ? parts.batching : null,
    openLoop,
    fault: good.some(({ fault }) => fault !== undefined) ? parts.fault : null,
    ...(good.some(({ cold }) => cold !== undefined) && { cold: parts.cold }),
    client,
    server,
    bottleneck: findBottleneck(client, server, {
      ...placement,
      opsPerSecond: Number(figures.opsPerSecond),
      waitingShare: openLoop?.waitingShare,
      disturbed: isDisturbed(waits),
    }),
    waits,
  });
}

/**
 * The mean of its starts, as ratios within starts have it; each is the mean of its slices. A median, or the fastest slices,
 * would forgive garbage collection: `redis` spends a fifth of its time there.
 * @param {Run[]} runs
 */
function levelOf(runs) {
  const starts = alike(runs, ({ start }) => start);
  return Math.exp(mean(starts.map((own) => mean(own.map((run) => Math.log(Number(run.opsPerSecond)))))));
}

/** @type {Record<string, (sorted: Float64Array) => number>} */
const MERGES = {
  median: (sorted) => medianSorted(/** @type {any} */ (sorted)),
  sum: (sorted) => sum(/** @type {any} */ (sorted)),
  max: (sorted) => sorted[sorted.length - 1],
};

/**
 * @typedef {Record<string, number | null>} Medians
 * @param {Run[]} runs
 * @returns {{figures: Medians, parts: Record<string, Medians>, intervals: Record<string, Interval | null>}}
 */
function figuresOf(runs) {
  /** @type {ReturnType<typeof figuresOf>} */
  const { figures, parts, intervals } = { figures: {}, parts: {}, intervals: {} };
  for (const [metric, values] of columnsOf(runs)) {
    const sorted = values.sort();
    if (hasInterval(metric)) intervals[metric.id] = intervalOfSorted(sorted);
    if (metric.fromRuns === null || metric.fromRuns === 'histogram') continue;
    if (metric.in !== undefined) parts[metric.in] ??= {};
    const place = metric.in === undefined ? figures : parts[metric.in];
    place[metric.name ?? metric.id] = sorted.length > 0 ? MERGES[metric.fromRuns](sorted) : null;
  }
  return { figures, parts, intervals };
}

/** Visits each run once: 100,000 runs are spread over memory. @param {Run[]} runs @returns {[Metric, Float64Array][]} */
function columnsOf(runs) {
  const metrics = metricsOfRuns();
  const columns = metrics.map(() => new Float64Array(runs.length));
  const counts = metrics.map(() => 0);
  for (const run of runs) {
    for (const [index, metric] of metrics.entries()) {
      const value = figureOfRun(metric, run);
      if (value != null) columns[index][counts[index]++] = value;
    }
  }
  return metrics.map((metric, index) => [metric, columns[index].subarray(0, counts[index])]);
}

/** @param {NodeCost[]} all of all runs @returns {NodeCost[] | null} */
function nodeMedians(all) {
  if (all.length === 0) return null;
  return alike(all, ({ node }) => node).map((own) => ({
    node: own[0].node,
    commands: medianOfKnown(own.map(({ commands }) => commands)),
    cpuUtilization: medianOfKnown(own.map(({ cpuUtilization }) => cpuUtilization)),
  }));
}

/** @param {(number | null)[]} values */
function medianOfKnown(values) {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? median(known) : null;
}

/** @param {Run[]} runs @returns {RunPart[]} */
function summarizeParts(runs) {
  const parts = runs.flatMap((run) => run.parts ?? []);
  return alike(parts, ({ name }) => name).map((own) => ({
    name: own[0].name,
    count: sum(own.map(({ count }) => count)),
    perSecond: median(own.map(({ perSecond }) => perSecond)),
    latency: latencyOf(own.map(({ latency }) => latency?.hdr ?? null)),
  }));
}

/** @param {Run[]} good @param {Record<string, number | null>} figures of an open loop @returns {OpenLoopSummary | null} */
function summarizeOpenLoop(good, figures) {
  const runs = good.flatMap((run) => run.openLoop ?? []);
  if (runs.length === 0) return null;
  const heldRuns = runs.filter(({ held }) => held).length;
  return /** @type {OpenLoopSummary} */ ({
    held: heldRuns > runs.length / 2,
    heldRuns,
    ...figures,
    latencyFromSend: latencyOf(runs.flatMap(({ latencyFromSend }) => latencyFromSend?.hdr ?? [])),
  });
}
