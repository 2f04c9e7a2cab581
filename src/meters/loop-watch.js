/** @import { Slow } from '../worker/outliers.js' */

/** Often enough for a p99 of a short run; two looks of 0.2 µs a millisecond cost nothing that could be measured. */
const LOOK_EVERY_MS = 1;
/** Of what is looked at once a millisecond, less than this is not known to be at a stretch. */
const LONG_MS = 2;

/**
 * Watches what a client does to other work in its process: how long the event loop is busy at a stretch. What
 * comes meanwhile, a request or a timer, has to wait for the end of it.
 *
 * monitorEventLoopDelay of perf_hooks has a timer of its own, for which the kernel sets an alarm in each turn (see
 * garbage.js). So single turns are measured, from the end of one to the end of the next, less what libuv spent waiting
 * for events. Turns in which nothing was answered are counted by libuv. What came after the first answer belongs to the
 * last turn, the rest is divided among all.
 *
 * @param {Slow['during']} [during] is told of long busy times, and whether the CPU was missing
 */
export function createLoopWatch(during = () => {}) {
  const probe = {
    /** Of the turns that were watched, idle time included. */
    watchedMs: 0,
    /** How many turns were busy for so many microseconds. */
    busyUs: /** @type {Record<string, number>} */ ({}),
  };
  /** @type {{at: number, idleMs: number, turns: number} | null} */
  let from = null;
  let nextLookMs = 0;
  let last = look();
  const all = { busyMs: 0, turns: 0 };

  /**
   * A look comes when a turn ends, so what took longer than turns usually do was at the end of the time since the last
   * one. An open loop turns all the time, while its server is slow as well.
   */
  function lookAgain() {
    const now = look();
    const turns = now.turns - last.turns;
    const busyMs = now.at - last.at - (now.idleMs - last.idleMs);
    // Not a number before the first look, and in a Node that does not count turns.
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
    // Two significant digits, so that there are few different ones.
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
  // Not in every Node that workers may run on.
  turns: /** @type {any} */ (performance.nodeTiming).uvMetricsInfo?.loopCount ?? 0,
});

function cpuUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
