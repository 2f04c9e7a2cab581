import { groupBy } from '../collections.js';
import { PARTS } from '../commands/figures.js';
import { max, mean, median, medianSorted, min, sum } from '../descriptive-statistics.js';
import { intervalOfSorted, variation } from '../statistics/interval.js';
import { latencyOf } from '../statistics/latency.js';
import { asIs, figureOfRun, hasInterval, METRICS, metricsOfRuns, samplesOfPass } from './metrics.js';
import { isDisturbed, waitsOf } from './slices.js';

/** @import { CellBreakdown } from '../commands/breakdown/types.js' */
/** @import { Bottleneck, ClientCost, Metric, NodeCost, OpenLoopSummary, Run, ServerCost, Summary } from './types.js' */

/**
 * Each metric says how a cell's figure is made from its runs. Failed runs are left out.
 * @param {Run[]} runs
 * @param {Placed & {leastMs?: number}} placement `leastMs`: shorter runs mean nothing
 * @returns {Summary | null} null if no run succeeded
 */
export function summarize(runs, placement) {
  const good = asIs(runs.filter((run) => run.failed === null));
  if (good.length === 0) return null;
  const rates = good.map((run) => Number(run.opsPerSecond));
  const { figures, parts, intervals } = figuresOf(good);
  const { client } = parts;
  const replicas = nodeMedians(good.flatMap((run) => run.server?.replicas ?? []));
  const server = {
    ...parts.server,
    ...(replicas !== null && { replicas }),
    nodes: nodeMedians(good.flatMap((run) => run.server?.nodes ?? [])),
  };
  const openLoop = summarizeOpenLoop(good, parts.openLoop);
  const isSliced = good.every(({ slices = [] }) => slices.length > 0);
  const isStarted = isSliced && new Set(good.map(({ start }) => start)).size > 1;
  const opsPerSecond = isStarted ? levelOf(good) : figures.opsPerSecond;
  const answers = good.flatMap((run) => run.answers ?? []);
  const said = (/** @type {'true' | 'false'} */ what) => sum(answers.map((each) => each[what]));
  const waits = waitsOf(good);
  return {
    runs: good.length,
    failedRuns: runs.filter((run) => run.failed !== null).length,
    ...figures,
    opsPerSecond,
    opsPerSecondLow: min(rates),
    opsPerSecondHigh: max(rates),
    // The interval of the median is none of a mean.
    intervals: isStarted ? { ...intervals, opsPerSecond: null } : intervals,
    tooShort: figures.elapsedMs < (placement.leastMs ?? 0),
    variation: variation(rates),
    latency: latencyOf(good.map(({ latency }) => latency?.hdr ?? null)),
    parts: summarizeParts(good, openLoop === null ? opsPerSecond : null),
    answers: answers.length === 0 ? null : { true: said('true'), false: said('false') },
    ...(good.some((run) => run.emitted) && { emitted: parts.emitted }),
    ...(good.some((run) => run.lookups) && { lookups: parts.lookups }),
    batching: good.some((run) => run.batching) ? parts.batching : null,
    openLoop,
    ...Object.fromEntries(
      Object.entries(PARTS).flatMap(([part, { isAlways }]) => {
        const isThere = good.some((run) => part in run);
        return isThere || isAlways ? [[part, isThere ? parts[part] : null]] : [];
      }),
    ),
    client,
    server,
    bottleneck: findBottleneck(client, server, {
      ...placement,
      opsPerSecond: figures.opsPerSecond,
      waitingShare: openLoop?.waitingShare,
      disturbed: isDisturbed(waits),
    }),
    waits,
  };
}

/** @param {Summary} summary @param {CellBreakdown} breakdown @returns {Summary} with the figures of a pass after the runs */
export function withPass(summary, breakdown) {
  const intervals = METRICS.flatMap(({ id, ofPass }) => {
    const values = ofPass ? samplesOfPass(ofPass, breakdown.slices).map(({ value }) => value) : [];
    return ofPass ? [[id, intervalOfSorted(Float64Array.from(values).sort())]] : [];
  });
  return { ...summary, breakdown, intervals: { ...summary.intervals, ...Object.fromEntries(intervals) } };
}

/**
 * The mean of its starts, as ratios within starts have it; each is the mean of its slices. A median, or the fastest slices,
 * would forgive garbage collection: `redis` spends a fifth of its time there.
 * @param {Run[]} runs
 */
function levelOf(runs) {
  const starts = groupBy(runs, ({ start }) => start);
  return Math.exp(mean(starts.map((own) => mean(own.map((run) => Math.log(Number(run.opsPerSecond)))))));
}

/** @type {Record<string, (sorted: any) => number>} */
const MERGES = { median: medianSorted, sum, max };

/**
 * @typedef {Pick<Summary, 'averageMs' | 'elapsedMs' | 'spreadMs' | 'opsPerSecond' | 'operations' | 'commands' | 'connections'>} Merged
 * @typedef {Pick<Summary, 'client' | 'server' | 'batching' | 'emitted' | 'lookups'> & {openLoop: OpenLoopFigures} & Record<string, unknown>} MergedParts
 * @typedef {Omit<OpenLoopSummary, 'held' | 'heldRuns' | 'latencyFromSend'>} OpenLoopFigures
 */

/**
 * Medians, sums or maxima over the runs.
 * @param {Run[]} runs
 * @returns {{figures: Merged, parts: MergedParts, intervals: Summary['intervals']}}
 */
function figuresOf(runs) {
  /** @type {any} */
  const [figures, parts, intervals] = [{}, {}, {}];
  for (const [metric, values] of columnsOf(runs)) {
    const sorted = values.sort();
    if (hasInterval(metric)) intervals[metric.id] = intervalOfSorted(sorted);
    if (metric.fromRuns === null || metric.fromRuns === 'histogram') continue;
    if (metric.in !== undefined) parts[metric.in] ??= {};
    const place = metric.in === undefined ? figures : parts[metric.in];
    place[metric.name] = sorted.length > 0 ? MERGES[metric.fromRuns](sorted) : null;
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
  return groupBy(all, ({ node }) => node).map((own) => ({
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

/**
 * @param {Run[]} runs @param {number | null} opsPerSecond of the cell, which its parts add up to; null where a rate is given
 */
function summarizeParts(runs, opsPerSecond) {
  const parts = runs.flatMap((run) => run.parts ?? []);
  const operations = sum(runs.map((run) => run.operations));
  return groupBy(parts, ({ name }) => name).map((own) => ({
    name: own[0].name,
    count: sum(own.map(({ count }) => count)),
    perSecond:
      opsPerSecond === null || operations === 0
        ? median(own.map(({ perSecond }) => perSecond))
        : (sum(own.map(({ count }) => count)) / operations) * opsPerSecond,
    latency: latencyOf(own.map(({ latency }) => latency?.hdr ?? null)),
  }));
}

/** `held` follows most runs, and so does the p99, the median of their own. @param {Run[]} good @param {OpenLoopFigures} figures */
function summarizeOpenLoop(good, figures) {
  const runs = good.flatMap((run) => run.openLoop ?? []);
  if (runs.length === 0) return null;
  const heldRuns = runs.filter(({ held }) => held).length;
  return {
    held: heldRuns > runs.length / 2,
    heldRuns,
    ...figures,
    latencyFromSend: latencyOf(runs.flatMap(({ latencyFromSend }) => latencyFromSend?.hdr ?? [])),
  };
}

/** A side that is busy for three quarters of the time: without any other cost, its cell would be at most a third faster. */
export const BUSY = 0.75;

/** On a shared processor the remaining tenth goes into context switches. */
const SHARED_CORE_BUSY = 0.9;

/** If all threads of a server take this much more than its main one, the others work too. */
const MORE_THREADS = 1.25;

/** Processes that share a processor keep each other waiting above this load. */
const CROWDED_BUSY = 0.25;

/**
 * What limited a cell: the client's event loop, the application's work in it, the server's main thread, the round trips
 * if all had time to spare, or the CPU that other programs used. @param {ClientCost} client @param {ServerCost} server
 * @param {Placed} placed @returns {Bottleneck}
 *
 * @typedef {object} Placed
 * @property {boolean} sharedCore whether client and server were pinned to the same processor
 * @property {number | null} [serverCpus] how many the server was pinned to; null if it was not pinned
 * @property {number} [clientCpus] how many the client's processes could use
 * @property {boolean} [crowded] whether those were fewer than the processes
 * @property {number} [opsPerSecond]
 * @property {boolean} [disturbed] whether other programs used its processors for much of the time
 * @property {number} [waitingShare] of the time, in which the event loop only looked at the clock
 */
export function findBottleneck(client, server, placed) {
  const { sharedCore, serverCpus = null, clientCpus = 1, crowded } = placed;
  const { opsPerSecond = 0, waitingShare = 0, disturbed } = placed;
  const appBusy = Math.min(1, ((client.appWorkUsPerOp ?? 0) * opsPerSecond) / 1e6 / clientCpus);
  // Garbage collection uses CPU outside of the event loop, so the client is as busy as the larger of the two. But a
  // loop that waits for CPU counts as busy too: next to other programs only the CPU counts.
  const cpu = (client.cpuUtilization ?? 0) / clientCpus + appBusy;
  const workerBusy = disturbed
    ? Math.min(1, cpu) * (1 - waitingShare)
    : Math.min(1, Math.max(client.eventLoopUtilization, cpu)) - waitingShare;
  const clientBusy = Math.max(0, workerBusy - appBusy);
  const serverBusy = busyOf(server, sharedCore ? 1 : serverCpus);
  const serverThreads = threadsAtWork(server);
  const limit = limitOf(client, { clientBusy, appBusy, serverBusy, sharedCore });
  const waited = disturbed || (crowded && workerBusy >= CROWDED_BUSY);
  // Server threads that wait for each other leave the main thread idle, but that is no round trip.
  const idle = serverThreads !== null ? null : waited ? 'processor' : 'round-trips';
  return {
    limit: limit === 'round-trips' ? idle : limit,
    clientBusy,
    appBusy: client.appWorkUsPerOp == null ? null : appBusy,
    serverBusy,
    ...(serverThreads === null ? {} : { serverThreads }),
    clientCpu: sharedCore ? client.cpuUtilization : null,
    sharedCore,
  };
}

/** The busiest node, or the processors that all nodes share. @param {ServerCost} server @param {number | null} cpus */
function busyOf({ cpuUtilization, busiestNodeUtilization }, cpus) {
  if (cpuUtilization === null || busiestNodeUtilization === null) return null;
  return Math.min(1, Math.max(busiestNodeUtilization, cpus === null ? 0 : cpuUtilization / cpus));
}

/** Processors that all threads used; null if the main thread did the work. @param {ServerCost} server */
function threadsAtWork({ cpuUtilization, cpuUsPerCommand, allThreadsCpuUsPerCommand }) {
  if (!cpuUtilization || !cpuUsPerCommand || !allThreadsCpuUsPerCommand) return null;
  const times = allThreadsCpuUsPerCommand / cpuUsPerCommand;
  return times > MORE_THREADS ? cpuUtilization * times : null;
}

/**
 * @param {ClientCost} client @param {{clientBusy: number, appBusy: number, serverBusy: number | null, sharedCore: boolean}} busy
 * @returns {Exclude<Bottleneck['limit'], 'processor'>}
 */
function limitOf({ cpuUtilization }, { clientBusy, appBusy, serverBusy, sharedCore }) {
  const workerBusy = clientBusy + appBusy;
  const inWorker = appBusy > clientBusy ? 'application' : 'client';
  if (sharedCore && serverBusy !== null && cpuUtilization !== null) {
    const workerCpu = cpuUtilization + appBusy;
    // An event loop that is hardly ever idle does not wait for replies: something else used the processor.
    if (workerCpu + serverBusy < SHARED_CORE_BUSY) return workerBusy < BUSY ? 'round-trips' : null;
    if (workerCpu < serverBusy) return 'server';
    return appBusy > cpuUtilization ? 'application' : 'client';
  }
  if (workerBusy >= BUSY && workerBusy >= (serverBusy ?? 0)) return inWorker;
  if (serverBusy !== null && serverBusy >= BUSY) return 'server';
  // A server that does not report its CPU may be the limit.
  return serverBusy === null ? null : 'round-trips';
}
