import { createBatchSender, createBorrowedOperation, createOperation } from './operations.js';

/**
 * @import { Connection, Lease, Step } from '../plugins/types.js'
 * @import { Loop, TaskResult } from './types.js'
 */

/**
 * A task that keeps its connection: the next operation starts when the last is answered.
 *
 * @param {Connection} connection
 * @param {Loop} loop
 * @returns {Promise<TaskResult>}
 */
export const runOn = (connection, { limit, control, recorder, ...loop }) =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    let operationStart = recorder.start();
    let done = 0;

    const start = createOperation(loop, { onDone, onError });

    function onDone(/** @type {Step[] | undefined} */ did) {
      operationStart = recorder.done(operationStart, 1, did);
      done++;
      if (done < limit && !control.stopped) start(connection);
      else end();
    }
    function onError(/** @type {unknown} */ error) {
      loop.tally.error(error);
      end();
    }
    const end = () => resolve({ done, elapsedMs: performance.now() - startedAt });

    if (control.stopped || limit === 0) end();
    else start(connection);
  });

/**
 * A task that borrows a connection for each iteration.
 *
 * @param {NonNullable<Lease['borrow']>} borrow
 * @param {Loop} loop
 * @returns {Promise<TaskResult>}
 */
export async function runBorrowing(borrow, { limit, control, recorder, ...loop }) {
  const iterate = createBorrowedOperation(loop);
  const startedAt = performance.now();
  let operationStart = recorder.start();
  let done = 0;
  try {
    while (done < limit && !control.stopped) {
      const did = await borrow(iterate);
      operationStart = recorder.done(operationStart, 1, did);
      done++;
    }
  } catch (error) {
    loop.tally.error(error);
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
 * @returns {Promise<TaskResult>}
 */
export async function runInBatches(borrow, batchSize, { limit, control, recorder, ...loop }) {
  const send = createBatchSender(loop);
  const startedAt = performance.now();
  let operationStart = recorder.start();
  let done = 0;
  let size = 0;
  /** @param {Connection} connection */
  const sendBatch = (connection) => send(connection, size);
  try {
    while (done < limit && !control.stopped) {
      size = Math.min(batchSize, limit - done);
      const answered = await borrow(sendBatch);
      operationStart = recorder.done(operationStart, answered);
      done += answered;
    }
  } catch (error) {
    loop.tally.error(error, size);
  }
  return { done, elapsedMs: performance.now() - startedAt };
}
