import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.js';
import { createPacer } from './pacer.js';
import { createSchedule } from './schedule.js';
import { startTogether } from './start-together.js';
import { usesOf } from './traffic.js';
import { watchCrashes } from './watch-crashes.js';

/**
 * @import { OpenLoopPlan } from '../plan/types.js'
 * @import { Lease } from '../plugins/types.js'
 * @import { createNumbered } from './fault-cell.js'
 * @import { FaultEnd, FaultProgress, FaultRunLength, Job } from './types.js'
 */

/** The parent is told as often: of a process that dies it knows all but what happened in the last of these. */
const TELL_EVERY_MS = 50;
/** Of the histogram of the event loop's delays. */
const LOOK_EVERY_MS = 5;
const SHORTEST_SLEEP_MS = 1;

/**
 * A run in which something breaks: an open loop that goes on whatever happens, and tells of each operation when it
 * was answered, and how. It ends when all are answered, or when nobody waits any longer.
 *
 * @param {Job} job
 * @param {{lease: Lease, numbered: ReturnType<typeof createNumbered>, control: {stopped: boolean}}} cell
 * @param {FaultRunLength} length
 * @param {(progress: FaultProgress) => void} onProgress
 * @returns {Promise<FaultEnd>}
 */
export async function faultRun(
  job,
  { lease, numbered, control },
  { durationMs, settleMs, startAtMs },
  onProgress,
) {
  const load = /** @type {OpenLoopPlan} */ (job.load);
  const schedule = createSchedule({ ...load, seed: job.seed, part: job.part });
  const delays = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
  await startTogether(startAtMs);
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const ledger = createLedger(schedule.at);
  const crashes = watchCrashes(elapsed);
  const send = createSender({ uses: usesOf(lease, job.tasks), numbered, ledger, elapsed });
  const pacer = createPacer({
    schedule,
    total: schedule.due(durationMs),
    whenFull: load.whenFull,
    hasRoom: () => ledger.waiting() < load.maxInFlight,
    start: send,
  });
  delays.enable();
  let toldMs = 0;
  const tell = () => {
    toldMs = elapsed();
    const { scheduled, dropped, unsent } = pacer.counts();
    onProgress({
      ...ledger.take(),
      scheduled,
      dropped,
      unsent,
      elapsedMs: toldMs,
      rssBytes: process.memoryUsage.rss(),
    });
  };
  while (!control.stopped && crashes.first() === null && elapsed() < durationMs + settleMs) {
    pacer.look(Math.min(elapsed(), durationMs));
    if (elapsed() >= durationMs && ledger.waiting() === 0) break;
    if (elapsed() - toldMs >= TELL_EVERY_MS) tell();
    await sleep(SHORTEST_SLEEP_MS);
  }
  delays.disable();
  tell();
  crashes.stop();
  return { loopDelayMaxMs: delays.max / 1e6, crash: crashes.first() };
}

/**
 * What becomes of the operations.
 *
 * @param {(number: number) => number} scheduledMs
 */
function createLedger(scheduledMs) {
  /** @type {Set<number>} in the order in which they were sent */
  const waiting = new Set();
  /** @type {Map<string, number>} */
  const causes = new Map();
  let wrongReplies = 0;
  /** Two numbers for each operation, three for each answer: there are many. @type {number[]} */
  let sent = [];
  /** @type {number[]} */
  let answered = [];
  /** @type {string[]} */
  let newCauses = [];

  /** @param {string | null} cause @returns {number} 0 where it was done */
  function placeOf(cause) {
    if (cause === null) return 0;
    const known = causes.get(cause);
    if (known !== undefined) return known;
    causes.set(cause, causes.size + 1);
    newCauses.push(cause);
    return causes.size;
  }
  return {
    waiting: () => waiting.size,

    /** @param {number} number */
    sent(number) {
      waiting.add(number);
      sent.push(number, scheduledMs(number));
    },

    /** @param {number} number @param {number} atMs @param {string | null} cause null where it was done */
    answered(number, atMs, cause) {
      waiting.delete(number);
      answered.push(number, atMs, placeOf(cause));
    },
    wrong: () => wrongReplies++,

    /** @returns {Pick<FaultProgress, 'sent' | 'answered' | 'newCauses' | 'wrongReplies'>} what is new */
    take() {
      const taken = { sent, answered, newCauses, wrongReplies };
      sent = [];
      answered = [];
      newCauses = [];
      return taken;
    },
  };
}

/**
 * @param {object} work
 * @param {ReturnType<typeof usesOf>} work.uses
 * @param {ReturnType<typeof createNumbered>} work.numbered
 * @param {ReturnType<typeof createLedger>} work.ledger
 * @param {() => number} work.elapsed
 * @returns {(number: number) => void} sends an operation
 */
function createSender({ uses, numbered, ledger, elapsed }) {
  return (number) => {
    ledger.sent(number);
    const use = uses[number % uses.length];
    const command = numbered.commandOf(number);
    issue(() =>
      'connection' in use
        ? use.connection.command(command)
        : use.borrow((connection) => connection.command(command)),
    ).then(
      (reply) => {
        if (!numbered.accept(reply)) ledger.wrong();
        ledger.answered(number, elapsed(), null);
      },
      (error) => ledger.answered(number, elapsed(), messageOf(error)),
    );
  };
}

/** @param {() => PromiseLike<unknown>} send @returns {Promise<unknown>} rejects also where it throws at once */
const issue = async (send) => send();
