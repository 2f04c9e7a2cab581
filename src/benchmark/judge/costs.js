import { sum } from 'simple-statistics';
import { contrastFamily } from '../../core/statistics/contrasts.js';
import { samplesBy } from '../../core/store/metrics/metric-values.js';

/** @import { Figures } from '../../core/store/metrics/types.js' */
/** @import { CellResult, Run } from '../../core/store/types.js' */
/** @import { Contrast } from './types.js' */
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
export const positiveBy = (runs, of) => samplesBy(runs, of).filter(({ value }) => value > 0);

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
