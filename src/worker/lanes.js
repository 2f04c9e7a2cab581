import { openBatch } from '../plugins/shared/command-batch.js';
import { inUnits } from './turn-clock.js';

/**
 * @import { BatchMeter, Connection, Cycle, Item, Items, Lease, Step, Tally } from '../plugins/types.js'
 * @import { Recorder, Schedule } from './types.js'
 */

/**
 * Lanes carry the operations of an open loop that are under way, one (or one batch) each. A lane and
 * its handlers are made once and used again for the next operation: at hundreds of thousands of
 * operations a second a closure for each of them would be most of what the tool costs.
 *
 * @typedef {object} Traffic
 * @property {Items} items
 * @property {Cycle} cycle
 * @property {Tally} tally
 * @property {BatchMeter} meter
 * @property {Schedule} schedule
 * @property {number} startedAt in the recorder's units
 * @property {Recorder} recorder from when it was meant to start
 * @property {Recorder} sendRecorder from when it was sent
 * @property {(lane: Lane, operations: number, failed: boolean) => void} onEnd
 *
 * @typedef {object} Lane
 * @property {(uses: Uses, scheduledAt: number, sentAt: number, first: number, operations: number) => void} start
 *
 * @typedef {{connection: Connection | null, borrow: NonNullable<Lease['borrow']>}} Uses
 */

/**
 * A lane for single operations.
 *
 * @param {Traffic} traffic
 * @returns {Lane}
 */
export function createLane({ items, cycle, tally, recorder, sendRecorder, onEnd }) {
  let scheduledAt = 0;
  let sentAt = 0;
  /** @type {Item} */
  let item;
  /** @type {Step[]} */
  let steps = [];
  let position = 0;
  /** @type {Connection} */
  let connection;

  function sendStep() {
    try {
      /** @type {Promise<unknown>} */ (steps[position].send(connection, item)).then(onReply, onError);
    } catch (error) {
      onError(error);
    }
  }

  function onReply(/** @type {unknown} */ reply) {
    const step = steps[position];
    if (!step.accept(reply, item)) tally.wrong(step, reply);
    position++;
    if (position < steps.length) sendStep();
    else onDone();
  }

  function onDone() {
    recorder.done(scheduledAt);
    sendRecorder.done(sentAt);
    onEnd(lane, 1, false);
  }

  function onError(/** @type {unknown} */ error) {
    tally.error(error);
    onEnd(lane, 1, true);
  }

  /** @param {Connection} lent */
  async function iterate(lent) {
    for (const step of steps) {
      const reply = await step.send(lent, item);
      if (!step.accept(reply, item)) tally.wrong(step, reply);
    }
  }

  const lane = {
    /** @type {Lane['start']} */
    start(uses, scheduled, sent) {
      scheduledAt = scheduled;
      sentAt = sent;
      item = items.next();
      steps = cycle.next();
      position = 0;
      if (uses.connection === null) {
        uses.borrow(iterate).then(onDone, onError);
        return;
      }
      connection = uses.connection;
      sendStep();
    },
  };
  return lane;
}

/**
 * A lane for batches: one pipeline of several operations, each with its own scheduled start.
 *
 * @param {Traffic} traffic
 * @returns {Lane}
 */
export function createBatchLane({
  items,
  cycle,
  tally,
  meter,
  schedule,
  startedAt,
  recorder,
  sendRecorder,
  onEnd,
}) {
  let sentAt = 0;
  let first = 0;
  let operations = 0;
  /** @type {Step[]} */
  const sent = [];
  /** @type {Item[]} */
  const sentWith = [];

  /** @param {Connection} connection */
  async function sendBatch(connection) {
    const batch = openBatch(connection);
    let commands = 0;
    for (let operation = 0; operation < operations; operation++) {
      const item = items.next();
      for (const step of cycle.next()) {
        step.send(batch, item);
        sent[commands] = step;
        sentWith[commands] = item;
        commands++;
      }
    }
    meter.sent(commands);
    const replies = await batch.exec();
    for (let index = 0; index < commands; index++) {
      const reply = replies[index];
      if (reply instanceof Error) throw reply;
      if (!sent[index].accept(reply, sentWith[index])) tally.wrong(sent[index], reply);
    }
  }

  function onDone() {
    for (let operation = first; operation < first + operations; operation++) {
      recorder.done((startedAt + inUnits(schedule.at(operation))) | 0);
    }
    sendRecorder.done(sentAt, operations);
    onEnd(lane, operations, false);
  }

  function onError(/** @type {unknown} */ error) {
    tally.error(error);
    onEnd(lane, operations, true);
  }

  const lane = {
    /** @type {Lane['start']} */
    start(uses, _scheduledAt, at, from, count) {
      sentAt = at;
      first = from;
      operations = count;
      const done = uses.connection === null ? uses.borrow(sendBatch) : sendBatch(uses.connection);
      done.then(onDone, onError);
    },
  };
  return lane;
}
