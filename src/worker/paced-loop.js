import { createLateness } from './lateness.js';
import { createPacer } from './pacer.js';
import { createRecorder } from './recorder.js';
import { createSchedule } from './schedule.js';
import { sleepExactly } from './start-together.js';
import { createTraffic } from './traffic.js';
import { inUnits } from './turn-clock.js';

/**
 * @import { OpenLoopPlan } from '../plan/types.js'
 * @import { BatchMeter, Cycle, Items, Lease, OpenedWorkload, Tally } from '../plugins/types.js'
 * @import { AppWork } from './busy-work.js'
 * @import { OpenLoopCounts, Part, Recorder, RunControl, Schedule, Second, Turn } from './types.js'
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
/** Linux lets sleepers lie for 50 µs more. */
const NAP = { fromMs: 0.3, ms: 0.05 };

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
 * @property {RunControl} control
 * @property {Tally} tally
 * @property {Recorder} recorder
 * @property {BatchMeter} meter
 * @property {() => number} clock of this turn of the event loop
 * @property {Pick<AppWork, 'after'> | null} appWork that follows each operation
 * @property {(scheduledAt: number) => void} [intend] is told, right before an operation is sent, when that was meant to be
 * @property {boolean} latency whether latencies are recorded
 * @property {(second: Second) => void} onSecond
 * @property {object[]} [company]
 * @property {object | null} [messages]
 * @property {() => Promise<void>} [begin] called when all is ready; the run starts when it returns
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
  await work.begin?.();
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
  const { control } = work;
  const endedAtMs = await untilAnswered({ turn, traffic, sending, tellSeconds, control, naps: mayNap(work) });
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
 * @param {RunControl} loop.control
 * @param {boolean} loop.naps whether it sleeps for moments where it would only look at the clock
 * @returns {Promise<number>} when that was, by performance.now()
 */
const untilAnswered = ({ turn, traffic, sending, tellSeconds, control, naps }) =>
  new Promise((resolve) => {
    let over = false;
    /** @type {NodeJS.Timeout | undefined} while it sleeps */
    let sleeping;
    const endIfAnswered = () => {
      if (over && traffic.counts.inFlight === 0) resolve(performance.now());
    };
    function look() {
      sleeping = undefined;
      turn.nowMs = performance.now();
      if (turn.idle) turn.waitedMs += turn.nowMs - turn.beforeMs;
      const elapsedMs = turn.nowMs - turn.startedAtMs;
      tellSeconds(elapsedMs);
      over = sending.sendWhatIsDue(elapsedMs);
      turn.beforeMs = turn.nowMs;
      if (over) endIfAnswered();
      else sleeping = lookAgain(look, sending.untilDue(elapsedMs), naps && traffic.counts.inFlight === 0);
    }
    control.onStop = () => {
      if (sleeping === undefined) return;
      clearTimeout(sleeping);
      look();
    };
    traffic.onEnd(() => {
      turn.idle = false;
      endIfAnswered();
    });
    setImmediate(look);
  });

/**
 * @param {() => void} look
 * @param {number} leftMs until something is due
 * @param {boolean} nap
 * @returns {NodeJS.Timeout | undefined} where it sleeps until then
 */
function lookAgain(look, leftMs, nap) {
  if (leftMs >= SLEEP_FROM_MS) return setTimeout(look, Math.min(leftMs - WAKE_EARLIER_MS, LONGEST_SLEEP_MS));
  if (nap && leftMs > NAP.fromMs) sleepExactly(NAP.ms);
  setImmediate(look);
}

/**
 * One that looks at the clock keeps the others of its cell from a processor that they share, until the kernel's next
 * tick. It gives way where nothing else can come meanwhile.
 *
 * @param {OpenLoopWork} work
 */
const mayNap = ({ part, company = [], messages = null }) =>
  part.count > 1 && company.length === 0 && messages === null;

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
