import { createNoRecorder, createRecorder } from './recorder.js';
import { createSchedule } from './schedule.js';
import { excerpt } from './tally.js';
import { usesOf } from './traffic.js';
import { inUnits, readClock } from './turn-clock.js';

/**
 * @import { Connection, Lease } from '../plugins/types.js'
 * @import { CompanyStep } from './company-steps.js'
 * @import { CompanyCounts, Part } from './types.js'
 */

/** More of one command are never under way; what is due then waits, and its latency says so. */
const MOST_UNDER_WAY = 10;

/**
 * Traffic beside the measured operations, at rates of its own. It uses the scenario's connections as another part
 * of the same service would: those of the tasks in turn, or a borrowed one.
 *
 * Its pace is kept by Node's timers, like that of anything else in a service: a command may be a millisecond late,
 * and its latency counts from when it was meant to be sent.
 *
 * @param {CompanyStep[]} steps
 * @param {object} run
 * @param {Lease} run.lease
 * @param {number} run.tasks
 * @param {Part} run.part which of several processes this is: they share the rates
 * @param {boolean} run.latency
 * @param {(error: unknown) => void} run.onError
 */
export function startCompany(steps, { lease, tasks, part, latency, onError }) {
  const uses = usesOf(lease, tasks);
  let turn = 0;
  /** @param {(connection: Connection) => Promise<unknown>} send */
  const onNext = (send) => {
    const next = uses[turn++ % uses.length];
    return 'connection' in next ? send(next.connection) : next.borrow(send);
  };
  const all = steps.map((step) => createCompanion(step, { onNext, part, latency, onError }));
  return {
    /** Sends no more. */
    stop() {
      for (const each of all) each.stop();
    },

    /** @returns {Promise<CompanyCounts[]>} once all that was sent is answered */
    async ended() {
      await Promise.all(all.map((each) => each.ended));
      return all.map((each) => each.counts());
    },
  };
}

/**
 * One command that comes over and over.
 *
 * @param {CompanyStep} step
 * @param {object} run
 * @param {(send: (connection: Connection) => Promise<unknown>) => PromiseLike<unknown>} run.onNext
 * @param {Part} run.part
 * @param {boolean} run.latency
 * @param {(error: unknown) => void} run.onError
 */
function createCompanion(
  { part: { name, command, perSecond }, send, accept },
  { onNext, part, latency, onError },
) {
  const recorder = latency ? createRecorder(readClock) : createNoRecorder(readClock);
  const startedAtMs = performance.now();
  const schedule =
    perSecond === null ? null : createSchedule({ ratePerSecond: perSecond, arrivals: 'even', seed: 0, part });
  let [sent, answered, wrongReplies] = [0, 0, 0];
  /** @type {string | null} */
  let firstWrongReply = null;
  let stopped = false;
  let stoppedAtMs = startedAtMs;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let end = () => {};
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => {
    end = resolve;
  });

  function endIfAnswered() {
    if (!stopped || sent > answered) return;
    // What comes in a loop goes on until its last reply.
    if (schedule === null) stoppedAtMs = performance.now();
    end();
  }

  /** @param {number} dueAtMs since the start */
  async function sendOne(dueAtMs) {
    sent++;
    try {
      const reply = await onNext((connection) => /** @type {Promise<unknown>} */ (send(connection)));
      recorder.done(inUnits(startedAtMs + dueAtMs));
      if (!accept(reply)) {
        wrongReplies++;
        firstWrongReply ??= `${name}, beside, replied ${excerpt(reply)}`;
      }
    } catch (error) {
      onError(error);
      stopped = true;
    }
    answered++;
    endIfAnswered();
    if (!stopped) look();
  }

  function look() {
    const elapsedMs = performance.now() - startedAtMs;
    if (schedule === null) {
      if (sent === answered) sendOne(elapsedMs);
      return;
    }
    while (sent < schedule.due(elapsedMs) && sent - answered < MOST_UNDER_WAY) sendOne(schedule.at(sent));
    clearTimeout(timer);
    // Where too many are under way, the next answer looks again.
    if (sent - answered < MOST_UNDER_WAY)
      timer = setTimeout(look, Math.max(1, schedule.at(sent) - elapsedMs));
  }
  look();

  return {
    ended,
    stop() {
      stopped = true;
      stoppedAtMs = performance.now();
      clearTimeout(timer);
      endIfAnswered();
    },
    /** @returns {CompanyCounts} */
    counts: () => ({
      name,
      command,
      count: answered,
      elapsedMs: stoppedAtMs - startedAtMs,
      wantedPerSecond: perSecond,
      wrongReplies,
      firstWrongReply,
      hdr: recorder.encode(),
    }),
  };
}
