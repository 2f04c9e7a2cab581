/** @import { Slow } from '../worker/outliers.js' */

/** Often enough for a p99 of a short run; two readings of 0.2 µs a millisecond cost nothing measurable. */
const LOOK_EVERY_MS = 1;
/** With one reading a millisecond, shorter busy times cannot be located. */
const LONG_MS = 2;

/**
 * Watches how long the event loop is busy at a stretch, in which other requests and timers of the process have to wait.
 *
 * monitorEventLoopDelay has a timer, for which the kernel sets an alarm in each turn (see garbage.js). So single turns are
 * measured, from end to end, less what libuv spent waiting for events. libuv counts the turns in which nothing was
 * answered. The time after the first answer belongs to the last turn, the rest is divided among all.
 * @param {Slow['during']} [during] is told of long busy times, and whether the CPU was missing
 */
export function createLoopWatch(during = () => {}) {
  const probe = {
    /** Idle time included. */
    watchedMs: 0,
    /** Turns by how many microseconds they were busy. */
    busyUs: /** @type {Record<string, number>} */ ({}),
  };
  /** @type {{at: number, idleMs: number, turns: number} | null} */
  let from = null;
  let nextLookMs = 0;
  let last = look();
  const all = { busyMs: 0, turns: 0 };

  /**
   * It is called when a turn ends, so what took longer than turns usually do was at the end of the time since the last call.
   * An open loop turns all the time, even while its server is slow.
   */
  function lookAgain() {
    const now = look();
    const turns = now.turns - last.turns;
    const busyMs = now.at - last.at - (now.idleMs - last.idleMs);
    // NaN at first, and in a Node that does not count turns.
    const longMs = busyMs - turns * (all.busyMs / all.turns);
    // The CPU time of all threads: the main thread had no more than that.
    const missingMs = busyMs - (now.cpuUs - last.cpuUs) / 1000;
    if (longMs > LONG_MS) during(missingMs > longMs / 2 ? 'cpu' : 'busy', now.at - longMs, now.at);
    all.busyMs += busyMs;
    all.turns += turns;
    last = now;
    return now;
  }

  /** @param {number} busyMs @param {number} turns */
  function count(busyMs, turns) {
    // Two significant digits keep the number of entries small.
    const us = Number(Math.max(0, busyMs * 1000).toPrecision(2));
    probe.busyUs[us] = (probe.busyUs[us] ?? 0) + turns;
  }

  return {
    begin() {
      last = look();
    },

    /** @param {number} ms when the clock was read in the turn that ends now, by performance.now() */
    atTurnEnd(ms) {
      if (from === null) {
        if (ms >= nextLookMs) from = lookAgain();
        return;
      }
      const now = lookAgain();
      const turns = Math.max(1, now.turns - from.turns);
      const elapsedMs = now.at - from.at;
      const busyMs = elapsedMs - (now.idleMs - from.idleMs);
      const answeringMs = Math.min(busyMs, now.at - ms);
      const restMs = (busyMs - answeringMs) / turns;
      count(answeringMs + restMs, 1);
      if (turns > 1) count(restMs, turns - 1);
      probe.watchedMs += elapsedMs;
      nextLookMs = now.at + LOOK_EVERY_MS;
      from = null;
    },

    take: () => probe,
  };
}

const look = () => ({
  at: performance.now(),
  idleMs: performance.nodeTiming.idleTime,
  cpuUs: cpuUs(),
  // Some Nodes that workers run on do not have it.
  turns: /** @type {any} */ (performance.nodeTiming).uvMetricsInfo?.loopCount ?? 0,
});

/** @returns {number} of all threads */
export function cpuUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
