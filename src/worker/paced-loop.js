import { createLateness } from './lateness.js';
import { createPacer } from './pacer.js';
import { createRecorder } from './recorder.js';
import { createSchedule } from './schedule.js';
import { createTraffic } from './traffic.js';
import { inUnits } from './turn-clock.js';

/**
 * @import { OpenLoopPlan } from '../plan/types.js'
 * @import { BatchMeter, Cycle, Items, Lease, OpenedWorkload, Tally } from '../plugins/types.js'
 * @import { AppWork } from './busy-work.js'
 * @import { OpenLoopCounts, Part, Recorder, Schedule, Second, Turn } from './types.js'
 */

/**
 * Node's timers end at a millisecond and may be one late, so the loop sleeps only where nothing is due
 * for longer, and wakes up that much earlier. Otherwise it looks at the clock in every turn of the event
 * loop; how much of the time went into nothing but that is measured.
 */
const SLEEP_FROM_MS = 4;
const WAKE_EARLIER_MS = 2;
/** Never longer, so that a message of the parent is heard. */
const LONGEST_SLEEP_MS = 250;
const SECOND_MS = 1000;

/**
 * How long the backlog of a run that could not hold its rate is worked off after its time: as long as
 * the run again, and long enough for a server that stalled for some seconds.
 */
const SHORTEST_DRAIN_MS = 10_000;

/**
 * @typedef {ReturnType<typeof createTraffic>} Traffic
 *
 * @typedef {object} OpenLoopWork
 * @property {Lease} lease
 * @property {Items} items
 * @property {Cycle} cycle
 * @property {OpenedWorkload | null} [own]
 * @property {number} tasks connections are taken in the turns of so many tasks
 * @property {number} [batchSize] operations that go out together
 * @property {OpenLoopPlan} load
 * @property {number} mostOperations under way at once
 * @property {number} seed
 * @property {Part} part
 * @property {number} durationMs
 * @property {{stopped: boolean}} control
 * @property {Tally} tally
 * @property {Recorder} recorder
 * @property {BatchMeter} meter
 * @property {() => number} clock of this turn of the event loop
 * @property {Pick<AppWork, 'after'> | null} appWork that follows each operation
 * @property {(scheduledAt: number) => void} [intend] is told, right before an operation is sent, when that was meant to be
 * @property {boolean} latency whether latencies are recorded
 * @property {(second: Second) => void} onSecond
 */

/**
 * Starts operations at their scheduled time, whether or not earlier ones came back.
 *
 * @param {OpenLoopWork} work
 * @returns {Promise<{elapsedMs: number, acknowledged: number, openLoop: OpenLoopCounts}>}
 */
export async function runOpenLoop(work) {
  const { clock, durationMs, latency } = work;
  const recorded = work.load.arrivals === 'recorded' ? work.own?.schedule(work.load) : undefined;
  const schedule = recorded ?? createSchedule({ ...work.load, seed: work.seed, part: work.part });
  const sendRecorder = createRecorder(clock);
  const lateness = createLateness(clock);
  const startedAtMs = performance.now();
  /** @type {Turn} */
  const turn = { startedAtMs, nowMs: startedAtMs, beforeMs: startedAtMs, idle: true, waitedMs: 0 };
  const traffic = createTraffic({
    ...work,
    lanes: { ...work, schedule, startedAt: inUnits(startedAtMs), sendRecorder },
  });
  const sending = createSending(work, { schedule, lateness, traffic, turn });
  const tellSeconds = createSeconds(work.onSecond, (elapsedMs) => ({
    intended: schedule.due(Math.min(elapsedMs, durationMs)),
    sent: sending.counts().sent,
    dropped: sending.counts().dropped,
    acknowledged: traffic.counts.acknowledged,
    inFlight: traffic.counts.inFlight,
    latenessMs: lateness.lastMs(),
  }));
  const endedAtMs = await untilAnswered({ turn, traffic, sending, tellSeconds });
  return {
    elapsedMs: endedAtMs - startedAtMs,
    acknowledged: traffic.counts.acknowledged,
    openLoop: {
      ...sending.counts(),
      ...(recorded && { intendedPerSecond: (schedule.due(durationMs) / durationMs) * 1000 }),
      failed: traffic.counts.failed,
      inFlightMax: traffic.counts.most,
      waitedMs: turn.waitedMs,
      sentUntilMs: sending.sentUntilMs(),
      lateMs: lateness.lateMs,
      latenessHdr: latency ? lateness.encode() : null,
      fromSendHdr: latency ? sendRecorder.encode() : null,
    },
  };
}

/**
 * @param {OpenLoopWork} work
 * @param {object} state
 * @param {Schedule} state.schedule
 * @param {ReturnType<typeof createLateness>} state.lateness
 * @param {Traffic} state.traffic
 * @param {Turn} state.turn
 */
function createSending(work, { schedule, lateness, traffic, turn }) {
  const { load, durationMs, control, tally, batchSize } = work;
  const endsAtMs = durationMs + Math.max(durationMs, SHORTEST_DRAIN_MS);
  let sentUntilMs = durationMs;
  const pacer = createPacer({
    schedule,
    batchSize,
    whenFull: load.whenFull,
    total: schedule.due(durationMs),
    hasRoom: traffic.hasRoom,
    start(first, operations) {
      const scheduledMs = turn.startedAtMs + schedule.at(first + operations - 1);
      lateness.add(scheduledMs, turn, operations);
      traffic.start(scheduledMs, turn.nowMs, first, operations);
    },
  });
  return {
    counts: pacer.counts,
    sentUntilMs: () => sentUntilMs,

    /** @param {number} elapsedMs @returns {boolean} whether time is up and nothing more will be sent */
    sendWhatIsDue(elapsedMs) {
      if (control.stopped || elapsedMs > endsAtMs) pacer.end();
      const before = traffic.counts.inFlight;
      const full = pacer.look(elapsedMs);
      if (full && load.whenFull === 'fail') tally.error(new Error(fullText(load, elapsedMs)));
      turn.idle = traffic.counts.inFlight === before;
      if (!turn.idle) sentUntilMs = Math.max(durationMs, elapsedMs);
      return pacer.isDone() && (elapsedMs >= durationMs || control.stopped);
    },

    /** @param {number} elapsedMs @returns {number} milliseconds */
    untilDue: (elapsedMs) => (pacer.isDone() ? durationMs : pacer.nextAt()) - elapsedMs,
  };
}

/**
 * Looks at the clock turn by turn, and sends, until everything that was sent has been answered.
 *
 * @param {object} loop
 * @param {Turn} loop.turn
 * @param {Traffic} loop.traffic
 * @param {ReturnType<typeof createSending>} loop.sending
 * @param {(elapsedMs: number) => void} loop.tellSeconds
 * @returns {Promise<number>} when that was, by performance.now()
 */
const untilAnswered = ({ turn, traffic, sending, tellSeconds }) =>
  new Promise((resolve) => {
    let over = false;
    const endIfAnswered = () => {
      if (over && traffic.counts.inFlight === 0) resolve(performance.now());
    };
    function look() {
      turn.nowMs = performance.now();
      if (turn.idle) turn.waitedMs += turn.nowMs - turn.beforeMs;
      const elapsedMs = turn.nowMs - turn.startedAtMs;
      tellSeconds(elapsedMs);
      over = sending.sendWhatIsDue(elapsedMs);
      turn.beforeMs = turn.nowMs;
      if (over) endIfAnswered();
      else lookAgain(look, sending.untilDue(elapsedMs));
    }
    traffic.onEnd(() => {
      turn.idle = false;
      endIfAnswered();
    });
    setImmediate(look);
  });

/**
 * @param {() => void} look
 * @param {number} leftMs until something is due
 */
function lookAgain(look, leftMs) {
  if (leftMs < SLEEP_FROM_MS) setImmediate(look);
  else setTimeout(look, Math.min(leftMs - WAKE_EARLIER_MS, LONGEST_SLEEP_MS));
}

/**
 * Tells of each second once it has passed.
 *
 * @param {(second: Second) => void} onSecond
 * @param {(elapsedMs: number) => Omit<Second, 'second' | 'rssBytes'>} read
 * @returns {(elapsedMs: number) => void}
 */
function createSeconds(onSecond, read) {
  let nextMs = SECOND_MS;
  return (elapsedMs) => {
    if (elapsedMs < nextMs) return;
    const second = Math.floor(elapsedMs / SECOND_MS);
    nextMs = (second + 1) * SECOND_MS;
    onSecond({ second, ...read(elapsedMs), rssBytes: process.memoryUsage.rss() });
  };
}

/** @param {OpenLoopPlan} load @param {number} elapsedMs */
const fullText = ({ maxInFlight, ratePerSecond }, elapsedMs) =>
  `${maxInFlight} commands were under way after ${(elapsedMs / 1000).toFixed(1)} s, the bound of --max-in-flight: ` +
  `${ratePerSecond} a second were not held`;
