import { borrowOf } from './connections.js';
import { createBatchSender, createBorrowedOperation, createOperation } from './operations.js';
import { keepPace, startTurns } from './paced-loop.js';
import { createRecorder, inUnits, UNITS_PER_MS, withoutWaiting } from './recorder.js';
import { createSchedule } from './schedule.js';

/** @import { Connection, Lease, Step } from '../plugins/types.js' */
/** @import { TimedRun } from './cell.js' */
/** @import { Loop } from './loops.js' */
/** @import { Turn } from './paced-loop.js' */
/** @import { Recorder } from './recorder.js' */
/** @import { Job, RunLength, Schedule } from './types.js' */
/** @import { OpenLoopPlan } from '../run/plan/types.js' */

const SECOND_MS = 1000;

/** @param {Job} job @param {OpenLoopPlan} planned @param {TimedRun} run @param {RunLength} length */
export async function runOpenLoop(job, planned, run, { durationMs = 0, ratePerSecond }) {
  const { arrivals, batchSize, clock, control, delivery, tally } = run;
  const load = { ...planned, ratePerSecond: ratePerSecond ?? planned.ratePerSecond };
  const recorded = load.arrivals === 'recorded' ? run.own?.schedule(load) : undefined;
  const part = delivery?.elsewhere?.part ?? job.part;
  const schedule = recorded ?? createSchedule({ ...load, seed: job.seed, part });
  const sendRecorder = withoutWaiting(createRecorder(clock), run.steps);
  const lateness = createRecorder(clock);
  let latenessMs = 0;
  let nextSecondMs = SECOND_MS;
  await run.begin();
  const turn = startTurns();
  const { counts, ...traffic } = createTraffic(job, {
    ...run,
    mostOperations: Math.floor(load.maxInFlight / run.commandsAtOnce),
    intend: arrivals?.intend,
    turn,
    schedule,
    sendRecorder,
  });
  control.unanswered = () => counts.inFlight;
  const { elapsedMs, ...sending } = await keepPace(turn, {
    schedule,
    batchSize,
    durationMs,
    control,
    whenFull: load.whenFull,
    // Looking at the clock keeps other processes of the cell from a shared processor until the kernel's next tick.
    waits: job.part.count > 1 && delivery === null ? 'naps' : 'exact',
    sender: {
      ...traffic,
      start(scheduledMs, first, operations) {
        latenessMs = turn.nowMs - scheduledMs;
        lateness.count(latenessMs * UNITS_PER_MS, operations);
        traffic.start(scheduledMs, first, operations);
      },
    },
    onLook(ms, read) {
      if (ms < nextSecondMs) return;
      const second = Math.floor(ms / SECOND_MS);
      nextSecondMs = (second + 1) * SECOND_MS;
      const { sent, dropped } = read();
      const { acknowledged, inFlight } = counts;
      const intended = schedule.due(Math.min(ms, durationMs));
      const rssBytes = process.memoryUsage.rss();
      run.onSecond({ second, intended, sent, dropped, acknowledged, inFlight, latenessMs, rssBytes });
    },
    onFull(ms) {
      if (load.whenFull !== 'fail') return;
      const sustained = `it could not sustain ${load.ratePerSecond}/s`;
      tally.error(
        new Error(
          `it hit --max-in-flight (${load.maxInFlight}) after ${(ms / 1000).toFixed(1)} s: ${sustained}`,
        ),
      );
    },
  });
  return {
    elapsedMs,
    taskElapsedMs: [elapsedMs],
    taskIterations: [counts.acknowledged],
    openLoop: {
      ...sending,
      // Where the rate follows a recording.
      ...(recorded && { intendedPerSecond: (schedule.due(durationMs) / durationMs) * 1000 }),
      failed: counts.failed,
      inFlightMax: counts.most,
      waitedMs: turn.waitedMs,
      latenessHdr: job.latency ? lateness.encode() : null,
      fromSendHdr: job.latency ? (arrivals?.fromSend ?? sendRecorder).encode() : null,
    },
  };
}

/**
 * @param {Pick<Job, 'tasks'>} job whose connections operations take in turn
 * @param {TimedRun & Omit<SenderWork, 'onEnd'> & {mostOperations: number}} work `mostOperations`: in flight at once
 */
function createTraffic({ tasks }, { mostOperations, ...work }) {
  const { appWork, batchSize, connections } = work;
  const counts = { inFlight: 0, most: 0, acknowledged: 0, failed: 0 };
  /** @type {Sender[]} */
  const free = [];
  const nextUse = usesInTurn(connections.lease, tasks);
  let onEnd = () => {};

  const createNext = batchSize === undefined ? createSingleSender : createBatchingSender;
  /** @type {SenderWork} */
  const senderWork = {
    ...work,
    onEnd(sender, operations, failed) {
      free.push(sender);
      counts.inFlight -= operations;
      counts.failed += failed;
      counts.acknowledged += operations - failed;
      appWork?.after(operations);
      onEnd();
    },
  };

  return {
    counts,
    inFlight: () => counts.inFlight,

    /** @param {() => void} listener */
    onEnd(listener) {
      onEnd = listener;
    },

    /** @param {number} operations */
    hasRoom: (operations) => counts.inFlight + operations <= mostOperations,

    /** @param {number} scheduledMs @param {number} first @param {number} operations that start together */
    start(scheduledMs, first, operations) {
      counts.inFlight += operations;
      if (counts.inFlight > counts.most) counts.most = counts.inFlight;
      const sender = free.pop() ?? createNext(senderWork);
      sender.start(nextUse(), scheduledMs, first, operations);
    },
  };
}

/** @typedef {{connection: Connection} | {borrow: NonNullable<Lease['borrow']>}} Uses */

/** @param {Lease} lease @param {number} tasks @returns {() => Uses} for the next operation: those of the tasks in turn */
function usesInTurn(lease, tasks) {
  const { forTask } = lease;
  if (!forTask) {
    const use = { borrow: borrowOf(lease, 0) };
    return () => use;
  }
  const uses = Array.from({ length: tasks }, (_, index) => ({ connection: forTask(index) }));
  let next = 0;
  return () => {
    const use = uses[next];
    next = next + 1 < uses.length ? next + 1 : 0;
    return use;
  };
}

/**
 * A sender carries one operation (or one batch) of an open loop at a time. It and its handlers are reused: at hundreds of
 * thousands of operations per second, closures for each of them would be most of what the tool costs.
 *
 * @typedef {Pick<Loop, 'items' | 'cycle' | 'tally' | 'meter' | 'recorder'> & {schedule: Schedule, turn: Turn,
 *   sendRecorder: Recorder, intend?: (scheduledAt: number) => void,
 *   onEnd: (sender: Sender, operations: number, failed: number) => void}} SenderWork
 *   `recorder`: from when it was meant to start; `sendRecorder`: from when it was sent; `intend` is called right before
 *   an operation is sent
 * @typedef {{start: (uses: Uses, scheduledMs: number, first: number, operations: number) => void}} Sender
 */

/** @param {SenderWork} work @returns {Sender} */
function createSingleSender({ items, cycle, tally, turn, recorder, sendRecorder, intend = () => {}, onEnd }) {
  let scheduledAt = 0;
  let sentAt = 0;

  function onDone(/** @type {Step[] | undefined} */ did) {
    recorder.done(scheduledAt, 1, did);
    sendRecorder.done(sentAt, 1, did);
    onEnd(sender, 1, 0);
  }
  function onError(/** @type {unknown} */ error) {
    tally.error(error);
    onEnd(sender, 1, 1);
  }
  const startOn = createOperation({ items, cycle, tally }, { onDone, onError });
  const iterate = createBorrowedOperation({ items, cycle, tally });
  const iterateNow = (/** @type {Connection} */ connection) => {
    intend(scheduledAt);
    return iterate(connection);
  };

  const sender = {
    /** @type {Sender['start']} */
    start(uses, scheduledMs) {
      scheduledAt = inUnits(scheduledMs);
      sentAt = inUnits(turn.nowMs);
      intend(scheduledAt);
      if ('connection' in uses) startOn(uses.connection);
      else uses.borrow(iterateNow).then(onDone, onError);
    },
  };
  return sender;
}

/** Sends one pipeline of several operations, each with its own scheduled start. @param {SenderWork} work @returns {Sender} */
function createBatchingSender({ schedule, turn, recorder, sendRecorder, onEnd, ...work }) {
  let sentAt = 0;
  let first = 0;
  let operations = 0;
  const send = createBatchSender(work);
  /** @param {Connection} connection */
  const sendBatch = (connection) => send(connection, operations);

  /** @param {number} answered */
  function onDone(answered) {
    // Which ones failed is unknown here: the first of them stand for those that were answered.
    for (let operation = first; operation < first + answered; operation++) {
      recorder.done(inUnits(turn.startedAtMs + schedule.at(operation)));
    }
    sendRecorder.done(sentAt, answered);
    onEnd(sender, operations, operations - answered);
  }
  function onError(/** @type {unknown} */ error) {
    work.tally.error(error, operations);
    onEnd(sender, operations, operations);
  }

  const sender = {
    /** @type {Sender['start']} */
    start(uses, _scheduledMs, from, count) {
      sentAt = inUnits(turn.nowMs);
      first = from;
      operations = count;
      const done = 'connection' in uses ? sendBatch(uses.connection) : uses.borrow(sendBatch);
      done.then(onDone, onError);
    },
  };
  return sender;
}
