import { createSleeper } from './sleeper.js';

/**
 * A sleep ends so much before the next entry is due, and for the rest of the time the event loop turns without a pause.
 * Measured with a PING each millisecond at 2 ms: always turning takes all of a processor, which the server may need,
 * for the same median; 80 µs take a tenth of one, 200 µs a fifth.
 */
const AWAKE_MS = 0.08;
const SHORTEST_SLEEP_MS = 0.05;
/** What comes meanwhile is not read; without a limit nothing would be read while there is always something due. */
const LONGEST_WORK_MS = 0.1;
/** Done entries are dropped when there are this many, and more of them than of the others. */
const DROP_FROM = 1024;

/**
 * Waking up takes longer than this only after long sleeps, or on a busy machine. Measured with PINGs 2 and 20 ms apart:
 * both were about 80 µs late, 60 µs of which this takes off; with 1,000 a second it is 25 µs.
 */
const LONGEST_WAKING_MS = 0.03;

/** @typedef {ReturnType<typeof createAgenda>} Agenda */

/** What is to be done at which time, by performance.now(). Meanwhile the event loop reads what comes. */
export function createAgenda() {
  const sleeper = createSleeper(() => {
    sleepsForMs = null;
    work();
  });
  /** @type {{dueMs: number, run: ((dueMs: number) => void) | null}[]} by their times; done before `next` */
  let entries = [];
  let next = 0;
  let turning = false;
  /** @type {number | null} */
  let turnMs = null;
  /** @type {number | null} the time of an entry that a sleep ends before */
  let sleepsForMs = null;
  let wakingMs = 0;
  /** From the first reading of a turn to the end of its work. */
  let busyMs = 0;

  function work() {
    let nowMs = performance.now();
    const beganMs = turnMs ?? nowMs;
    const endMs = nowMs + LONGEST_WORK_MS;
    turnMs = null;
    while (next < entries.length && entries[next].dueMs <= nowMs && nowMs < endMs) {
      const entry = entries[next++];
      const { dueMs, run } = entry;
      // Frees what it holds, long before the entry itself is dropped.
      entry.run = null;
      run?.(dueMs);
      nowMs = performance.now();
    }
    busyMs = nowMs - beganMs;
    if (next === entries.length || (next >= DROP_FROM && next > entries.length / 2)) {
      entries = entries.slice(next);
      next = 0;
    }
    plan();
  }

  function plan() {
    if (turning || next === entries.length) return;
    const { dueMs } = entries[next];
    const sleepMs = dueMs - performance.now() - AWAKE_MS;
    if (sleepMs < SHORTEST_SLEEP_MS) {
      turn();
    } else if (sleepsForMs === null || dueMs < sleepsForMs) {
      sleepsForMs = dueMs;
      sleeper.sleep(sleepMs);
    }
  }

  function turn() {
    turning = true;
    setImmediate(() => {
      turning = false;
      work();
    });
  }

  return {
    /** The time of this turn of the event loop: what is read in one turn has arrived together. */
    now() {
      if (turnMs === null) {
        // What ends a wait of the event loop came before it could run.
        turnMs = performance.now() - (turning ? 0 : wakingMs);
        if (!turning) turn();
      }
      return turnMs;
    },

    /** How long what is read now had to wait for that, about: half of the time for which the turn before read and wrote. */
    waitedMs: () => busyMs / 2,

    /** @param {number} ms from what ends a wait of the event loop until it runs */
    setWaking(ms) {
      wakingMs = Math.min(LONGEST_WAKING_MS, Math.max(0, ms));
    },

    /** Runs it at its time, in the order of times. @param {number} dueMs @param {(dueMs: number) => void} run */
    add(dueMs, run) {
      if (next === entries.length && turnMs !== null && dueMs <= turnMs) {
        run(dueMs);
        return;
      }
      let index = entries.length;
      // Nearly always the last, because the delays of a relay are alike.
      while (index > next && entries[index - 1].dueMs > dueMs) index--;
      const entry = { dueMs, run };
      if (index === entries.length) entries.push(entry);
      else entries.splice(index, 0, entry);
      if (index === next) plan();
    },

    stop: sleeper.stop,
  };
}
