import { sum } from 'simple-statistics';
import { present } from '../../collections.js';
import { messageOf, RunError } from '../../errors.js';
import { queuedBetween, readRunQueue } from '../../machine/processors.js';
import { sharedClock } from '../../process/shared-clock.js';
import { createCellWorker, createHost } from '../../run/cell-worker.js';
import { startDistantServer } from '../../run/distant-server.js';
import { requestOf } from '../../run/plan/loads.js';
import { startBareWorker, startWorkers } from '../../run/workers.js';
import { metricNamed } from '../../store/metrics.js';
import { breakDown, FEWEST, meanOf } from './parts.js';

/** @import { Host } from '../../run/cell-worker.js' */
/** @import { Cell } from '../../run/plan/types.js' */
/** @import { DistantServer, GroupContext, Place, RunContext, StartWorkers } from '../../run/types.js' */
/** @import { Target } from '../../server/types.js' */
/** @import { Summary } from '../../store/types.js' */
/** @import { Breakdown, CellBreakdown, SeenInWorker } from './types.js' */

const PROGRAM = {
  does: 'notes when replies arrive',
  entry: new URL('./relay-entry.js', import.meta.url),
};
const WITHOUT_DELAY = { rttMs: 0, jitterPercent: 0 };
/** A slice takes as long as so many operations, within bounds. */
const USUAL = { warmUpMs: 1200, slices: 5, operations: 3000, leastMs: 100, mostMs: 1500 };
const SMOKE = { ...USUAL, warmUpMs: 100, slices: 3, operations: 500 };
const PINGS = { count: 200, mostMs: 500 };
const NO_BATCHES = { batches: 0, commands: 0, heldMs: 0, waitedMs: 0 };
/** A relay that waits less for CPU is not worth a line. */
const SHORT_OF_CPU = 0.1;

/**
 * Runs a cell once more, through a relay that notes when replies arrive, in a process that notes what passes its sockets.
 * @param {Cell} cell after its timed runs; its process has ended
 * @param {GroupContext} context
 * @param {(known: {breakdown: CellBreakdown}) => void} learn
 * @returns {Promise<boolean>} whether its keys were removed
 */
export async function takeBreakdown(cell, context, learn) {
  const { soFar, onEvent, signal } = context;
  const summary = soFar(cell.group).cells.find(({ id }) => id === cell.id)?.summary ?? null;
  if (summary === null || cell.floor || signal.aborted) return true;
  const place = context.placeOf(cell);
  const host = createHost();
  const interrupt = () => host.started(cell)?.interrupt();
  signal.addEventListener('abort', interrupt);
  /** @type {DistantServer | null} */
  let relay = null;
  try {
    assertPossible(cell, context);
    onEvent({ type: 'breakdown', cell });
    const { distance = WITHOUT_DELAY } = cell;
    // Bytes of TLS cannot be counted in between, and nothing stands between the ends of a unix socket.
    if (cell.transport === 'tcp')
      relay = startDistantServer(distance, [cell], { ...context, ...place, program: PROGRAM });
    const relayUs = relay && (await hopOf(relay, cell, place));
    const own = { ...context, ...place, distant: relay, startWorkers: startWatched };
    learn({ breakdown: { ...(await takeSlices(cell, own, host, summary)), relayUs } });
  } catch (error) {
    if (!signal.aborted)
      onEvent({ type: 'note', cell, fact: { kind: 'no-breakdown', why: messageOf(error) } });
  }
  signal.removeEventListener('abort', interrupt);
  const isRemoved = await host.leave('finish');
  await Promise.all([host.end(), relay?.end()]);
  return isRemoved;
}

/** @param {Cell} cell @param {GroupContext} context @throws {RunError} */
function assertPossible(
  { scenario, client, topology, readFrom, chosen, way },
  { startWorkers: elsewhere, catalogue },
) {
  const request = requestOf(chosen.workload, catalogue);
  const isOneByOne =
    (request && (way === 'one-by-one' || request.kind.isBackfill)) ||
    catalogue.workloads.get(chosen.workload.id)?.iterate !== undefined;
  const why = elsewhere
    ? 'its load comes from other machines'
    : catalogue.scenarios.get(scenario)?.opensDuringRun
      ? 'its operations open connections'
      : catalogue.clients.get(client)?.caches
        ? 'its client may answer from a cache'
        : topology === 'cluster' || readFrom === 'replica'
          ? 'each of its connections is several sockets'
          : isOneByOne
            ? 'its operations may send one command after the reply to another'
            : null;
  if (why !== null) throw new RunError(why);
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
async function hopOf(relay, { transport, pin, distance = WITHOUT_DELAY }, { server, placer }) {
  const beforeMs = sharedClock();
  const relaysMs = await relay.ask('clock');
  if (!(relaysMs >= beforeMs && relaysMs <= sharedClock())) throw new RunError(NO_CLOCK);
  const worker = startBareWorker(placer.placementFor(pin).workerCpus);
  /** @param {Target | undefined} target */
  const ping = async (target) => (await worker.call('round-trips', { target, ...PINGS })).p50Us;
  try {
    const direct = await ping(server.targets[transport]);
    const through = await relay.targetOf(transport);
    const lateUs = (await ping(through)) - direct - distance.rttMs * 1000;
    if (distance.rttMs === 0) return lateUs;
    await relay.correct(Math.max(0, lateUs));
    return (await ping(through)) - direct - distance.rttMs * 1000;
  } finally {
    await worker.kill();
  }
}

const NO_CLOCK = 'processes of this machine do not share a clock';

/**
 * @param {Cell} cell
 * @param {RunContext} context
 * @param {Host} host
 * @param {Summary} timed
 * @returns {Promise<Omit<CellBreakdown, 'relayUs'>>}
 */
async function takeSlices(cell, context, host, timed) {
  const { settings, distant, onEvent } = context;
  const worker = createCellWorker(cell, context, { learn() {} }, host);
  await worker.begin();
  const own = present(worker.started());
  await own.call('follow-operations');
  const length = settings.smoke ? SMOKE : USUAL;
  await worker.observe({ durationMs: length.warmUpMs });
  const wantedMs = (length.operations / timed.opsPerSecond) * 1000;
  let durationMs = Math.min(length.mostMs, Math.max(length.leastMs, wantedMs));
  /** @type {(Breakdown & {operations: number})[]} */
  const slices = [];
  const relay = { worker: await distant?.pid(), servers: [], cpus: null };
  let [waitedMs, elapsedMs] = [0, 0];
  while (slices.length < length.slices) {
    await Promise.all([own.call('begin-breakdown'), distant?.ask('begin-breakdown')]);
    const before = readRunQueue(relay);
    const beforeMs = sharedClock();
    const { measured } = await worker.observe({ durationMs });
    const waits = queuedBetween(before, readRunQueue(relay));
    /** @type {SeenInWorker[]} */
    const seen = await own.call('take-breakdown');
    const arrived = await distant?.ask('take-breakdown');
    if (sum(seen.map(({ startedAt }) => startedAt.length)) < 2 * FEWEST && durationMs < length.mostMs) {
      durationMs = Math.min(length.mostMs, 2 * durationMs);
      continue;
    }
    const { startedAtMs, errors, wrongReplies, taskIterations } = measured;
    if (startedAtMs < beforeMs || startedAtMs > sharedClock()) throw new RunError(NO_CLOCK);
    const [failure] = wrongReplies > 0 ? ['wrong replies'] : Object.keys(errors);
    if (failure !== undefined) throw new RunError(failure);
    const operations = sum(taskIterations);
    const cpuUs = metricNamed('cpuUsPerOp').from?.({ ...measured, operations, batches: NO_BATCHES });
    const timedUs = timed.client.cpuUsPerOp;
    const cpuRatio = cpuUs && timedUs ? cpuUs / timedUs : null;
    slices.push({ ...breakDown(seen, arrived ?? null), cpuRatio });
    waitedMs += waits.workerQueuedMs ?? 0;
    elapsedMs += measured.elapsedMs;
  }
  const share = waitedMs / elapsedMs;
  if (share > SHORT_OF_CPU) onEvent({ type: 'note', cell, fact: { kind: 'relay-waited', share } });
  return {
    ...meanOf(slices),
    operations: sum(slices.map(({ operations }) => operations)),
    slices: slices.map(({ p50, p99, cpuRatio }) => ({ p50, p99, cpuRatio })),
  };
}
