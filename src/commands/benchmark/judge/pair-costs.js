import { groupBy } from '../../../collections.js';
import { mean, sum } from '../../../descriptive-statistics.js';
import { contrastFamily } from '../../../statistics/contrasts.js';
import { asIs, samplesBy } from '../../../store/metrics.js';
import { slicesOf } from '../../../store/slices.js';

/** @import { Contrast } from '../../../statistics/contrasts.js' */
/** @import { CellResult, Figures, Run } from '../../../store/types.js' */
/** @import { ContrastedGroup, MeasuredCell } from './compare-group.js' */

/** @typedef {{cell: MeasuredCell, than: MeasuredCell}} Pair a slower cell, and a faster one */
/**
 * @typedef {object} Judged
 * @property {ContrastedGroup} group
 * @property {Partial<Record<Tested, Contrast>>} carried the significant differences
 * @property {number} timesSlower
 * @property {{cell: Time, than: Time}} time of an operation, in µs
 * @property {Time} more by how much each part of it is longer
 * @property {number} moreUs how much longer an operation takes
 */
/** @typedef {Pair & Judged} JudgedPair */

/** Smaller ratios are not worth a sentence. */
export const NOTABLE = 1.25;

/** What a slower cell may cost more; their ratios are tested. @satisfies {Record<string, Cost>} */
const COSTS = {
  clientCpu: ({ client }) => client?.cpuUsPerOp,
  serverCpu: ({ server }) => server?.cpuUsPerCommand,
  serverThreads: ({ server }) => server?.allThreadsCpuUsPerCommand,
  batching: ({ server }) => server?.commandsPerRead,
  encoding: ({ client }) => client?.encodeUsPerOp,
  // Ways to code a request differ in how often they wait for the server.
  roundTrips: ({ latency }, cell) =>
    latency && cell.way !== undefined && roundTripUsOf(cell) > 0 ? latency.p50Us / roundTripUsOf(cell) : null,
};

/** @typedef {(figures: Figures, cell: MeasuredCell) => number | null | undefined} Cost */
/** @typedef {keyof typeof COSTS | 'garbage' | 'waiting'} Tested */

/** @param {CellResult} cell */
export const roundTripUsOf = ({ roundTripUs = 0, distance }) => roundTripUs + (distance?.rttMs ?? 0) * 1000;

/** Figures that a test has compared. @type {(name: keyof typeof COSTS, pair: Pair) => number[]} */
export const costsOf = (name, { cell, than }) =>
  [cell, than].map((side) => Number(COSTS[name](side.summary, side)));

/**
 * What the slower cells of a group cost more than the faster ones: all costs of all pairs are one family.
 * @param {Pair[]} pairs all with the same faster cell @param {ContrastedGroup} group @returns {JudgedPair[]}
 */
export function judgePairs(pairs, group) {
  if (pairs.length === 0) return [];
  const than = meanTime(pairs[0].than);
  /**
   * A part may be 0, which has no ratio: on top of what an operation of the faster cell takes, its ratio is how many times slower it
   * makes that.
   * @type {(part: Part) => (run: Run, cell: MeasuredCell) => number | null}
   */
  const added = (part) => (run, cell) => {
    const time = timeOf(run, cell);
    return time && than.all + time[part];
  };
  /** @type {Record<Tested, (run: Run, cell: MeasuredCell) => number | null | undefined>} */
  const costs = { ...COSTS, garbage: added('garbage'), waiting: added('waiting') };
  const tested = Object.entries(costs);
  const contrasts = contrastFamily(
    tested.map(([, costOf]) => ({
      pairs: pairs.map((pair) => [pair.cell, pair.than]),
      of: (/** @type {MeasuredCell} */ cell) =>
        samplesBy(cell.runs, (run) => costOf(run, cell)).filter(({ value }) => value > 0),
    })),
  );
  return pairs.map(({ cell, than: faster }) => {
    const carried = tested.flatMap(([name], index) => {
      const contrast = contrasts[index].between(cell, faster);
      return contrast?.differs && isComparable(name, cell, faster) ? [[name, contrast]] : [];
    });
    const timesSlower =
      group.between(faster.id, cell.id)?.ratio ?? faster.summary.opsPerSecond / cell.summary.opsPerSecond;
    const time = { cell: meanTime(cell), than };
    const more = timeBy((part) => time.cell[part] - than[part]);
    // Where other programs ran, the whole time says less than its parts.
    const moreUs = Math.max(more.all, than.all * (timesSlower - 1));
    return {
      cell,
      than: faster,
      group,
      timesSlower,
      time,
      more,
      moreUs,
      carried: Object.fromEntries(carried),
    };
  });
}

/** @type {(usOf: (part: keyof Time) => number) => Time} */
const timeBy = (usOf) => ({
  code: usOf('code'),
  encoding: usOf('encoding'),
  garbage: usOf('garbage'),
  waiting: usOf('waiting'),
  all: usOf('all'),
});

/** Each start counts as much, as in the comparison of speeds. @param {MeasuredCell} cell */
const meanTime = (cell) =>
  timeBy((part) => {
    const samples = samplesBy(asIs(cell.runs), (run) => timeOf(run, cell)?.[part]);
    const starts = groupBy(samples, ({ start }) => start);
    return starts.length === 0 ? 0 : mean(starts.map((runs) => mean(runs.map(({ value }) => value))));
  });

const PER_COMMAND = ['serverCpu', 'serverThreads', 'batching'];

/**
 * One command for 20 keys costs the server more than one for a single key.
 * @param {string} cost @param {MeasuredCell} cell @param {MeasuredCell} than
 */
function isComparable(cost, cell, than) {
  const ratio = commandsPerOpOf(cell) / commandsPerOpOf(than);
  return (ratio < NOTABLE && ratio > 1 / NOTABLE) || !PER_COMMAND.includes(cost);
}

/** @param {MeasuredCell} cell @param {(run: Run) => number} countOf */
const perOperation = ({ runs }, countOf) =>
  sum(runs.map(countOf)) / sum(runs.map(({ operations }) => operations));

/** @param {MeasuredCell} cell */
export const commandsPerOpOf = (cell) =>
  perOperation(cell, ({ commands, server }) => server?.commands ?? commands);

/** @param {MeasuredCell} cell */
export const bytesPerOpOf = (cell) =>
  perOperation(cell, ({ server }) => (server?.netInputBytes ?? 0) + (server?.netOutputBytes ?? 0));

/** @param {MeasuredCell} cell @returns {number | null} operations in flight at most; null in an open loop, and in older files */
export function mostInFlight({ inFlight, openLoop, iterations, processes }) {
  if (openLoop !== null || inFlight == null) return null;
  // A batch has no more operations than the run.
  const batch = Math.min(inFlight.batch, iterations ?? inFlight.batch);
  return inFlight.atOnce * batch * processes;
}

/** @param {Tested} what @param {JudgedPair} pair */
export const isLonger = (what, { carried }) => Number(carried[what]?.ratio) > 1;

/**
 * Where the time of an operation goes in the client's process, which does one thing at a time.
 * @typedef {'code' | 'encoding' | 'garbage' | 'waiting'} Part
 * @typedef {Record<Part | 'all', number>} Time µs; `all`: of all parts, and of the application's own work
 */

/** Allocating costs time outside of collections too: 20 kB of small objects, arrays, closures or strings took 2 to 8 µs. */
const US_PER_ALLOCATED_BYTE = 0.0004;

/**
 * The parts add up to the time between two operations, less what other programs took of it: a process that waits for CPU does not
 * know what it would have done. Where server and client share a processor, the one waits for the other.
 * @param {Run} run @param {Pick<MeasuredCell, 'processes' | 'summary'>} cell @returns {Time | null} null if it was not measured
 */
function timeOf(run, { processes, summary }) {
  const { client, elapsedMs, operations } = run;
  if (client === null || !elapsedMs || !(operations > 0)) return null;
  /** @param {number} ms of each process */
  const perOp = (ms) => (1000 * ms * processes) / operations;
  const elapsedUs = perOp(elapsedMs);
  const application = client.appWorkUsPerOp ?? 0;
  const loopUs = elapsedUs * client.eventLoopUtilization;
  // Threads that collect garbage use CPU beside the loop; a loop that waits for CPU uses none.
  const busyUs = client.cpuUsPerOp === null ? loopUs : Math.min(loopUs, client.cpuUsPerOp + application);
  const slices = summary.bottleneck.sharedCore ? [] : slicesOf(run);
  const lostMs = sum(slices.map(({ waitedMs, serverWaitedMs }) => (waitedMs ?? 0) + (serverWaitedMs ?? 0)));
  const waiting = Math.max(0, elapsedUs - Math.max(loopUs, busyUs + perOp(lostMs)));
  const encoding = client.encodeUsPerOp ?? 0;
  const paused = (perOp(client.gcPauseMs / processes) * busyUs) / Math.max(loopUs, 1e-9);
  const allocating = Math.max(0, client.allocatedBytesPerOp ?? 0) * US_PER_ALLOCATED_BYTE;
  const garbage = Math.min(busyUs, paused + allocating);
  const code = Math.max(0, busyUs - application - encoding - garbage);
  return { code, encoding, garbage, waiting, all: busyUs + waiting };
}
