import { openBatch } from '../plugins/shared/command-batch.js';

/**
 * @import { BatchMeter, Connection, Cycle, Item, Items, Lease, Step, Tally } from '../plugins/types.js'
 * @import { Recorder } from './types.js'
 */

/**
 * The loops that the tool stands or falls with. Between two awaits of the client's own promise there
 * is a comparison, a call and a counter, and nothing else (no wrapping promise, no clock, no callback).
 * The recorder reads the clock once in a turn of the event loop.
 *
 * @typedef {object} Loop
 * @property {Items} items
 * @property {Cycle} cycle
 * @property {number} limit iterations of each task
 * @property {{stopped: boolean}} control
 * @property {Recorder} recorder
 * @property {BatchMeter} meter
 * @property {Tally} tally
 */

/**
 * A task that keeps its connection.
 *
 * @param {Connection} connection
 * @param {Loop} loop
 */
export async function runOn(connection, { items, cycle, limit, control, recorder, tally }) {
  const startedAt = performance.now();
  let operationStart = recorder.start();
  let done = 0;
  try {
    while (done < limit && !control.stopped) {
      const item = items.next();
      const steps = cycle.next();
      for (let index = 0; index < steps.length; index++) {
        const step = steps[index];
        const reply = await step.send(connection, item);
        if (!step.accept(reply, item)) tally.wrong(step, reply);
      }
      operationStart = recorder.done(operationStart);
      done++;
    }
  } catch (error) {
    tally.error(error);
  }
  return { done, elapsedMs: performance.now() - startedAt };
}

/**
 * A task that gets a connection for each iteration.
 *
 * @param {NonNullable<Lease['borrow']>} borrow
 * @param {Loop} loop
 */
export async function runBorrowing(borrow, { items, cycle, limit, control, recorder, tally }) {
  const startedAt = performance.now();
  let operationStart = recorder.start();
  let done = 0;
  /** @param {Connection} connection */
  const iterate = async (connection) => {
    const item = items.next();
    const steps = cycle.next();
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index];
      const reply = await step.send(connection, item);
      if (!step.accept(reply, item)) tally.wrong(step, reply);
    }
  };
  try {
    while (done < limit && !control.stopped) {
      await borrow(iterate);
      operationStart = recorder.done(operationStart);
      done++;
    }
  } catch (error) {
    tally.error(error);
  }
  return { done, elapsedMs: performance.now() - startedAt };
}

/**
 * A task that sends several iterations at once and waits for all their replies. The last batch may be
 * smaller; it is sent and counted like the others.
 *
 * @param {NonNullable<Lease['borrow']>} borrow
 * @param {number} batchSize iterations
 * @param {Loop} loop
 */
export async function runInBatches(
  borrow,
  batchSize,
  { items, cycle, limit, control, recorder, meter, tally },
) {
  const startedAt = performance.now();
  let operationStart = recorder.start();
  let done = 0;
  let size = 0;
  let failed = 0;
  /** @type {Step[]} */
  const sent = [];
  /** @type {Item[]} */
  const sentWith = [];

  /** @param {Connection} connection */
  const sendBatch = async (connection) => {
    const batch = openBatch(connection);
    let commands = 0;
    for (let iteration = 0; iteration < size; iteration++) {
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
    failed = 0;
    for (let index = 0; index < commands; index++) {
      const reply = replies[index];
      if (reply instanceof Error) {
        tally.error(reply);
        failed++;
      } else if (!sent[index].accept(reply, sentWith[index])) tally.wrong(sent[index], reply);
    }
  };
  try {
    while (done < limit && !control.stopped) {
      size = Math.min(batchSize, limit - done);
      await borrow(sendBatch);
      const succeeded = Math.max(0, size - failed);
      operationStart = recorder.done(operationStart, succeeded);
      done += succeeded;
    }
  } catch (error) {
    tally.error(error, size);
  }
  return { done, elapsedMs: performance.now() - startedAt };
}
