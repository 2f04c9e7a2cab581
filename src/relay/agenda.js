import { Worker } from 'node:worker_threads';

/**
 * The event loop spins for the last 80 µs. At 2 ms RTT and 1,000 PINGs/s that takes 10 % of a CPU, and 200 µs take 20
 * %. Spinning all the time takes a whole CPU for the same median.
 */
const AWAKE_MS = 0.08;
const SHORTEST_SLEEP_MS = 0.05;
/** Without this limit a full agenda would starve reads. */
const LONGEST_WORK_MS = 0.1;
/** Entries are dropped at this many done, if they are the majority. */
const DROP_FROM = 1024;

/**
 * Waking up takes longer only after long sleeps or on a busy machine. PINGs 2 and 20 ms apart were about 80 µs late, of
 * which this corrects 60 µs; at 1,000/s, 25 µs.
 */
const LONGEST_WAKING_MS = 0.03;

/** Runs callbacks at given times (performance.now()); the event loop reads sockets in between. */
export function createAgenda() {
  const sleeper = createSleeper(() => {
    sleepsForMs = null;
    work();
  });
  /** @type {{dueMs: number, run: ((dueMs: number) => void) | null}[]} sorted by time; those before `next` are done */
  let entries = [];
  let next = 0;
  let turning = false;
  /** @type {number | null} */
  let turnMs = null;
  /** @type {number | null} due time of the entry that ends the sleep */
  let sleepsForMs = null;
  let wakingMs = 0;
  /** From the first read of a turn to the end of its work. */
  let busyMs = 0;

  function work() {
    let nowMs = performance.now();
    const beganMs = turnMs ?? nowMs;
    const endMs = nowMs + LONGEST_WORK_MS;
    turnMs = null;
    while (next < entries.length && entries[next].dueMs <= nowMs && nowMs < endMs) {
      const entry = entries[next++];
      const { dueMs, run } = entry;
      // Frees its buffer long before the entry itself is dropped.
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
    /** Start of this event loop turn: everything read in one turn arrived together. */
    now() {
      if (turnMs === null) {
        // The event that ends a wait arrived before the loop woke up.
        turnMs = performance.now() - (turning ? 0 : wakingMs);
        if (!turning) turn();
      }
      return turnMs;
    },

    /** Average wait of what is read now: half of the previous turn's work. */
    waitedMs: () => busyMs / 2,

    /** @param {number} ms from an event until the waiting event loop runs */
    setWaking(ms) {
      wakingMs = Math.min(LONGEST_WAKING_MS, Math.max(0, ms));
    },

    /** Runs callbacks in the order of their times. @param {number} dueMs @param {(dueMs: number) => void} run */
    add(dueMs, run) {
      if (next === entries.length && turnMs !== null && dueMs <= turnMs) {
        run(dueMs);
        return;
      }
      let index = entries.length;
      // Nearly always last, because the delays of a relay are alike.
      while (index > next && entries[index - 1].dueMs > dueMs) index--;
      const entry = { dueMs, run };
      if (index === entries.length) entries.push(entry);
      else entries.splice(index, 0, entry);
      if (index === next) plan();
    },

    stop: sleeper.stop,
  };
}

/** Fields of the memory shared with the thread: number of requests, and duration. */
export const ASKED = 0;
export const SLEEP_US = 1;
/** Longer sleeps are split: the time has 31 bits of µs. */
const LONGEST_MS = 1e6;

/** About 60 µs late (median, Node 20, one CPU); Node's timers are 1 to 2 ms late. @param {() => void} onWake */
function createSleeper(onWake) {
  const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  const state = new Int32Array(shared);
  const thread = new Worker(new URL('./sleeper-thread.js', import.meta.url), { workerData: shared });
  thread.on('message', onWake);
  return {
    /** @param {number} ms from now; replaces a running sleep */
    sleep(ms) {
      Atomics.store(state, SLEEP_US, Math.min(ms, LONGEST_MS) * 1000);
      Atomics.add(state, ASKED, 1);
      Atomics.notify(state, ASKED);
    },

    stop: () => thread.terminate(),
  };
}
