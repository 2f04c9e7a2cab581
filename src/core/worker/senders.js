import { usesInTurn } from './connector.js';
import { createBatchSender, createBorrowedOperation, createOperation } from './operations.js';
import { inUnits } from './turn-clock.js';

/** @import { Connection, Lease, Step } from '../plugins/types.js' */
/** @import { AppWork } from './busy-work.js' */
/** @import { Uses } from './connector.js' */
/** @import { Loop, Recorder, Schedule, Turn } from './types.js' */

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
    sendRecorder.done(sentAt);
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

/**
 * @typedef {{lease: Lease, tasks: number, batchSize?: number, mostOperations: number,
 *   appWork: Pick<AppWork, 'after'> | null, senders: Omit<SenderWork, 'onEnd'>}} TrafficWork `tasks`: whose connections
 *   operations take in turn; `mostOperations`: in flight at once
 */

/** The operations of an open loop that are in flight. @param {TrafficWork} work */
export function createTraffic({ lease, tasks, batchSize, mostOperations, appWork, senders }) {
  const counts = { inFlight: 0, most: 0, acknowledged: 0, failed: 0 };
  /** @type {Sender[]} */
  const free = [];
  const nextUse = usesInTurn(lease, tasks);
  let onEnd = () => {};

  const createNext = batchSize === undefined ? createSingleSender : createBatchingSender;
  /** @type {SenderWork} */
  const senderWork = {
    ...senders,
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
