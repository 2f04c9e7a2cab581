import { sum } from 'simple-statistics';
import { backgroundIn } from '../../axes/conditions.js';
import { sameBut } from '../../axes/ids.js';
import { samplesBy } from '../../metrics/metric-values.js';
import { contrastFamily } from '../statistics/contrasts.js';
import { codeDifference } from './code-difference.js';

/** @import { Figures } from '../../metrics/types.js' */
/** @import { CellResult, CostKind, Run } from '../../results/types.js' */
/** @import { Cause, Contrast, Sample, Summary } from '../types.js' */
/** @import { ContrastedGroup, MeasuredCell } from './compare-group.js' */

/** @typedef {{causes: Cause[], times: number}} Reasons the cause before its effects; how many times slower they make a cell */

/**
 * @param {MeasuredCell} cell @param {MeasuredCell} than @param {ContrastedGroup} group
 * @returns {(Cause & {kind: 'placement'}) | null} how much faster the same cell is in the other's place
 */
export function placementCause(cell, than, { compared, between }) {
  if (cell.pin === than.pin) return null;
  const rest = sameBut(['pin'], compared);
  const twin = compared.find((other) => other.pin === than.pin && rest(other) === rest(cell));
  const contrast = twin === undefined ? null : between(twin.id, cell.id);
  if (!contrast?.differs || contrast.ratio < NOTABLE) return null;
  return { kind: 'placement', pin: than.pin, insteadOf: cell.pin, ratio: contrast.ratio };
}

/**
 * Who comes at any time waits for half of a blocking read on average: a quarter cannot be anything else's doing.
 * @param {CellResult} cell @param {Summary | null} [summary] of another, to ask the same of it
 * @returns {{company: string, p50Us: number} | null} null where half of its operations do not wait for what blocks the connection
 */
export function behindBlocking(cell, summary = cell.summary) {
  const blocking = backgroundIn(cell).find(({ command }) => command === 'blpop');
  const p50Us = summary?.latency?.p50Us ?? 0;
  if (blocking === undefined || p50Us < (Number(blocking.ms) * 1000) / 4) return null;
  return { company: blocking.name, p50Us };
}

/** @param {MeasuredCell} cell @param {MeasuredCell} than @returns {Reasons | null} null where the other waits for it as well */
export function behindBackground(cell, than) {
  const behind = behindBlocking(cell);
  const againstP50Us = than.summary.latency?.p50Us ?? 0;
  if (behind === null || againstP50Us <= 0 || behindBlocking(cell, than.summary)) return null;
  return {
    causes: [{ kind: 'behind-company', ...behind, againstP50Us }],
    times: behind.p50Us / againstP50Us,
  };
}

/** A client that answers this much more of its commands itself is another case. */
const MORE_CACHED = 0.1;

/**
 * @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried
 * @returns {Reasons | null} null where the other's cache answers no more
 */
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
  const [commandsPerRead, againstCommandsPerRead] = [cell, than].map(({ summary }) =>
    COSTS.batching(summary),
  );
  if (commandsPerRead == null || againstCommandsPerRead == null) return null;
  return { kind: 'smaller-batches', commandsPerRead, againstCommandsPerRead };
}

/** @param {MeasuredCell} cell @returns {number} with one way to code a request more than with another; 1 without ways */
const commandsPerOpOf = ({ way, runs }) =>
  way === undefined
    ? 1
    : sum(runs.map(({ commands }) => commands)) / sum(runs.map(({ operations }) => operations));

/**
 * @param {MeasuredCell} cell @param {MeasuredCell} than
 * @returns {Cause | null} where its way to code a request takes more commands; they are counted, so no test is needed
 */
export function commandsCause(cell, than) {
  const [commandsPerOp, againstCommandsPerOp] = [cell, than].map(commandsPerOpOf);
  return commandsPerOp < NOTABLE * againstCommandsPerOp
    ? null
    : { kind: 'more-commands', commandsPerOp, againstCommandsPerOp };
}

/**
 * One command for 20 keys costs the server more than one for a single key, and is read alone: no figure per command
 * explains a difference between them.
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
  /** @param {CpuCause['of']} of @param {'clientCpu' | 'serverCpu' | 'serverThreads'} cost @param {CostKind} [profile] */
  const causeOf = (of, cost, profile) => {
    const { ratio } = carried[cost] ?? { ratio: 1 };
    if (ratio < NOTABLE) return [];
    const [us, againstUs] = [cell, than].map(({ summary }) => Number(COSTS[cost](summary)));
    const code = profile && codeDifference(cell, than, profile);
    return [{ kind: /** @type {const} */ ('cpu'), of, ratio, us, againstUs, ...(code && { code }) }];
  };
  const ofThreads = hasThreads ? causeOf('server-threads', 'serverThreads') : [];
  const ofServer = causeOf(hasThreads || others ? 'main-thread' : 'server', 'serverCpu', 'server');
  return [...causeOf('client', 'clientCpu', 'cpu'), ...(ofThreads.length > 0 ? ofThreads : ofServer)];
}

/** @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @returns {Reasons | null} */
export function encodingCause(cell, than, { encoding }) {
  if (encoding === undefined || encoding.ratio < NOTABLE) return null;
  const [us, againstUs] = [cell, than].map(({ summary }) => Number(COSTS.encoding(summary)));
  const cpuUs = Number(cell.summary.client.cpuUsPerOp);
  // It is part of the CPU time: this is left without what the other does not take.
  const times = cpuUs / Math.max(againstUs, cpuUs - (us - againstUs));
  return { causes: [{ kind: 'encoding', us, againstUs }], times };
}

/** A server that sleeps so much more often per command is worth a sentence. */
const MORE_SLEEPS = 0.1;

/**
 * Only where the client needs more CPU: to wake another processor is work of whoever writes.
 * @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @returns {Cause[]}
 */
export function sleepCause(cell, than, { sleeps, clientCpu }) {
  const [sleepsPerCommand = 0, againstSleepsPerCommand = 0] = [cell, than].map(
    ({ summary }) => COSTS.sleeps(summary) ?? 0,
  );
  const isMore = (sleeps?.ratio ?? 1) >= NOTABLE && sleepsPerCommand - againstSleepsPerCommand >= MORE_SLEEPS;
  if (!isMore || (clientCpu?.ratio ?? 1) < NOTABLE) return [];
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

/** A cost that is less than this many times the other's is not worth a sentence. */
export const NOTABLE = 1.25;

/** @typedef {(figures: Figures, cell: MeasuredCell) => number | null | undefined} Cost of a run, or of a cell */

/** @param {CellResult} cell @returns {number} to its server and back; 0 where that is not known, and no distance was asked for */
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

/** @typedef {Partial<Record<keyof typeof COSTS, Contrast>>} Carried the differences that a test carries */

/** @typedef {{cell: MeasuredCell, than: MeasuredCell}} Pair a slower cell, and a faster one */

/** @param {Pair[]} pairs @returns {Carried[]} */
export const carriedDifferences = (pairs) =>
  contrastCosts(pairs, COSTS).map((contrasts) =>
    Object.fromEntries(Object.entries(contrasts).filter(([, contrast]) => contrast?.differs)),
  );

/** @param {Cost} cost @returns {(cell: MeasuredCell) => Sample} */
const sampledBy = (cost) => (cell) => positiveBy(cell.runs, (run) => cost(run, cell));

/**
 * Pairs of cells by several of their costs, all as one family.
 * @template {string} Name
 * @param {Pair[]} pairs @param {Record<Name, Cost>} costs @returns {Record<Name, Contrast | null>[]} of each pair
 */
export function contrastCosts(pairs, costs) {
  const names = /** @type {Name[]} */ (Object.keys(costs));
  const cells = pairs.map(({ cell, than }) => /** @type {[MeasuredCell, MeasuredCell]} */ ([cell, than]));
  const found = contrastFamily(names.map((name) => ({ pairs: cells, of: sampledBy(costs[name]) })));
  const contrastsOf = (/** @type {Pair} */ { cell, than }) =>
    Object.fromEntries(names.map((name, index) => [name, found[index].between(cell, than)]));
  return /** @type {any} */ (pairs.map(contrastsOf));
}

/**
 * @param {Run[]} runs @param {(run: Run) => number | null | undefined} of
 * @returns {Sample} without 0, which has no ratio
 */
export const positiveBy = (runs, of) => samplesBy(runs, of).filter(({ value }) => value > 0);
