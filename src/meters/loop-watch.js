/** Often enough for a p99 of a short run; two readings of 0.2 µs a millisecond cost nothing measurable. */
const LOOK_EVERY_MS = 1;

/**
 * Watches how long the event loop is busy at a stretch, in which other requests and timers of the process have to wait.
 *
 * monitorEventLoopDelay has a timer, for which the kernel sets an alarm in each turn (see garbage.js). So single turns are
 * measured, from end to end, less what libuv spent waiting for events. libuv counts the turns in which nothing was
 * answered. The time after the first answer belongs to the last turn, the rest is divided among all.
 */
export function createLoopWatch() {
  const probe = {
    /** Idle time included. */
    watchedMs: 0,
    /** Turns by how many microseconds they were busy. */
    busyUs: /** @type {Record<string, number>} */ ({}),
  };
  /** @type {{at: number, idleMs: number, turns: number} | null} */
  let from = null;
  let nextLookMs = 0;

  /** @param {number} busyMs @param {number} turns */
  function count(busyMs, turns) {
    // Two significant digits keep the number of entries small.
    const us = Number(Math.max(0, busyMs * 1000).toPrecision(2));
    probe.busyUs[us] = (probe.busyUs[us] ?? 0) + turns;
  }

  return {
    /** @param {number} ms when the clock was read in the turn that ends now, by performance.now() */
    atTurnEnd(ms) {
      if (from === null) {
        if (ms >= nextLookMs) from = look();
        return;
      }
      const now = look();
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
  // Some Nodes that workers run on do not have it.
  turns: /** @type {any} */ (performance.nodeTiming).uvMetricsInfo?.loopCount ?? 0,
});

/** @returns {number} of all threads */
export function cpuUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
