import { sum } from 'simple-statistics';
import { contrastFamily } from '../../core/statistics/contrasts.js';
import { samplesBy } from '../../core/store/metrics.js';

/** @import { CellResult, Figures, Run } from '../../core/store/types.js' */
/** @import { Contrast } from '../../core/statistics/contrasts.js' */
/** @import { ContrastedGroup, MeasuredCell } from './compare-group.js' */

/** @typedef {{cell: MeasuredCell, than: MeasuredCell}} Pair a slower cell, and a faster one */
/** @typedef {Partial<Record<keyof typeof COSTS, Contrast>>} Carried the significant differences */
/** @typedef {Pair & {group: ContrastedGroup, carried: Carried, timesSlower: number}} JudgedPair */

/** Smaller ratios are not worth a sentence. */
export const NOTABLE = 1.25;

/** What a slower cell may cost more. @satisfies {Record<string, (figures: Figures, cell: MeasuredCell) => number | null | undefined>} */
const COSTS = {
  clientCpu: ({ client }) => client?.cpuUsPerOp,
  serverCpu: ({ server }) => server?.cpuUsPerCommand,
  serverThreads: ({ server }) => server?.allThreadsCpuUsPerCommand,
  batching: ({ server }) => server?.commandsPerRead,
  sleeps: ({ server }) => server?.sleepsPerCommand,
  encoding: ({ client }) => client?.encodeUsPerOp,
  // Ways to code a request differ in how often they wait for the server.
  roundTrips: ({ latency }, cell) =>
    latency && cell.way !== undefined && roundTripUsOf(cell) > 0 ? latency.p50Us / roundTripUsOf(cell) : null,
  busy: ({ client, server }) =>
    client && Math.max(client.eventLoopUtilization, server?.busiestNodeUtilization ?? 0),
  // The rest of the time: most runs collect no garbage, and 0 has no ratio.
  garbage: ({ client, elapsedMs }) => client && elapsedMs && 1 - Number(client.gcPauseMs) / elapsedMs,
};

/** 0 if unknown and no distance was set. @param {CellResult} cell */
export const roundTripUsOf = ({ roundTripUs = 0, distance }) => roundTripUs + (distance?.rttMs ?? 0) * 1000;

/** Figures that a test has compared. @param {keyof typeof COSTS} name @param {Pair} pair @returns {number[]} */
export const costsOf = (name, { cell, than }) =>
  [cell, than].map((each) => Number(COSTS[name](each.summary, each)));

/**
 * What the slower cells of a group cost more than the faster ones: all costs of all pairs are one family.
 * @param {Pair[]} pairs @param {ContrastedGroup} group @returns {JudgedPair[]}
 */
export function judgePairs(pairs, group) {
  const names = /** @type {(keyof typeof COSTS)[]} */ (Object.keys(COSTS));
  const cells = pairs.map(({ cell, than }) => /** @type {[MeasuredCell, MeasuredCell]} */ ([cell, than]));
  const contrasts = contrastFamily(
    names.map((name) => ({
      pairs: cells,
      of: (/** @type {MeasuredCell} */ cell) => positiveBy(cell.runs, (run) => COSTS[name](run, cell)),
    })),
  );
  return pairs.map(({ cell, than }) => {
    const carried = names.flatMap((name, index) => {
      const contrast = contrasts[index].between(cell, than);
      return contrast?.differs && isComparable(name, cell, than) ? [[name, contrast]] : [];
    });
    const timesSlower =
      group.between(than.id, cell.id)?.ratio ?? than.summary.opsPerSecond / cell.summary.opsPerSecond;
    return { cell, than, group, carried: Object.fromEntries(carried), timesSlower };
  });
}

/** Without 0, which has no ratio. @param {Run[]} runs @param {(run: Run) => number | null | undefined} of */
const positiveBy = (runs, of) => samplesBy(runs, of).filter(({ value }) => value > 0);

const PER_COMMAND = ['serverCpu', 'serverThreads', 'batching', 'sleeps'];

/**
 * One command for 20 keys costs the server more than one for a single key.
 * @param {string} cost @param {MeasuredCell} cell @param {MeasuredCell} than
 */
function isComparable(cost, cell, than) {
  const ratio = commandsPerOpOf(cell) / commandsPerOpOf(than);
  return (ratio < NOTABLE && ratio > 1 / NOTABLE) || !PER_COMMAND.includes(cost);
}

/** 1 without ways to code a request. @param {MeasuredCell} cell @returns {number} */
export const commandsPerOpOf = ({ way, runs }) =>
  way === undefined
    ? 1
    : sum(runs.map(({ commands }) => commands)) / sum(runs.map(({ operations }) => operations));

/** @param {MeasuredCell} cell @returns {number | null} operations in flight at most; null in an open loop, and in older files */
export function mostInFlight({ underWay, openLoop, iterations, processes }) {
  if (openLoop !== null || underWay == null) return null;
  // A batch has no more operations than the run.
  const batch = Math.min(underWay.batch, iterations ?? underWay.batch);
  return underWay.atOnce * batch * processes;
}

/** With this share of all that can be in flight, a read has commands of all tasks. */
const NEARLY_ALL = 0.75;

/** In lockstep all tasks get their replies together and send together: a read has a command of nearly each. @param {MeasuredCell} cell */
export function lockstepOf(cell) {
  const { tasks, processes, connections, summary } = cell;
  const commandsPerRead = summary.server.commandsPerRead;
  const inFlight = mostInFlight(cell);
  if (commandsPerRead === null || inFlight === null || connections !== processes) return null;
  if (tasks < 2 || inFlight < tasks || commandsPerRead < NEARLY_ALL * (inFlight / processes)) return null;
  return { tasks, commandsPerRead };
}

/** @param {Pair} pair @returns {{underWay: number, againstUnderWay: number} | null} null if not notably fewer */
export function fewerInFlight({ cell, than }) {
  const [underWay, againstUnderWay] = [mostInFlight(cell), mostInFlight(than)];
  if (underWay === null || againstUnderWay === null || againstUnderWay / underWay < NOTABLE) return null;
  return cell.summary.bottleneck.serverBusy === null ? null : { underWay, againstUnderWay };
}

/** If neither side is busier, throughput depends on what is in flight. */
export const MOSTLY_IDLE = 0.5;

/** @param {MeasuredCell} cell */
export const isMostlyIdle = ({ summary: { bottleneck } }) =>
  bottleneck.limit === 'round-trips' &&
  Math.max(bottleneck.clientBusy, bottleneck.serverBusy ?? 1) < MOSTLY_IDLE;

/**
 * Whether it spends more of its time in round trips. A cell that is as busy as the other waits no longer, however many may be in
 * flight. @param {JudgedPair} pair
 */
export const waitsMore = ({ cell, carried: { busy } }) =>
  cell.summary.bottleneck.limit === 'round-trips' &&
  cell.summary.bottleneck.serverBusy !== null &&
  busy !== undefined &&
  busy.ratio < 1;

/** How much longer an operation takes than the busier side works for it, over the same of the other. @param {Pair} pair */
export const timesIdle = ({ cell, than }) => idle(cell) / idle(than);

/** At least 1. @param {MeasuredCell} cell */
const idle = ({ summary: { bottleneck } }) =>
  1 / Math.max(bottleneck.clientBusy + (bottleneck.appBusy ?? 0), bottleneck.serverBusy ?? 0, 0.01);

/** @param {MeasuredCell} cell @returns {{clientBusyShare: number, serverBusyShare: number}} */
export const idleShares = ({ summary: { bottleneck } }) => ({
  clientBusyShare: bottleneck.clientBusy,
  serverBusyShare: Number(bottleneck.serverBusy),
});
