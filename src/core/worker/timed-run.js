import { followedByWork } from './busy-work.js';
import { borrowOf } from './connector.js';
import { runBorrowing, runInBatches, runOn } from './loops.js';
import { startMeters } from './meters/all-meters.js';
import { keepPace, startTurns } from './paced-loop.js';
import { createCommandRecorder, createRecorder, recorderIf } from './recorder.js';
import { createSchedule, startTogether } from './schedule.js';
import { createTraffic } from './senders.js';
import { createTally } from './tally.js';
import { createExactClock, createTurnClock, UNITS_PER_MS } from './turn-clock.js';

/** @import { Lease, OpenedWorkload } from '../plugins/types.js' */
/** @import { Work, createConnections } from './cell.js' */
/** @import { ArrivalTimes } from '../../messages/worker.js' */
/** @import { Messages } from '../../messages/worker.js' */
/** @import { Job, Measured, OpenLoopCounts, Recorder, RunControl, RunLength, Second, Loop, Part, Turn } from './types.js' */
/** @import { OpenLoopPlan } from '../plan/types.js' */
/** @import { SenderWork, TrafficWork } from './senders.js' */
/** @import { Paced } from './paced-loop.js' */

/** @typedef {Awaited<ReturnType<typeof createConnections>>} Connections */

/**
 * @typedef {Work & {connections: Connections, messages: Messages | null, control: RunControl, onSecond: (second: Second) => void}} RunWork
 * @typedef {RunLength & {startAtMs?: number}} Length
 */

const NO_OPERATIONS = { position: () => 0, commandsIn: () => ({}) };

/** One run of a cell. @param {Job} job @param {RunWork} work @param {Length} length */
export async function timedRun(job, work, length) {
  const { connections, messages } = work;
  const arrivals = messages?.elsewhere?.begin();
  const meters = startMeters({
    ...work,
    ...(messages?.receive !== undefined && { cycle: NO_OPERATIONS }),
  });
  const turns = { count: 0 };
  const turnClock = createTurnClock(meters.atTurn, (ms) => {
    turns.count++;
    meters.atTurnEnd?.(ms);
  });
  // An answer out of a cache comes in the turn in which it was asked for.
  const isExact = work.appWork !== null || connections.answeredByCaches() !== null;
  const clock = isExact ? createExactClock(turnClock) : turnClock;
  const isTimed = job.latency && messages?.elsewhere === undefined && messages?.receive === undefined;
  const allTogether = recorderIf(isTimed, clock);
  const apart = work.perCommand && job.latency ? createCommandRecorder(allTogether, work.steps) : null;
  const recorder = apart ?? allTogether;
  let startedAtMs = 0;
  const measured = await runLoop(job, length, {
    ...work,
    arrivals,
    lease: connections.lease,
    tasks: job.tasks,
    turns,
    clock,
    recorder,
    async begin() {
      startedAtMs = await startTogether(length.startAtMs);
      meters.begin();
      return startedAtMs;
    },
  });
  await messages?.settled();
  const operations = measured.taskIterations.reduce((sum, done) => sum + done, 0);
  return {
    openLoop: null,
    ...measured,
    startedAtMs,
    ...(await meters.take(operations)),
    latencyHdr: (arrivals?.latencies ?? recorder).encode(),
    commandHdrs: apart?.encodeEach() ?? {},
  };
}

/**
 * @param {Job} job @param {Length} length
 * @param {RunWork & {arrivals?: ArrivalTimes, lease: Lease, tasks: number, turns: {count: number}, clock: () => number,
 *   recorder: Recorder, begin: () => Promise<number>}} work
 * @returns {Promise<Measured & {openLoop?: OpenLoopCounts}>}
 */
async function runLoop(job, { iterations, durationMs = 0, ratePerSecond }, work) {
  const { messages, appWork, arrivals, recorder } = work;
  if (messages?.receive !== undefined) {
    const startedAtMs = await work.begin();
    const { lastAtMs } = await messages.receive();
    const elapsedMs = Math.max(0, lastAtMs - startedAtMs);
    return { elapsedMs, taskElapsedMs: [], taskIterations: [], ...createTally(work.control).counts() };
  }
  if (job.load === null) {
    const followed = appWork === null ? recorder : followedByWork(recorder, appWork);
    return measure({ ...work, iterations, recorder: followed });
  }
  return runOpenLoop({
    ...work,
    tally: createTally(work.control),
    seed: job.seed,
    part: messages?.elsewhere?.part ?? job.part,
    intend: arrivals?.intend,
    fromSend: arrivals?.fromSend,
    durationMs,
    load: { ...job.load, ratePerSecond: ratePerSecond ?? job.load.ratePerSecond },
    mostOperations: Math.floor(job.load.maxInFlight / work.commandsAtOnce),
    waits: mayNap(job, work) ? 'naps' : 'exact',
    latency: job.latency,
  });
}

/**
 * Looking at the clock keeps other processes of the cell from a shared processor until the kernel's next tick. So it naps,
 * where nothing else can come meanwhile. @param {Job} job @param {Pick<RunWork, 'messages'>} work
 */
const mayNap = ({ part }, { messages }) => part.count > 1 && messages === null;

/**
 * Runs all tasks at once and times each task's own loop, as the Node Redis Pipelining Test did.
 * @param {Omit<Loop, 'tally' | 'limit'> & {lease: Lease, tasks: number, batchSize?: number, iterations?: number,
 *   begin?: () => Promise<unknown>}} work without `iterations` it goes on until it is stopped; `begin` resolves at its start
 * @returns {Promise<Measured>}
 */
export async function measure({ lease, tasks, iterations, begin, ...work }) {
  const { control, batchSize } = work;
  const tally = createTally(control);
  const loop = { ...work, tally, limit: iterations ?? Number.POSITIVE_INFINITY };
  await begin?.();
  const startedAt = performance.now();
  const results = await Promise.all(
    Array.from({ length: tasks }, (_, index) => {
      if (batchSize !== undefined) return runInBatches(borrowOf(lease, index), batchSize, loop);
      return lease.forTask ? runOn(lease.forTask(index), loop) : runBorrowing(borrowOf(lease, index), loop);
    }),
  );
  const elapsedMs = performance.now() - startedAt;
  return {
    elapsedMs,
    taskElapsedMs: results.map((task) => task.elapsedMs),
    taskIterations: results.map((task) => task.done),
    ...tally.counts(),
  };
}

const SECOND_MS = 1000;

/**
 * @typedef {{load: Omit<OpenLoopPlan, 'search' | 'sloMs'>, seed: number, part: Part, own?: OpenedWorkload | null,
 *   clock: () => number, latency: boolean, onSecond?: (second: Second) => void, fromSend?: Pick<Recorder, 'encode'>,
 *   begin?: () => Promise<unknown>}} OpenLoop `own`: may have recorded times; `fromSend`: latencies from when an operation
 *   was sent, if counted elsewhere; the run starts when `begin` returns
 * @typedef {OpenLoop & Omit<TrafficWork, 'senders'> & Omit<SenderWork, 'onEnd' | 'schedule' | 'turn' | 'sendRecorder'>
 *   & Pick<Paced, 'durationMs' | 'control' | 'waits'>} OpenLoopWork
 */

/** @param {OpenLoopWork} work @returns {Promise<Measured & {openLoop: OpenLoopCounts}>} */
async function runOpenLoop(work) {
  const { load, clock, durationMs, latency, tally } = work;
  const recorded = load.arrivals === 'recorded' ? work.own?.schedule(load) : undefined;
  const schedule = recorded ?? createSchedule({ ...load, seed: work.seed, part: work.part });
  const sendRecorder = createRecorder(clock);
  const lateness = createLateness(clock);
  await work.begin?.();
  const turn = startTurns();
  const { counts, ...traffic } = createTraffic({
    ...work,
    senders: { ...work, turn, schedule, sendRecorder },
  });
  const { elapsedMs, ...sending } = await keepPace(turn, {
    ...work,
    schedule,
    whenFull: load.whenFull,
    sender: {
      ...traffic,
      start(scheduledMs, first, operations) {
        lateness.add(turn.nowMs - scheduledMs, operations);
        traffic.start(scheduledMs, first, operations);
      },
    },
    onLook: createSeconds(work.onSecond, (ms, { sent, dropped }) => ({
      intended: schedule.due(Math.min(ms, durationMs)),
      sent,
      dropped,
      acknowledged: counts.acknowledged,
      inFlight: counts.inFlight,
      latenessMs: lateness.lastMs(),
    })),
    onFull(ms) {
      if (load.whenFull === 'fail') tally.error(new Error(fullText(load, ms)));
    },
  });
  return {
    elapsedMs,
    taskElapsedMs: [elapsedMs],
    taskIterations: [counts.acknowledged],
    ...tally.counts(),
    openLoop: {
      ...sending,
      ...(recorded && { intendedPerSecond: (schedule.due(durationMs) / durationMs) * 1000 }),
      failed: counts.failed,
      inFlightMax: counts.most,
      waitedMs: turn.waitedMs,
      latenessHdr: latency ? lateness.encode() : null,
      fromSendHdr: latency ? (work.fromSend ?? sendRecorder).encode() : null,
    },
  };
}

/**
 * @param {OpenLoop['onSecond']} onSecond
 * @param {(elapsedMs: number, sent: {sent: number, dropped: number}) => Omit<Second, 'second' | 'rssBytes'>} read
 * @returns {Paced['onLook']}
 */
function createSeconds(onSecond, read) {
  let nextMs = SECOND_MS;
  return (elapsedMs, sent) => {
    if (elapsedMs < nextMs) return;
    const second = Math.floor(elapsedMs / SECOND_MS);
    nextMs = (second + 1) * SECOND_MS;
    onSecond?.({ second, ...read(elapsedMs, sent()), rssBytes: process.memoryUsage.rss() });
  };
}

/** @param {OpenLoop['load']} load @param {number} elapsedMs */
const fullText = ({ maxInFlight, ratePerSecond }, elapsedMs) =>
  `it hit --max-in-flight (${maxInFlight}) after ${(elapsedMs / 1000).toFixed(1)} s: ` +
  `it could not sustain ${ratePerSecond}/s`;

/** How late the operations of an open loop are sent. @param {() => number} clock of this turn of the event loop */
function createLateness(clock) {
  const recorder = createRecorder(clock);
  let lastMs = 0;
  return {
    /** @param {number} lateMs @param {number} operations that are sent now */
    add(lateMs, operations) {
      lastMs = lateMs;
      recorder.count(lateMs * UNITS_PER_MS, operations);
    },

    /** Of the operation that was sent last. */
    lastMs: () => lastMs,
    encode: recorder.encode,
  };
}
