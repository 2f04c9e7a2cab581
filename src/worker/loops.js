import { setImmediate as nextTurn } from 'node:timers/promises';
import { borrowOf } from './connections.js';
import { createBatchSender, createBorrowedOperation, createOperation } from './operations.js';

/** @import { BatchMeter, Connection, Cycle, Items, Lease, Step } from '../plugins/types.js' */
/** @import { Recorder } from './recorder.js' */
/** @import { createTally } from './failures.js' */
/** @import { RunControl } from './types.js' */

/**
 * `turns`: those of the event loop in which something was answered
 * @typedef {{items: Items, cycle: Cycle, limit: number, control: RunControl, turns: {count: number}, recorder: Recorder,
 *   meter: BatchMeter, tally: ReturnType<typeof createTally>}} Loop
 */

/**
 * A client that answers out of a cache keeps the event loop from turning: no timer fires, and the run cannot be stopped.
 * So each task looks whether it has turned, every so many iterations.
 */
const LOOK_EVERY = 1024;

/**
 * Runs all tasks at once and times each task's own loop, as the Node Redis Pipelining Test did.
 * @param {Omit<Loop, 'limit'> & {lease: Lease, tasks: number, batchSize?: number, iterations?: number,
 *   begin?: () => Promise<unknown>}} work without `iterations` it goes on until it is stopped; `begin` resolves at its start
 */
export async function measure({ lease, tasks, iterations, begin, ...work }) {
  const { batchSize } = work;
  const loop = { ...work, limit: iterations ?? Number.POSITIVE_INFINITY };
  await begin?.();
  /** @param {number} index */
  function startTask(index) {
    if (batchSize !== undefined) return runInBatches(borrowOf(lease, index), batchSize, loop);
    return lease.forTask ? runOn(lease.forTask(index), loop) : runBorrowing(borrowOf(lease, index), loop);
  }
  let going = tasks;
  loop.control.unanswered = () => going * (batchSize ?? 1);
  const startedAt = performance.now();
  const results = await Promise.all(
    Array.from({ length: tasks }, async (_, index) => {
      const result = await startTask(index);
      going--;
      return result;
    }),
  );
  return {
    elapsedMs: performance.now() - startedAt,
    taskElapsedMs: results.map((task) => task.elapsedMs),
    taskIterations: results.map((task) => task.done),
  };
}

/** A task that keeps its connection. @param {Connection} connection @param {Loop} loop */
const runOn = (connection, { limit, control, turns, recorder, ...loop }) =>
  new Promise((/** @type {(result: {done: number, elapsedMs: number}) => void} */ resolve) => {
    const keepsLoop = watchTurns(turns);
    const startedAt = performance.now();
    let operationStart = recorder.start();
    let done = 0;

    const start = createOperation(loop, { onDone, onError });

    function onDone(/** @type {Step[] | undefined} */ did) {
      operationStart = recorder.done(operationStart, 1, did);
      done++;
      if (done >= limit || control.stopped) end();
      else if (keepsLoop()) setImmediate(start, connection);
      else start(connection);
    }
    function onError(/** @type {unknown} */ error) {
      loop.tally.error(error);
      end();
    }
    const end = () => resolve({ done, elapsedMs: performance.now() - startedAt });

    if (control.stopped || limit === 0) end();
    else start(connection);
  });

/** A task that borrows a connection for each iteration. @param {NonNullable<Lease['borrow']>} borrow @param {Loop} loop */
async function runBorrowing(borrow, { limit, control, turns, recorder, ...loop }) {
  const keepsLoop = watchTurns(turns);
  const iterate = createBorrowedOperation(loop);
  const startedAt = performance.now();
  let operationStart = recorder.start();
  let done = 0;
  try {
    while (done < limit && !control.stopped) {
      const did = await borrow(iterate);
      operationStart = recorder.done(operationStart, 1, did);
      done++;
      if (keepsLoop()) await nextTurn();
    }
  } catch (error) {
    loop.tally.error(error);
  }
  return { done, elapsedMs: performance.now() - startedAt };
}

/** A task that sends iterations in batches. @param {NonNullable<Lease['borrow']>} borrow @param {number} batchSize @param {Loop} loop */
async function runInBatches(borrow, batchSize, { limit, control, turns, recorder, ...loop }) {
  const keepsLoop = watchTurns(turns);
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
      if (keepsLoop()) await nextTurn();
    }
  } catch (error) {
    loop.tally.error(error, size);
  }
  return { done, elapsedMs: performance.now() - startedAt };
}

/** @param {Loop['turns']} turns @returns {() => boolean} asked after each iteration: whether the event loop stands still */
function watchTurns(turns) {
  let asked = 0;
  let seen = -1;
  return () => {
    if (++asked % LOOK_EVERY !== 0) return false;
    const stands = turns.count === seen;
    seen = turns.count;
    return stands;
  };
}
