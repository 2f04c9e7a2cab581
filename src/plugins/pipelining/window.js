import { numberOrError } from '../shared/byte-size.js';
import { openBatch } from '../shared/command-batch.js';
import { issueThrough } from '../shared/issue-through.js';

/** @import { Batch, BatchMeter, Commands, Connection } from '../types.js' */

/** A window of more than a second is no longer batching. */
const LONGEST_US = 1_000_000;

/**
 * As redispipe does for Go: a command waits a little for others, and all go out as one batch. Node's timers
 * are no finer than a millisecond, so the clock is polled in every turn of the event loop. That keeps a core
 * busy; how much of that was only waiting is measured and reported.
 */
export default {
  id: 'window',
  title: 'window',
  summary: 'commands of all tasks wait up to US microseconds and go out as one batch; 0: a batch a turn',
  syntax: 'window:150',
  requires: ['pipeline'],

  /** @param {string | undefined} argument @returns {number} µs */
  parse: (argument) =>
    numberOrError(argument, 0, LONGEST_US, `microseconds from 0 to ${LONGEST_US}, as in window:150`),

  /** @param {Connection} connection @param {number} windowUs @param {BatchMeter} meter @returns {Connection} */
  wrap(connection, windowUs, meter) {
    const gather = createWindow(() => openBatch(connection), windowUs, meter);
    return issueThrough(connection, gather);
  },
};

/** @typedef {{resolve: (reply: any) => void, reject: (error: unknown) => void}} Waiting */

/**
 * Gathers commands into a batch that goes out when its window has passed.
 * @param {() => Batch} open @param {number} windowUs @param {BatchMeter} meter
 */
function createWindow(open, windowUs, meter) {
  /** @type {Batch | null} */
  let batch = null;
  /** @type {Waiting[]} */
  let waiting = [];
  let openedAt = 0;
  let lookedAt = 0;
  let waitedMs = 0;
  let idle = false;

  function look() {
    const now = performance.now();
    // No command and no reply came since the last look: this turn was spent waiting.
    if (idle) waitedMs += now - lookedAt;
    lookedAt = now;
    idle = true;
    if ((now - openedAt) * 1000 < windowUs) setImmediate(look);
    else flush(now);
  }

  /** @param {number} now */
  function flush(now) {
    const replies = /** @type {Batch} */ (batch).exec();
    const commands = waiting;
    meter.sent(commands.length, now - openedAt, waitedMs);
    batch = null;
    waiting = [];
    waitedMs = 0;
    replies.then(
      (all) => {
        idle = false;
        for (const [index, reply] of all.entries()) settle(commands[index], reply);
      },
      (error) => {
        // Which of its commands it is about, node-redis does not tell.
        if (Object.isExtensible(error)) error.ofBatch = true;
        for (const { reject } of commands) reject(error);
      },
    );
  }

  return (/** @type {(commands: Commands) => unknown} */ send) => {
    if (batch === null) {
      batch = open();
      openedAt = performance.now();
      setImmediate(look);
    }
    idle = false;
    send(batch);
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
    });
  };
}

/** @param {Waiting} waiting @param {unknown} reply */
function settle({ resolve, reject }, reply) {
  if (reply instanceof Error) reject(reply);
  else resolve(reply);
}
