import { createBatchLane, createLane } from './lanes.js';
import { createPacer } from './pacer.js';
import { createRecorder } from './recorder.js';
import { createSchedule } from './schedule.js';
import { inUnits, UNITS_PER_MS } from './turn-clock.js';

/**
 * @import { OpenLoopPlan } from '../plan/types.js'
 * @import { BatchMeter, Cycle, Items, Lease, Tally } from '../plugins/types.js'
 * @import { Lane, Uses } from './lanes.js'
 * @import { OpenLoopCounts, Part, Recorder, Second } from './types.js'
 */

/**
 * Node's timers end at a millisecond and may be one late, so the loop sleeps only where nothing is due
 * for longer, and wakes up that much earlier. Otherwise it looks at the clock in every turn of the event
 * loop; how much of the time went into nothing but that is measured.
 */
const SLEEP_FROM_MS = 4;
const WAKE_EARLIER_MS = 2;
/** And never for longer: a message of the parent is to be heard. */
const LONGEST_SLEEP_MS = 250;
const SECOND_MS = 1000;

/**
 * How long the backlog of a run that could not hold its rate is worked off after its time: as long as
 * the run again, and long enough for a server that stalled for some seconds.
 */
const SHORTEST_DRAIN_MS = 10_000;

/**
 * Starts operations at their scheduled time, whether or not earlier ones came back.
 *
 * @param {object} work
 * @param {Lease} work.lease
 * @param {Items} work.items
 * @param {Cycle} work.cycle
 * @param {number} work.tasks connections are taken in the turns of so many tasks
 * @param {number} [work.batchSize] operations that go out together
 * @param {OpenLoopPlan} work.load
 * @param {number} work.mostOperations under way at once
 * @param {number} work.seed
 * @param {Part} work.part
 * @param {number} work.durationMs
 * @param {{stopped: boolean}} work.control
 * @param {Tally} work.tally
 * @param {Recorder} work.recorder
 * @param {BatchMeter} work.meter
 * @param {() => number} work.clock of this turn of the event loop
 * @param {boolean} work.latency whether latencies are recorded
 * @param {(second: Second) => void} work.onSecond
 * @returns {Promise<{elapsedMs: number, acknowledged: number, openLoop: OpenLoopCounts}>}
 */
export function runOpenLoop({ lease, tasks, batchSize, load, mostOperations, durationMs, ...work }) {
  const { control, tally, onSecond, clock } = work;
  const schedule = createSchedule({ ...load, seed: work.seed, part: work.part });
  const lateness = createRecorder(clock);
  const sendRecorder = createRecorder(clock);
  const startedAtMs = performance.now();
  const startedAt = inUnits(startedAtMs);
  /** Added up over all operations, by what held them up. */
  const lateMs = { bound: 0, loop: 0, pacing: 0 };
  const inFlight = { operations: 0, most: 0, acknowledged: 0, failed: 0 };
  let now = startedAtMs;
  let lookedAt = startedAtMs;
  let idle = true;
  let waitedMs = 0;
  let nextSecond = SECOND_MS;
  let lastLateMs = 0;
  /** Whether its time is up and nothing more will be sent. */
  let over = false;
  let sentUntilMs = durationMs;
  let endedAtMs = startedAtMs;

  /** @type {() => void} */
  let finish = () => {};
  const finished = new Promise((resolve) => {
    finish = () => resolve(undefined);
  });

  /** @type {Lane[]} */
  const free = [];
  const traffic = { ...work, schedule, startedAt, sendRecorder, onEnd };
  const uses = usesOf(lease, tasks);
  let turn = 0;

  /** @param {Lane} lane @param {number} operations @param {boolean} failed */
  function onEnd(lane, operations, failed) {
    free.push(lane);
    inFlight.operations -= operations;
    if (failed) inFlight.failed += operations;
    else inFlight.acknowledged += operations;
    idle = false;
    if (over && inFlight.operations === 0) end();
  }

  function end() {
    endedAtMs = performance.now();
    finish();
  }

  const pacer = createPacer({
    schedule,
    ...{ batchSize, whenFull: load.whenFull },
    total: schedule.due(durationMs),
    hasRoom: (operations) => inFlight.operations + operations <= mostOperations,
    start(first, operations) {
      const scheduledMs = startedAtMs + schedule.at(first + operations - 1);
      const late = now - scheduledMs;
      lastLateMs = late;
      lateness.count(late * UNITS_PER_MS, operations);
      // What was due at the last look already was held up by the bound; the rest by this turn.
      const here = Math.min(late, now - lookedAt);
      lateMs.bound += (late - here) * operations;
      lateMs[idle ? 'pacing' : 'loop'] += here * operations;
      inFlight.operations += operations;
      if (inFlight.operations > inFlight.most) inFlight.most = inFlight.operations;
      const lane = free.pop() ?? (batchSize === undefined ? createLane(traffic) : createBatchLane(traffic));
      lane.start(uses[turn], inUnits(scheduledMs), inUnits(now), first, operations);
      turn = turn + 1 < uses.length ? turn + 1 : 0;
    },
  });

  function look() {
    now = performance.now();
    if (idle) waitedMs += now - lookedAt;
    const elapsedMs = now - startedAtMs;
    if (elapsedMs >= nextSecond) tellSecond(elapsedMs);
    if (control.stopped || elapsedMs > durationMs + Math.max(durationMs, SHORTEST_DRAIN_MS)) pacer.end();
    const before = inFlight.operations;
    const full = pacer.look(elapsedMs);
    if (full && load.whenFull === 'fail') tally.error(new Error(fullText(load, elapsedMs)));
    idle = inFlight.operations === before;
    if (!idle) sentUntilMs = Math.max(durationMs, elapsedMs);
    lookedAt = now;
    over = pacer.isDone() && (elapsedMs >= durationMs || control.stopped);
    if (over) {
      if (inFlight.operations === 0) end();
      return;
    }
    const left = (pacer.isDone() ? durationMs : pacer.nextAt()) - elapsedMs;
    if (left < SLEEP_FROM_MS) setImmediate(look);
    else setTimeout(look, Math.min(left - WAKE_EARLIER_MS, LONGEST_SLEEP_MS));
  }

  /** @param {number} elapsedMs */
  function tellSecond(elapsedMs) {
    const { sent, dropped } = pacer.counts();
    onSecond({
      second: Math.floor(elapsedMs / SECOND_MS),
      intended: schedule.due(Math.min(elapsedMs, durationMs)),
      ...{ sent, dropped, acknowledged: inFlight.acknowledged, inFlight: inFlight.operations },
      latenessMs: lastLateMs,
      rssBytes: process.memoryUsage.rss(),
    });
    nextSecond = (Math.floor(elapsedMs / SECOND_MS) + 1) * SECOND_MS;
  }

  setImmediate(look);
  return finished.then(() => ({
    elapsedMs: endedAtMs - startedAtMs,
    acknowledged: inFlight.acknowledged,
    openLoop: {
      ...pacer.counts(),
      failed: inFlight.failed,
      inFlightMax: inFlight.most,
      ...{ waitedMs, sentUntilMs },
      lateMs,
      latenessHdr: work.latency ? lateness.encode() : null,
      fromSendHdr: work.latency ? sendRecorder.encode() : null,
    },
  }));
}

/**
 * @param {Lease} lease
 * @param {number} tasks
 * @returns {Uses[]} what the operations use in turn
 */
function usesOf({ forTask, borrow }, tasks) {
  const none = /** @type {NonNullable<typeof borrow>} */ (borrow);
  if (!forTask) return [{ connection: null, borrow: none }];
  return Array.from({ length: tasks }, (_, index) => ({ connection: forTask(index), borrow: none }));
}

/** @param {OpenLoopPlan} load @param {number} elapsedMs */
const fullText = ({ maxInFlight, ratePerSecond }, elapsedMs) =>
  `${maxInFlight} commands were under way after ${(elapsedMs / 1000).toFixed(1)} s, the bound of --max-in-flight: ` +
  `${ratePerSecond} a second were not held`;
