import { messageOf } from '../errors.js';

/**
 * Runs all tasks at once and times each one's own loop, as the tool's first ancestor did.
 *
 * The loops below are what the tool stands or falls with: between two awaits of the client's own
 * promise there is a comparison, a call and a counter, and nothing else (no wrapping promise, no
 * clock, no callback). The recorder reads the clock once in a turn of the event loop.
 *
 * @param {object} work
 * @param {import('../types.js').Lease} work.lease
 * @param {import('../types.js').Items} work.items
 * @param {import('../types.js').Step[]} work.steps what one iteration does
 * @param {number} work.tasks
 * @param {number} [work.iterations] per task; without it the run ends after `durationMs`
 * @param {number} [work.durationMs]
 * @param {{stopped: boolean}} work.control the tasks end at their next iteration once it is stopped
 * @param {import('../types.js').Recorder} work.recorder
 * @returns {Promise<import('../types.js').Measured>}
 */
export async function measure({ lease, items, steps, tasks, iterations, durationMs, control, recorder }) {
  const tally = { control, wrongReplies: 0, firstWrongReply: null, errors: {} };
  const loop = { items, steps, limit: iterations ?? Number.POSITIVE_INFINITY, control, recorder, tally };
  const timer = durationMs === undefined ? undefined : setTimeout(() => (control.stopped = true), durationMs);
  const startedAt = performance.now();
  const results = await Promise.all(
    Array.from({ length: tasks }, (_, index) =>
      lease.forTask
        ? runOn(lease.forTask(index), loop)
        : runBorrowing(/** @type {NonNullable<typeof lease.borrow>} */ (lease.borrow), loop),
    ),
  );
  const elapsedMs = performance.now() - startedAt;
  clearTimeout(timer);
  return {
    elapsedMs,
    taskElapsedMs: results.map((task) => task.elapsedMs),
    taskIterations: results.map((task) => task.done),
    wrongReplies: tally.wrongReplies,
    firstWrongReply: tally.firstWrongReply,
    errors: tally.errors,
  };
}

/**
 * @typedef {object} Loop
 * @property {import('../types.js').Items} items
 * @property {import('../types.js').Step[]} steps
 * @property {number} limit
 * @property {{stopped: boolean}} control
 * @property {import('../types.js').Recorder} recorder
 * @property {Tally} tally
 *
 * @typedef {object} Tally
 * @property {{stopped: boolean}} control
 * @property {number} wrongReplies
 * @property {string | null} firstWrongReply
 * @property {Record<string, number>} errors by code
 */

/**
 * A task that keeps its connection.
 *
 * @param {import('../types.js').Connection} connection
 * @param {Loop} loop
 */
async function runOn(connection, { items, steps, limit, control, recorder, tally }) {
  const startedAt = performance.now();
  let operationStart = recorder.start();
  let done = 0;
  try {
    while (done < limit && !control.stopped) {
      const item = items.next();
      for (let index = 0; index < steps.length; index++) {
        const step = steps[index];
        const reply = await step.send(connection, item);
        if (!step.accept(reply, item)) countWrong(tally, step, reply);
      }
      operationStart = recorder.done(operationStart);
      done++;
    }
  } catch (error) {
    countError(tally, error);
  }
  return { done, elapsedMs: performance.now() - startedAt };
}

/**
 * A task that gets a connection for each iteration.
 *
 * @param {NonNullable<import('../types.js').Lease['borrow']>} borrow
 * @param {Loop} loop
 */
async function runBorrowing(borrow, { items, steps, limit, control, recorder, tally }) {
  const startedAt = performance.now();
  let operationStart = recorder.start();
  let done = 0;
  /** @param {import('../types.js').Connection} connection */
  const iterate = async (connection) => {
    const item = items.next();
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index];
      const reply = await step.send(connection, item);
      if (!step.accept(reply, item)) countWrong(tally, step, reply);
    }
  };
  try {
    while (done < limit && !control.stopped) {
      await borrow(iterate);
      operationStart = recorder.done(operationStart);
      done++;
    }
  } catch (error) {
    countError(tally, error);
  }
  return { done, elapsedMs: performance.now() - startedAt };
}

/**
 * @param {Tally} tally
 * @param {import('../types.js').Step} step
 * @param {unknown} reply
 */
function countWrong(tally, step, reply) {
  tally.wrongReplies++;
  tally.firstWrongReply ??= `${step.command.toUpperCase()} replied ${excerpt(reply)}`;
}

/**
 * An operation failed: the run has failed with it, so the other tasks end as well.
 *
 * @param {Tally} tally
 * @param {unknown} error
 */
function countError(tally, error) {
  const text = messageOf(error);
  tally.errors[text] = (tally.errors[text] ?? 0) + 1;
  tally.control.stopped = true;
}

/** @param {unknown} reply */
function excerpt(reply) {
  const text = typeof reply === 'string' ? JSON.stringify(reply) : String(reply);
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length} characters)` : text;
}
