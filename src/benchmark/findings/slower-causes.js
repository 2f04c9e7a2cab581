import { sum } from 'simple-statistics';
import { sameBut } from '../../axes/ids.js';
import { contrastFamily } from '../../core/statistics/contrasts.js';
import { samplesBy } from '../../core/store/metrics/metric-values.js';
import { codeDifference } from '../../why/code-difference.js';

/** @import { Figures } from '../../core/store/metrics/types.js' */
/** @import { CellResult, Run } from '../../core/store/types.js' */
/** @import { Cause, Contrast, Sample, Summary } from '../judge/types.js' */
/** @import { ContrastedGroup, MeasuredCell } from './compare-group.js' */

/** @typedef {{causes: Cause[], times: number}} Reasons how many times slower they make a cell; causes before effects */

/**
 * How much faster the same cell is with the other's placement.
 * @param {MeasuredCell} cell @param {MeasuredCell} than @param {ContrastedGroup} group @returns {(Cause & {kind: 'placement'}) | null}
 */
export function placementCause(cell, than, { compared, between }) {
  if (cell.pin === than.pin) return null;
  const rest = sameBut(['pin'], compared);
  const twin = compared.find((other) => other.pin === than.pin && rest(other) === rest(cell));
  const contrast = twin === undefined ? null : between(twin.id, cell.id);
  if (!contrast?.differs || contrast.ratio < NOTABLE) return null;
  return { kind: 'placement', pin: than.pin, insteadOf: cell.pin, ratio: contrast.ratio };
}

/** If a cache serves this much more, nothing else compares. */
const MORE_CACHED = 0.1;

/** @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @returns {Reasons | null} */
export function notCached(cell, than, { clientCpu }) {
  const [hitRate, againstHitRate] = [cell.summary.cacheHitRate ?? 0, than.summary.cacheHitRate ?? 0];
  if (againstHitRate - hitRate < MORE_CACHED) return null;
  const ofClient = cpuCauses(cell, than, { clientCpu });
  const causes = [/** @type {const} */ ({ kind: 'not-cached', hitRate, againstHitRate }), ...ofClient];
  return { causes, times: Number.POSITIVE_INFINITY };
}

/** @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @returns {Cause | null} */
export function batchingCause(cell, than, { batching }) {
  if (!batching || batching.ratio > 1 / NOTABLE) return null;
  const [commandsPerRead, againstCommandsPerRead] = costsOf('batching', cell, than);
  return { kind: 'smaller-batches', commandsPerRead, againstCommandsPerRead };
}

/** 1 without ways to code a request. @param {MeasuredCell} cell @returns {number} */
const commandsPerOpOf = ({ way, runs }) =>
  way === undefined
    ? 1
    : sum(runs.map(({ commands }) => commands)) / sum(runs.map(({ operations }) => operations));

/** Commands are counted, so no test is needed. @param {MeasuredCell} cell @param {MeasuredCell} than @returns {Cause | null} */
export function commandsCause(cell, than) {
  const [commandsPerOp, againstCommandsPerOp] = [cell, than].map(commandsPerOpOf);
  return commandsPerOp < NOTABLE * againstCommandsPerOp
    ? null
    : { kind: 'more-commands', commandsPerOp, againstCommandsPerOp };
}

/**
 * One command for 20 keys costs the server more than one for a single key: figures per command do not compare.
 * @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @returns {Carried}
 */
export function comparableCosts(cell, than, carried) {
  const ratio = commandsPerOpOf(cell) / commandsPerOpOf(than);
  if (ratio < NOTABLE && ratio > 1 / NOTABLE) return carried;
  const { serverCpu: _, serverThreads: __, batching: ___, sleeps: ____, ...perOp } = carried;
  return perOp;
}

/** @typedef {Cause & {kind: 'cpu'}} CpuCause */

/** @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @returns {CpuCause[]} */
export function cpuCauses(cell, than, carried) {
  const [hasThreads, others] = [cell, than].map(
    ({ summary }) => summary.bottleneck.serverThreads !== undefined,
  );
  /** @param {CpuCause['of']} of @param {'clientCpu' | 'serverCpu' | 'serverThreads'} cost */
  const causeOf = (of, cost) => {
    const { ratio } = carried[cost] ?? { ratio: 1 };
    if (ratio < NOTABLE) return [];
    const [us, againstUs] = costsOf(cost, cell, than);
    const code = of === 'client' && codeDifference(cell, than);
    return [{ kind: /** @type {const} */ ('cpu'), of, ratio, us, againstUs, ...(code && { code }) }];
  };
  const ofThreads = hasThreads ? causeOf('server-threads', 'serverThreads') : [];
  const ofServer = causeOf(hasThreads || others ? 'main-thread' : 'server', 'serverCpu');
  return [...causeOf('client', 'clientCpu'), ...(ofThreads.length > 0 ? ofThreads : ofServer)];
}

/** @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @returns {Reasons | null} */
export function encodingCause(cell, than, { encoding }) {
  if (encoding === undefined || encoding.ratio < NOTABLE) return null;
  const [us, againstUs] = costsOf('encoding', cell, than);
  const cpuUs = Number(cell.summary.client.cpuUsPerOp);
  // Part of the CPU time: what is left without the difference.
  const times = cpuUs / Math.max(againstUs, cpuUs - (us - againstUs));
  return { causes: [{ kind: 'encoding', us, againstUs }], times };
}

const MORE_SLEEPS = 0.1;

/**
 * Waking another processor is work of the writer.
 * @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @returns {Cause[]}
 */
export function sleepCause(cell, than, { sleeps, clientCpu }) {
  if ([sleeps, clientCpu].some((carried) => (carried?.ratio ?? 1) < NOTABLE)) return [];
  const [sleepsPerCommand, againstSleepsPerCommand] = costsOf('sleeps', cell, than);
  if (sleepsPerCommand - againstSleepsPerCommand < MORE_SLEEPS) return [];
  return [{ kind: 'server-sleeps', sleepsPerCommand, againstSleepsPerCommand }];
}

/** @param {Run[]} runs */
export function garbageShareOf(runs) {
  const good = runs.filter((run) => run.client !== null && run.elapsedMs);
  return (
    sum(good.map(({ client }) => Number(client?.gcPauseMs))) /
    sum(good.map(({ elapsedMs }) => Number(elapsedMs)))
  );
}

/** Smaller ratios are not worth a sentence. */
export const NOTABLE = 1.25;

/** @typedef {(figures: Figures, cell: MeasuredCell) => number | null | undefined} Cost of a run, or of a cell */

/** 0 if unknown and no distance was set. @param {CellResult} cell */
export const roundTripUsOf = ({ roundTripUs = 0, distance }) => roundTripUs + (distance?.rttMs ?? 0) * 1000;

/** What a slower cell may cost more. @satisfies {Record<string, Cost>} */
export const COSTS = {
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

/** Figures that a test has compared. @param {keyof typeof COSTS} name @param {MeasuredCell[]} cells */
export const costsOf = (name, ...cells) => cells.map((cell) => Number(COSTS[name](cell.summary, cell)));

/** @typedef {Partial<Record<keyof typeof COSTS, Contrast>>} Carried the significant differences */

/** @typedef {{cell: MeasuredCell, than: MeasuredCell}} Pair a slower cell, and a faster one */

/** @param {Pair[]} pairs @returns {Carried[]} */
export const carriedDifferences = (pairs) =>
  contrastCosts(pairs, COSTS).map((contrasts) =>
    Object.fromEntries(Object.entries(contrasts).filter(([, contrast]) => contrast?.differs)),
  );

/**
 * Compares several costs of pairs of cells as one family.
 * @template {string} Name @param {Pair[]} pairs @param {Record<Name, Cost>} costs @returns {Record<Name, Contrast | null>[]} per pair
 */
export function contrastCosts(pairs, costs) {
  const names = /** @type {Name[]} */ (Object.keys(costs));
  const cells = pairs.map(({ cell, than }) => /** @type {[MeasuredCell, MeasuredCell]} */ ([cell, than]));
  const found = contrastFamily(names.map((name) => ({ pairs: cells, of: sampleOf(costs[name]) })));
  const contrastsOf = (/** @type {Pair} */ { cell, than }) =>
    Object.fromEntries(names.map((name, index) => [name, found[index].between(cell, than)]));
  return /** @type {any} */ (pairs.map(contrastsOf));
}

/** @param {Cost} cost @returns {(cell: MeasuredCell) => Sample} */
const sampleOf = (cost) => (cell) => positiveBy(cell.runs, (run) => cost(run, cell));

/** Without 0, which has no ratio. @param {Run[]} runs @param {(run: Run) => number | null | undefined} of @returns {Sample} */
export const positiveBy = (runs, of) => samplesBy(runs, of).filter(({ value }) => value > 0);
