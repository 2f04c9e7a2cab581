import { sleepExactly } from './schedule.js';

/** @import { WhenFull } from '../options/types.js' */
/** @import { RunControl, Schedule } from './types.js' */

/**
 * Node's timers end at a millisecond and may be one late. So an exact loop sleeps only where nothing is due for longer,
 * and wakes up earlier. Otherwise it looks at the clock in every turn of the event loop, and that time is measured.
 */
const SLEEP_FROM_MS = 4;
const WAKE_EARLIER_MS = 2;
/** Never longer, so that the parent is heard. */
const LONGEST_SLEEP_MS = 250;
/** Linux lets sleepers lie for 50 µs more. */
const NAP = { fromMs: 0.3, ms: 0.05 };

/** Only the first operation is due then, however long it took until the first look. */
const FIRST_LOOK_MS = 0.001;

/** A backlog is worked off for as long as the run took, and at least this long, for a server that stalled. */
const SHORTEST_DRAIN_MS = 10_000;

/**
 * @typedef {{start: (scheduledMs: number, first: number, operations: number) => void, inFlight: () => number,
 *   hasRoom: (operations: number) => boolean, onEnd?: (listener: () => void) => void}} Sender `hasRoom`: whether so many
 *   more may be in flight; `onEnd` sets what is called when operations have ended
 * @typedef {{schedule: Schedule, sender: Sender, whenFull: WhenFull, batchSize?: number, durationMs: number,
 *   drainMs?: number, control: RunControl, waits: 'exact' | 'naps' | 'timers', lookEveryMs?: number,
 *   onLook?: (elapsedMs: number, counts: ReturnType<typeof createPacer>['counts']) => void,
 *   onFull?: (elapsedMs: number) => void}} Paced `naps`: sleeps for moments where it would only look at the clock; `timers`:
 *   as a service does, which costs nothing meanwhile and may be a millisecond late; `onFull`: what is due finds no room
 */

/**
 * Where an open loop stands in the event loop; times by performance.now(). `beforeMs`: when it last looked whether something
 * was due; `idle`: nothing was sent and nothing came back since; `waitedMs`: spent on nothing but looking.
 * @typedef {ReturnType<typeof startTurns>} Turn
 */
export function startTurns() {
  const startedAtMs = performance.now();
  return { startedAtMs, nowMs: startedAtMs, beforeMs: startedAtMs, idle: true, waitedMs: 0 };
}

/**
 * `sentUntilMs`: from the start to the last sending, and at least as long as the schedule
 * @typedef {{elapsedMs: number, sentUntilMs: number} & ReturnType<ReturnType<typeof createPacer>['counts']>} Sending
 */

/** @param {Turn} turn @param {Paced} paced @returns {Promise<Sending>} */
export const keepPace = (turn, paced) =>
  new Promise((resolve) => {
    const { schedule, sender, durationMs, control, onLook, onFull, waits } = paced;
    const { lookEveryMs = LONGEST_SLEEP_MS, drainMs = Math.max(durationMs, SHORTEST_DRAIN_MS) } = paced;
    const pacer = createPacer({
      ...paced,
      total: schedule.due(durationMs),
      hasRoom: sender.hasRoom,
      start: (first, operations) =>
        sender.start(turn.startedAtMs + schedule.at(first + operations - 1), first, operations),
    });
    let sentUntilMs = durationMs;
    let isFull = false;
    let isOver = false;
    /** @type {NodeJS.Timeout | undefined} */
    let sleeping;

    const isAnswered = () => isOver && sender.inFlight() === 0;
    function end() {
      clearTimeout(sleeping);
      sleeping = undefined;
      resolve({ elapsedMs: performance.now() - turn.startedAtMs, sentUntilMs, ...pacer.counts() });
    }
    /** @param {number} elapsedMs */
    function sendWhatIsDue(elapsedMs) {
      if (control.stopped || elapsedMs > durationMs + drainMs) pacer.end();
      const before = sender.inFlight();
      isFull = pacer.look(elapsedMs);
      if (isFull) onFull?.(elapsedMs);
      turn.idle = sender.inFlight() === before;
      if (!turn.idle) sentUntilMs = Math.max(durationMs, elapsedMs);
      isOver = pacer.isDone() && (elapsedMs >= durationMs || control.stopped);
    }
    function look(nowMs = performance.now()) {
      sleeping = undefined;
      turn.nowMs = nowMs;
      if (turn.idle) turn.waitedMs += turn.nowMs - turn.beforeMs;
      const elapsedMs = turn.nowMs - turn.startedAtMs;
      onLook?.(elapsedMs, pacer.counts);
      sendWhatIsDue(elapsedMs);
      turn.beforeMs = turn.nowMs;
      if (isAnswered()) end();
      else if (!isOver || waits === 'timers')
        wait((pacer.isDone() ? durationMs : pacer.nextAt()) - elapsedMs);
    }
    function lookNow() {
      if (sleeping === undefined) return;
      clearTimeout(sleeping);
      look();
    }
    /** @param {number} leftMs */
    function wait(leftMs) {
      const ms = sleepMs(waits, leftMs, isFull);
      if (ms > 0) sleeping = setTimeout(look, Math.min(ms, lookEveryMs));
      else {
        if (waits === 'naps' && leftMs > NAP.fromMs && sender.inFlight() === 0) sleepExactly(NAP.ms);
        setImmediate(look);
      }
    }
    control.onStop = lookNow;
    sender.onEnd?.(() => {
      turn.idle = false;
      if (isAnswered()) end();
      else if (waits === 'timers' && (isFull || control.stopped)) lookNow();
    });
    look(turn.startedAtMs + FIRST_LOOK_MS);
  });

/** @param {Paced['waits']} waits @param {number} leftMs @param {boolean} isFull @returns {number} 0 to look in the next turn */
function sleepMs(waits, leftMs, isFull) {
  if (waits !== 'timers') return leftMs >= SLEEP_FROM_MS ? leftMs - WAKE_EARLIER_MS : 0;
  // The next answer makes room, and looks.
  return isFull ? Number.POSITIVE_INFINITY : Math.max(1, leftMs);
}

/**
 * The backlog is the distance between two counters, not a queue, so it takes no memory however long it gets.
 * @param {{schedule: Schedule, total: number, batchSize?: number, whenFull: WhenFull,
 *   hasRoom: (operations: number) => boolean, start: (first: number, operations: number) => void}} wanted `batchSize`:
 *   operations that start together, once all of them are due
 */
export function createPacer({ schedule, total, batchSize = 1, whenFull, hasRoom, start }) {
  let next = 0;
  let waited = 0;
  let waitedUpTo = 0;
  let dropped = 0;
  let end = total;

  /** @param {number} due */
  function onFull(due) {
    if (whenFull === 'drop') {
      dropped += due - next;
      next = due;
      return;
    }
    waited += Math.max(0, due - Math.max(next, waitedUpTo));
    waitedUpTo = Math.max(waitedUpTo, due);
  }

  return {
    /** Starts all that is due and finds room. @param {number} elapsedMs @returns {boolean} whether something found none */
    look(elapsedMs) {
      const due = Math.min(end, schedule.due(elapsedMs));
      while (next < due) {
        const operations = Math.min(batchSize, end - next);
        if (next + operations > due) return false;
        if (!hasRoom(operations)) {
          onFull(due);
          return true;
        }
        start(next, operations);
        next += operations;
      }
      return false;
    },

    nextAt: () => schedule.at(Math.min(next + batchSize, end) - 1),

    end() {
      end = next;
    },

    isDone: () => next >= end,

    /** `scheduled`: sent, dropped and unsent together; `waited`: held up by the bound. */
    counts: () => ({ scheduled: total, sent: next - dropped, dropped, waited, unsent: total - next }),
  };
}
