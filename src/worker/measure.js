import { runBorrowing, runInBatches, runOn } from './loops.js';
import { keepPace, startTurns } from './paced-loop.js';
import { createRecorder } from './recorder.js';
import { createSchedule } from './schedule.js';
import { createTraffic } from './senders.js';
import { createTally } from './tally.js';
import { UNITS_PER_MS } from './turn-clock.js';
import { borrowOf } from './uses.js';

/** @import { OpenLoopPlan } from '../plan/types.js' */
/** @import { Lease, OpenedWorkload } from '../plugins/types.js' */
/** @import { SenderWork, TrafficWork } from './senders.js' */
/** @import { Paced } from './paced-loop.js' */
/** @import { Loop, Measured, OpenLoopCounts, Part, Recorder, Second, Turn } from './types.js' */

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
export async function runOpenLoop(work) {
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
