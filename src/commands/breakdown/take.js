import { present } from '../../collections.js';
import { mean, sum } from '../../descriptive-statistics.js';
import { messageOf, RunError } from '../../errors.js';
import { queuedBetween, readRunQueue } from '../../machine/processors.js';
import { sharedClock } from '../../process/shared-clock.js';
import { createCellWorker, createHost } from '../../run/cell-worker.js';
import { startDistantServer, timePings } from '../../run/distant-server.js';
import { requestOf } from '../../run/plan/loads.js';
import { startWorkers } from '../../run/workers.js';
import { metricNamed } from '../../store/metrics.js';
import { breakDown, FEWEST, followed, NotFollowed } from './parts.js';

/** @import { Host } from '../../run/cell-worker.js' */
/** @import { Cell } from '../../run/plan/types.js' */
/** @import { DistantServer, GroupContext, Place, RunContext, StartWorkers } from '../../run/types.js' */
/** @import { Summary } from '../../store/types.js' */
/** @import { MeasuredRun } from '../../worker/types.js' */
/** @import { CellBreakdown, NoBreakdown, SeenInRelay, SeenInWorker } from './types.js' */

const PROGRAM = {
  does: 'notes when replies arrive',
  entry: new URL('./relay-entry.js', import.meta.url),
};
const WITHOUT_DELAY = { rttMs: 0, jitterPercent: 0 };
/** A slice takes as long as so many operations, within bounds. */
const USUAL = { warmUpMs: 1200, slices: 5, operations: 3000, leastMs: 100, mostMs: 1500 };
const SMOKE = { ...USUAL, warmUpMs: 100, slices: 3, operations: 500 };
const NO_BATCHES = { batches: 0, commands: 0, heldMs: 0, waitedMs: 0 };

/**
 * Runs a cell once more, through a relay that notes when replies arrive, in a process that notes what passes its sockets.
 * @param {Cell} cell after its timed runs; its process has ended
 * @param {GroupContext} context
 * @param {Summary} timed of those
 * @param {(known: {breakdown: CellBreakdown} | {noBreakdown: NoBreakdown}) => void} learn
 * @returns {Promise<boolean>} whether its keys were removed
 */
export async function takeBreakdown(cell, context, timed, learn) {
  const { onEvent, signal } = context;
  onEvent({ type: 'breakdown', cell });
  const place = context.placeOf(cell);
  const host = createHost();
  const interrupt = () => host.started(cell)?.interrupt();
  signal.addEventListener('abort', interrupt);
  const { distance = WITHOUT_DELAY } = cell;
  // Bytes of TLS cannot be counted in between, and nothing stands between the ends of a unix socket.
  const relay =
    cell.transport === 'tcp'
      ? startDistantServer(distance, [cell], { ...context, ...place, program: PROGRAM })
      : null;
  try {
    const relayUs = relay && (await hopOf(relay, cell, place));
    const own = { ...context, ...place, distant: relay, startWorkers: startWatched };
    learn({ breakdown: { ...(await takeSlices(cell, own, host, timed)), relayUs } });
  } catch (error) {
    const reason =
      error instanceof NotFollowed
        ? error.reason
        : { kind: /** @type {const} */ ('pass-failed'), why: messageOf(error) };
    if (!signal.aborted) learn({ noBreakdown: reason });
  }
  signal.removeEventListener('abort', interrupt);
  const isRemoved = await host.leave('finish');
  await Promise.all([host.end(), relay?.end()]);
  return isRemoved;
}

/** @param {Cell} cell @param {GroupContext} context @returns {NoBreakdown | null} why its operations cannot be followed, as far as that is known before */
export function whyImpossible(
  { scenario, client, topology, readFrom, chosen, way },
  { startWorkers: elsewhere, catalogue },
) {
  if (elsewhere) return { kind: 'load-elsewhere' };
  if (catalogue.scenarios.get(scenario)?.opensDuringRun) return { kind: 'opens-in-operations' };
  if (catalogue.clients.get(client)?.caches) return { kind: 'answers-from-cache' };
  const request = requestOf(chosen.workload, catalogue);
  const workload = catalogue.workloads.get(chosen.workload.id);
  // The one key of an operation decides by which node's socket it goes.
  const hasManyKeys = request !== undefined || workload?.open !== undefined;
  if (readFrom === 'replica' || (topology === 'cluster' && hasManyKeys)) return { kind: 'several-sockets' };
  const isOneByOne =
    (request && (way === 'one-by-one' || request.kind.isBackfill)) || workload?.iterate !== undefined;
  return isOneByOne ? { kind: 'one-after-other' } : null;
}

/** @type {StartWorkers} */
function startWatched(...asked) {
  const workers = startWorkers(...asked);
  return {
    ...workers,
    async call(method, params) {
      // Before its client connects.
      if (method === 'prepare') await workers.call('watch-sockets');
      return workers.call(method, params);
    },
  };
}

/** @param {DistantServer} relay @param {Cell} cell @param {Place} place @returns {Promise<number>} µs that the relay adds to a PING, besides its delay */
async function hopOf(relay, cell, place) {
  const beforeMs = sharedClock();
  const relaysMs = await relay.ask('clock');
  if (!(relaysMs >= beforeMs && relaysMs <= sharedClock())) throw new NotFollowed(NO_CLOCK);
  const { direct, through } = await timePings(cell, [relay], place);
  return through[0].p50Us - direct.p50Us - relay.distance.rttMs * 1000;
}

/** @type {NoBreakdown} */
const NO_CLOCK = { kind: 'no-shared-clock' };

/**
 * Slices as they are taken, until its process is warm, and then those that count.
 * @param {Cell} cell
 * @param {RunContext} context
 * @param {Host} host
 * @param {Summary} timed
 * @returns {Promise<Omit<CellBreakdown, 'relayUs'>>}
 */
async function takeSlices(cell, context, host, timed) {
  const { settings, distant } = context;
  const worker = createCellWorker(cell, context, { learn() {}, noteEmitted() {} }, host);
  await worker.begin();
  const own = present(worker.started());
  if (!(await own.call('follow-operations', cell.topology === 'cluster')))
    throw new NotFollowed({ kind: 'foreign-sockets' });
  const length = settings.smoke ? SMOKE : USUAL;
  const wantedMs = (length.operations / timed.opsPerSecond) * 1000;
  let durationMs = Math.min(length.mostMs, Math.max(length.leastMs, wantedMs));
  const relay = { worker: await distant?.pid(), servers: [], cpus: null };

  /** @returns {Promise<{measured: MeasuredRun, seen: SeenInWorker[], arrived: SeenInRelay | null, elapsedMs: number, waitedMs: number | null}>} */
  async function takeSlice() {
    await Promise.all([own.call('begin-breakdown'), distant?.ask('begin-breakdown')]);
    const before = readRunQueue(relay);
    const beforeMs = sharedClock();
    const { measured } = await worker.observe({ durationMs });
    const { workerQueuedMs } = queuedBetween(before, readRunQueue(relay));
    /** @type {SeenInWorker[]} */
    const seen = await own.call('take-breakdown');
    /** @type {SeenInRelay | null} */
    const arrived = (await distant?.ask('take-breakdown')) ?? null;
    const { startedAtMs, elapsedMs, errors, wrongReplies } = measured;
    if (startedAtMs < beforeMs || startedAtMs > sharedClock()) throw new NotFollowed(NO_CLOCK);
    const [failure] = wrongReplies > 0 ? ['wrong replies'] : Object.keys(errors);
    if (failure !== undefined) throw new RunError(failure);
    const operations = sum(seen.map(({ startedAt }) => startedAt.length));
    if (operations < 2 * FEWEST && durationMs < length.mostMs) {
      durationMs = Math.min(length.mostMs, 2 * durationMs);
      return takeSlice();
    }
    return { measured, seen, arrived, elapsedMs, waitedMs: workerQueuedMs };
  }

  for (let warmMs = 0; warmMs < length.warmUpMs; ) warmMs += (await takeSlice()).elapsedMs;
  const taken = [];
  while (taken.length < length.slices) taken.push(await takeSlice());
  const each = taken.map(({ measured, seen, arrived }) => {
    const operations = followed(seen, arrived);
    return { operations, ...breakDown(operations, arrived !== null), cpuRatio: cpuRatioOf(measured, timed) };
  });
  const all = each.flatMap(({ operations }) => operations);
  return {
    ...breakDown(all, distant !== null),
    cpuRatio: meanOfKnown(each.map(({ cpuRatio }) => cpuRatio)),
    relayWaitedShare: meanOfKnown(
      taken.map(({ waitedMs, elapsedMs }) => waitedMs && Math.min(1, waitedMs / elapsedMs)),
    ),
    operations: all.length,
    slices: each.map(({ p50, p99, cpuRatio }) => ({ p50, p99, cpuRatio })),
  };
}

/** @param {MeasuredRun} measured @param {Summary} timed @returns {number | null} null where one is unknown */
function cpuRatioOf(measured, { client: { cpuUsPerOp: timedUs } }) {
  const operations = sum(measured.taskIterations);
  const cpuUs = metricNamed('cpuUsPerOp').from?.({ ...measured, operations, batches: NO_BATCHES });
  return cpuUs && timedUs ? cpuUs / timedUs : null;
}

/** @param {(number | null)[]} values @returns {number | null} null where one is unknown */
const meanOfKnown = (values) => (values.includes(null) ? null : mean(values.map(Number)));
