import { sameBut } from '../../axes/pairing.js';
import { contrastFamily } from '../statistics/contrasts.js';
import { codeDifference } from './code-difference.js';
import { inStepOf, underWayAtMost } from './limits.js';

/**
 * @import { Run } from '../../results/types.js'
 * @import { Cause, Contrast, Sample, Slower, Summary } from '../types.js'
 * @import { CellContrasts, MeasuredCell } from './compare-group.js'
 */

/** A cost that is less than this many times the other's is not worth a sentence. */
const NOTABLE = 1.25;
/** Reasons must account for half of a cell's slowness (on a logarithmic scale), or it counts as unexplained. */
const ACCOUNTED = 0.5;
/** A larger share of the time than this, spent collecting garbage, is named. */
const MUCH_GARBAGE = 0.1;
/** A cell that opens more connections than one in a hundred commands opens them as part of its work. */
const OPENS = 0.01;

/**
 * What the runs of a slower cell may cost more.
 *
 * @type {Record<'clientCpu' | 'serverCpu' | 'serverThreads' | 'batching' | 'busy' | 'garbage', (run: Run) => number | null | undefined>}
 */
const COSTS = {
  clientCpu: ({ client }) => client?.cpuUsPerOp,
  serverCpu: ({ server }) => server?.cpuUsPerCommand,
  serverThreads: ({ server }) => server?.allThreadsCpuUsPerCommand,
  batching: ({ server }) => server?.commandsPerRead,
  busy: ({ client, server }) =>
    client === null ? null : Math.max(client.eventLoopUtilization, server?.busiestNodeUtilization ?? 0),
  // The rest of the time: most runs collect no garbage, and 0 has no ratio.
  garbage: ({ client, elapsedMs }) =>
    client === null || !elapsedMs ? null : 1 - Number(client.gcPauseMs) / elapsedMs,
};

/** @typedef {Partial<Record<keyof typeof COSTS, Contrast>>} Carried the differences that a test carries */

/**
 * Why cells are slower than others of their group. A cause is named only if a test of its own carries it; the
 * tests of all these pairs are one family.
 *
 * @param {{cell: MeasuredCell, than: MeasuredCell}[]} pairs each slower than the other
 * @param {{contrasts: Pick<CellContrasts, 'compared' | 'between'>}} group
 * @returns {Slower[]} one for each pair
 */
export function causesBetween(pairs, { contrasts }) {
  const carried = carriedDifferences(pairs);
  return pairs.map(({ cell, than }, index) => {
    const timesSlower =
      contrasts.between(than.id, cell.id)?.ratio ?? than.summary.opsPerSecond / cell.summary.opsPerSecond;
    const placement = placementCause(cell, than, contrasts);
    const { causes, accounted } = reasonsOf(cell, than, carried[index], placement);
    const explained = causes.length > 0 && Math.log(accounted) >= ACCOUNTED * Math.log(timesSlower);
    return { cell: cell.id, than: than.id, timesSlower, causes, explained };
  });
}

/**
 * @param {{cell: MeasuredCell, than: MeasuredCell}[]} pairs
 * @returns {Carried[]}
 */
function carriedDifferences(pairs) {
  const names = /** @type {(keyof typeof COSTS)[]} */ (Object.keys(COSTS));
  const samples = new Map(
    pairs.flatMap(({ cell, than }) => [cell, than]).map((cell) => [cell, samplesOf(cell)]),
  );
  const found = contrastFamily(
    names.map((name) => {
      const of = (/** @type {MeasuredCell} */ cell) => /** @type {Sample} */ (samples.get(cell)?.[name]);
      return {
        pairs: pairs.map(({ cell, than }) => /** @type {[Sample, Sample]} */ ([of(cell), of(than)])),
        rounds: [...samples.keys()].map(of),
      };
    }),
  );
  return pairs.map((_, pair) => {
    /** @type {Carried} */
    const carried = {};
    for (const [place, name] of names.entries()) {
      const contrast = found[place].contrastOf(pair);
      if (contrast?.differs) carried[name] = contrast;
    }
    return carried;
  });
}

/**
 * One walk over the runs for all costs: they may be many, and lie far apart in memory.
 *
 * @param {MeasuredCell} cell
 * @returns {Record<string, Sample>} by the name of the cost
 */
function samplesOf({ runs }) {
  const costs = Object.entries(COSTS);
  /** @type {Record<string, Sample>} */
  const samples = Object.fromEntries(costs.map(([name]) => [name, []]));
  for (const run of runs) {
    if (run.failed !== null) continue;
    for (const [name, costOf] of costs) {
      const value = costOf(run);
      if (value != null && value > 0) samples[name].push({ value, round: run.round, start: run.start });
    }
  }
  return samples;
}

/**
 * @param {MeasuredCell} cell
 * @param {MeasuredCell} than
 * @param {Pick<CellContrasts, 'compared' | 'between'>} contrasts
 * @returns {(Cause & {kind: 'placement'}) | null} how much faster the same cell is in the other's place
 */
function placementCause(cell, than, { compared, between }) {
  if (cell.pin === than.pin) return null;
  const rest = sameBut(['pin'], compared);
  const twin = compared.find((other) => other.pin === than.pin && rest(other) === rest(cell));
  const contrast = twin === undefined ? null : between(twin.id, cell.id);
  if (!contrast?.differs || contrast.ratio < NOTABLE) return null;
  return { kind: 'placement', pin: than.pin, insteadOf: cell.pin, ratio: contrast.ratio };
}

/**
 * What limits a cell that CPU time of this kind makes slower. Threads that wait for each other leave no limit to see.
 *
 * @type {Record<'server-cpu' | 'server-threads', MeasuredCell['summary']['bottleneck']['limit'][]>}
 */
const SLOWED = { 'server-cpu': ['server'], 'server-threads': ['server', null] };

/**
 * @param {MeasuredCell} cell
 * @param {MeasuredCell} than
 * @param {Carried} carried
 * @param {(Cause & {kind: 'placement'}) | null} placement
 * @returns {{causes: Cause[], accounted: number}} the cause before its effects; how many times slower they make it
 */
function reasonsOf(cell, than, carried, placement) {
  /** @type {Cause[]} */
  const causes = placement === null ? [] : [placement];
  let accounted = placement?.ratio ?? 1;
  const behind = behindCompany(cell, than);
  // Its CPU is mostly that of the company.
  if (behind)
    return { causes: [...causes, behind], accounted: accounted * (behind.p50Us / behind.againstP50Us) };
  const cached = cacheCause(cell, than);
  // What its server and its batches have to do is another thing where most commands never get there.
  if (cached) {
    const ofClient = cpuCauses(cell, than, { clientCpu: carried.clientCpu });
    return { causes: [...causes, cached, ...ofClient], accounted: Number.POSITIVE_INFINITY };
  }
  const connectionsPerCommand = openedBy(cell);
  const fewer = fewerUnderWay(cell, than);
  // What takes CPU time does not matter where both sides mostly wait.
  if (fewer && isMostlyIdle(cell) && isMostlyIdle(than))
    return { causes: [...causes, fewer.cause], accounted: accounted * fewer.times };
  const opens = connectionsPerCommand > OPENS && openedBy(than) <= OPENS;
  // Far away, opening takes round trips, and hardly anything else takes time.
  if (opens && cell.distance?.rttMs && isMostlyIdle(cell)) {
    causes.push({ kind: 'opens-connections', connectionsPerCommand });
    return { causes, accounted: Number.POSITIVE_INFINITY };
  }
  if (opens) causes.push({ kind: 'opens-connections', connectionsPerCommand });
  else causes.push(...batchingCause(cell, than, carried));
  for (const cause of cpuCauses(cell, than, carried)) {
    causes.push(cause);
    if (cause.kind === 'client-cpu' || SLOWED[cause.kind].includes(cell.summary.bottleneck.limit)) {
      accounted = Math.max(accounted, cause.ratio);
    }
  }
  const share = garbageShareOf(cell.runs);
  if (carried.garbage && carried.garbage.ratio < 1 && share >= MUCH_GARBAGE)
    causes.push({ kind: 'garbage', share });
  const wait = waitOf(cell, than, carried);
  if (wait) {
    causes.push(wait.cause);
    accounted *= wait.times;
  }
  return { causes, accounted };
}

/**
 * @param {MeasuredCell} cell
 * @param {MeasuredCell} than
 * @returns {(Cause & {kind: 'behind-company'}) | null} null where half of its operations do not wait for what blocks the connection
 */
function behindCompany({ beside = [], summary }, { summary: other }) {
  const blocking = beside.find(({ command }) => command === 'blpop');
  const [p50Us, againstP50Us] = [summary.latency?.p50Us ?? 0, other.latency?.p50Us ?? 0];
  const longUs = (Number(blocking?.ms) * 1000) / 2;
  if (blocking === undefined || againstP50Us <= 0 || p50Us < longUs || againstP50Us >= longUs) return null;
  return { kind: 'behind-company', company: blocking.name, p50Us, againstP50Us };
}

/** A client that answers this much more of its commands itself is another case. */
const MORE_CACHED = 0.1;

/**
 * @param {MeasuredCell} cell
 * @param {MeasuredCell} than
 * @returns {(Cause & {kind: 'not-cached'}) | null} null where the other's cache answers no more
 */
function cacheCause({ summary }, { summary: other }) {
  const [hitRate, againstHitRate] = [summary.cacheHitRate ?? 0, other.cacheHitRate ?? 0];
  return againstHitRate - hitRate < MORE_CACHED ? null : { kind: 'not-cached', hitRate, againstHitRate };
}

/** @param {MeasuredCell} cell */
const openedBy = ({ summary: { server } }) => (server.connections ?? 0) / (server.commands ?? 1);

/** @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried @returns {Cause[]} */
function batchingCause(cell, than, { batching }) {
  const commandsPerRead = cell.summary.server.commandsPerRead;
  const againstCommandsPerRead = than.summary.server.commandsPerRead;
  if (
    !batching ||
    batching.ratio > 1 / NOTABLE ||
    commandsPerRead === null ||
    againstCommandsPerRead === null
  )
    return [];
  return [{ kind: 'smaller-batches', commandsPerRead, againstCommandsPerRead }];
}

/** @param {MeasuredCell} cell @param {MeasuredCell} than @param {Carried} carried */
function cpuCauses(cell, than, { clientCpu, serverCpu, serverThreads }) {
  const [{ summary }, { summary: other }] = [cell, than];
  /** @type {(Cause & {kind: 'client-cpu' | 'server-cpu' | 'server-threads'})[]} */
  const causes = [];
  if (clientCpu && clientCpu.ratio >= NOTABLE) {
    causes.push({
      kind: 'client-cpu',
      ratio: clientCpu.ratio,
      cpuUsPerOp: Number(summary.client.cpuUsPerOp),
      againstCpuUsPerOp: Number(other.client.cpuUsPerOp),
      code: codeDifference(cell, than) ?? undefined,
    });
  }
  const hasThreads = summary.bottleneck.serverThreads !== undefined;
  if (serverThreads && serverThreads.ratio >= NOTABLE && hasThreads) {
    const against = Number(other.server.allThreadsCpuUsPerCommand);
    causes.push({
      kind: 'server-threads',
      ratio: serverThreads.ratio,
      cpuUsPerCommand: Number(summary.server.allThreadsCpuUsPerCommand),
      againstCpuUsPerCommand: against,
    });
  } else if (serverCpu && serverCpu.ratio >= NOTABLE) {
    causes.push({
      kind: 'server-cpu',
      ratio: serverCpu.ratio,
      cpuUsPerCommand: Number(summary.server.cpuUsPerCommand),
      againstCpuUsPerCommand: Number(other.server.cpuUsPerCommand),
      mainThread: hasThreads || other.bottleneck.serverThreads !== undefined || undefined,
      code: codeDifference(cell, than, 'server') ?? undefined,
    });
  }
  return causes;
}

/**
 * Time in which neither side works goes into round trips.
 *
 * @param {MeasuredCell} cell
 * @param {MeasuredCell} than
 * @param {Carried} carried
 * @returns {{cause: Cause, times: number} | null} null where the other cell waits as much
 */
function waitOf(cell, than, { busy }) {
  const { limit, clientBusy: clientBusyShare, serverBusy } = cell.summary.bottleneck;
  if (limit !== 'round-trips' || serverBusy === null) return null;
  // A cell that is as busy as the other waits no longer than that, however many may be under way.
  if (!busy || busy.ratio >= 1) return null;
  const fewer = fewerUnderWay(cell, than);
  if (fewer) return fewer;
  const shares = { clientBusyShare, serverBusyShare: serverBusy };
  const times = idle(cell.summary) / idle(than.summary);
  const inStep = inStepOf(cell);
  const cause = inStep
    ? /** @type {const} */ ({ kind: 'in-step', ...inStep, ...shares })
    : /** @type {const} */ ({ kind: 'waiting', ...shares });
  return { cause, times };
}

/**
 * @param {MeasuredCell} cell
 * @param {MeasuredCell} than
 * @returns {{cause: Cause, times: number} | null} null where the other cell has no more under way
 */
function fewerUnderWay(cell, than) {
  const { clientBusy, serverBusy } = cell.summary.bottleneck;
  const [underWay, againstUnderWay] = [underWayAtMost(cell), underWayAtMost(than)];
  if (serverBusy === null || underWay === null || againstUnderWay === null) return null;
  const times = againstUnderWay / underWay;
  if (times < NOTABLE) return null;
  const shares = { clientBusyShare: clientBusy, serverBusyShare: serverBusy };
  return { cause: { kind: 'fewer-under-way', underWay, againstUnderWay, ...shares }, times };
}

/** With less to do than this for either side, a cell does as much as it has under way. */
const MOSTLY_IDLE = 0.5;

/** @param {MeasuredCell} cell */
const isMostlyIdle = ({ summary: { bottleneck } }) =>
  bottleneck.limit === 'round-trips' &&
  Math.max(bottleneck.clientBusy, bottleneck.serverBusy ?? 1) < MOSTLY_IDLE;

/**
 * @param {Summary} summary
 * @returns {number} time an operation took over the time in which the busier side worked for it, at least 1
 */
const idle = ({ bottleneck: { clientBusy, appBusy, serverBusy } }) =>
  1 / Math.max(clientBusy + (appBusy ?? 0), serverBusy ?? 0, 0.01);

/** @param {Run[]} runs */
function garbageShareOf(runs) {
  const good = runs.filter((run) => run.client !== null && run.elapsedMs);
  const pauses = good.reduce((sum, run) => sum + Number(run.client?.gcPauseMs), 0);
  return pauses / good.reduce((sum, run) => sum + Number(run.elapsedMs), 0);
}
