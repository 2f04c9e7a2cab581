import { present } from '../collections.js';
import { numberOrError } from './shared/byte-size.js';
import { issueThrough, openBatch } from './shared/connections.js';

/** @import { Batch, BatchMeter, Commands, PipeliningPlugin } from './types.js' */

/** A window of more than a second is no longer batching. */
const LONGEST_US = 1_000_000;

/** @type {PipeliningPlugin[]} */
export default [
  {
    id: 'none',
    summary: 'one command at a time on a connection; tasks that share one wait for each other',
    takesTurns: true,

    wrap(connection) {
      const takeTurns = createTurns();
      return issueThrough(connection, (send) => takeTurns(() => send(connection)));
    },
  },
  {
    id: 'explicit',
    summary: "a task sends N operations through the client's own pipeline and waits for all their replies",
    requires: ['pipeline'],

    parse: (argument) =>
      numberOrError(argument, 1, 999_999, 'the operations of a batch, from 1 to 999999, as in explicit:10'),

    batchSize: (size) => size,
  },
  {
    id: 'implicit',
    summary: 'each command is issued by itself; whether several share a write is up to the client',
  },
  {
    id: 'auto',
    summary: "like implicit, with the client's own automatic pipelining switched on",
    requires: ['auto-pipelining'],
  },
  // redispipe does the same for Go.
  {
    id: 'window',
    summary:
      'commands of all tasks wait up to US microseconds and go out as one batch; 0: one batch per turn',
    requires: ['pipeline'],

    parse: (argument) =>
      numberOrError(argument, 0, LONGEST_US, `microseconds from 0 to ${LONGEST_US}, as in window:150`),

    wrap(connection, windowUs, meter) {
      const gather = createWindow(() => openBatch(connection), windowUs, meter);
      return issueThrough(connection, gather);
    },
  },
];

/** Calls one function at a time, in order. @returns {(work: () => unknown) => Promise<unknown>} */
function createTurns() {
  /** @type {(() => void)[]} */
  let waiting = [];
  let next = 0;
  let busy = false;

  function passOn() {
    if (next < waiting.length) {
      waiting[next++]();
      return;
    }
    waiting = [];
    next = 0;
    busy = false;
  }
  return async (work) => {
    if (busy) await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    busy = true;
    try {
      return await work();
    } finally {
      passOn();
    }
  };
}

/**
 * Node's timers are no finer than a millisecond, so the clock is polled in every turn of the event loop. That keeps a core
 * busy; how much of it was only waiting is reported.
 * @param {() => Batch} open @param {number} windowUs @param {BatchMeter} meter
 */
function createWindow(open, windowUs, meter) {
  /** @type {Batch | null} */
  let batch = null;
  /** @type {{resolve: (reply: unknown) => void, reject: (error: unknown) => void}[]} */
  let waiting = [];
  let openedAt = 0;
  let lookedAt = 0;
  let waitedMs = 0;
  let idle = false;

  function look() {
    const now = performance.now();
    // Neither a command nor a reply came since the last look: this turn was idle.
    if (idle) waitedMs += now - lookedAt;
    lookedAt = now;
    idle = true;
    if ((now - openedAt) * 1000 < windowUs) setImmediate(look);
    else flush(now);
  }

  /** @param {number} now */
  function flush(now) {
    const replies = present(batch).exec();
    const commands = waiting;
    meter.sent(commands.length, now - openedAt, waitedMs);
    batch = null;
    waiting = [];
    waitedMs = 0;
    replies.then(
      (all) => {
        idle = false;
        for (const [index, reply] of all.entries()) {
          if (reply instanceof Error) commands[index].reject(reply);
          else commands[index].resolve(reply);
        }
      },
      (error) => {
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
