import { monitorEventLoopDelay } from 'node:perf_hooks';
import { messageOf } from '../errors.js';
import { startMeters } from '../meters/all-meters.js';
import { originOf } from './code-origin.js';
import { keepPace, startTurns } from './paced-loop.js';
import { createSchedule, withPause } from './schedule.js';
import { startTogether } from './start-together.js';
import { borrowOf } from './uses.js';

/** @import { OpenLoopPlan } from '../plan/types.js' */
/** @import { Connection, Item } from '../plugins/types.js' */
/** @import { openLastingReceiver } from './messages/receiving.js' */
/** @import { RunWork } from './timed-run.js' */
/** @import { FaultCrash, FaultEnd, FaultProgress, FaultRunLength, Job } from './types.js' */

/** How often the parent gets a report: of a process that dies it misses only what happened since the last one. */
const TELL_EVERY_MS = 50;
const LOOK_EVERY_MS = 5;
const SHORTEST_SLEEP_MS = 1;
/** What a reply without an error was; errors count from 1. */
const ANSWERS = { right: 0, wrong: -1, nothing: -2 };

/** Whoever has to wait longer than this for the next message waits for ever. */
const LOST_AFTER_MS = 5000;

/**
 * @typedef {Omit<RunWork, 'onSecond' | 'messages'> & {
 *   itemOf: (number: number) => Item, messages: Awaited<ReturnType<typeof openLastingReceiver>> | null
 * }} Accounted work whose operations are numbered
 */

/**
 * A run in which something breaks: an open loop that goes on whatever happens, and tells of each operation when it
 * was answered, and how. It ends when all are answered, or when nobody waits any longer.
 * @param {Job} job @param {Accounted} work
 * @param {FaultRunLength} length @param {(progress: FaultProgress) => void} onProgress @returns {Promise<FaultEnd>}
 */
export async function faultRun(job, work, length, onProgress) {
  const { durationMs, settleMs, startAtMs, pause } = length;
  const { control, messages } = work;
  const load = /** @type {OpenLoopPlan} */ (job.load);
  const schedule = withPause(createSchedule({ ...load, seed: job.seed, part: job.part }), pause);
  const delays = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
  const meters = startMeters(work);
  await startTogether(startAtMs);
  meters.begin();
  const turn = startTurns();
  const elapsed = () => performance.now() - turn.startedAtMs;
  const ledger = createLedger(schedule.at, messages?.receivers ?? 0);
  messages?.begin((number, receiver) => ledger.arrived(number, receiver, elapsed()));
  const crashes = watchCrashes(elapsed, () => {
    control.stopped = true;
  });
  delays.enable();
  let reportedMs = 0;
  /** @param {Pick<FaultProgress, 'scheduled' | 'dropped' | 'unsent'>} counts */
  function tell({ scheduled, dropped, unsent }) {
    reportedMs = elapsed();
    const rssBytes = process.memoryUsage.rss();
    onProgress({ ...ledger.take(), scheduled, dropped, unsent, elapsedMs: reportedMs, rssBytes });
  }
  const ended = await keepPace(turn, {
    schedule,
    whenFull: load.whenFull,
    sender: {
      start: createSender(job.tasks, work, ledger, elapsed),
      hasRoom: () => ledger.waiting() < load.maxInFlight,
      // Nobody waits any longer.
      inFlight: () =>
        control.stopped || elapsed() >= durationMs + settleMs ? 0 : ledger.inFlight(elapsed()),
    },
    durationMs,
    drainMs: settleMs,
    control,
    waits: 'timers',
    lookEveryMs: SHORTEST_SLEEP_MS,
    onLook(elapsedMs, counts) {
      if (elapsedMs - reportedMs >= TELL_EVERY_MS) tell(counts());
    },
  });
  delays.disable();
  tell(ended);
  crashes.stop();
  const { calls, client } = await meters.take(ledger.acknowledged());
  const longestCall = messages?.longestCall(turn.startedAtMs) ?? null;
  return { loopDelayMaxMs: delays.max / 1e6, crash: crashes.first(), calls, client, longestCall };
}

/**
 * What becomes of the operations.
 * @param {(number: number) => number} scheduledMs @param {number} receivers to which each is a message
 */
function createLedger(scheduledMs, receivers) {
  /** @type {Set<number>} in the order in which they were sent */
  const waiting = new Set();
  /** Messages that are not everywhere, by where that is. @type {Set<number>} */
  const missing = new Set();
  let newsMs = 0;
  /** @type {Map<string, number>} */
  const causes = new Map();
  let acknowledged = 0;
  /** Two numbers for each operation, three for each answer: there are many. @type {number[]} */
  let sent = [];
  /** @type {number[]} */
  let answered = [];
  /** @type {number[]} */
  let arrived = [];
  /** @type {string[]} */
  let newCauses = [];

  /** @param {string} cause @returns {number} from 1 */
  function placeOf(cause) {
    const known = causes.get(cause);
    if (known !== undefined) return known;
    causes.set(cause, causes.size + 1);
    newCauses.push(cause);
    return causes.size;
  }
  return {
    waiting: () => waiting.size,

    /** @param {number} nowMs @returns {number} more than none while replies or messages may still come */
    inFlight: (nowMs) => waiting.size + (nowMs - newsMs < LOST_AFTER_MS ? missing.size : 0),

    /** @param {number} number */
    sent(number) {
      waiting.add(number);
      for (let receiver = 0; receiver < receivers; receiver++) missing.add(number * receivers + receiver);
      sent.push(number, scheduledMs(number));
    },

    /** @param {number} number @param {number} receiver @param {number} atMs */
    arrived(number, receiver, atMs) {
      missing.delete(number * receivers + receiver);
      newsMs = atMs;
      arrived.push(number, receiver, atMs);
    },

    /** @param {number} number @param {number} atMs @param {string | number} outcome an error, or one of ANSWERS */
    answered(number, atMs, outcome) {
      waiting.delete(number);
      newsMs = atMs;
      if (outcome === ANSWERS.right) acknowledged++;
      else
        for (let receiver = 0; receiver < receivers; receiver++)
          missing.delete(number * receivers + receiver);
      answered.push(number, atMs, typeof outcome === 'number' ? outcome : placeOf(outcome));
    },
    acknowledged: () => acknowledged,

    /** @returns {Pick<FaultProgress, 'sent' | 'answered' | 'arrived' | 'newCauses'>} what is new */
    take() {
      const taken = { sent, answered, arrived, newCauses };
      sent = [];
      answered = [];
      arrived = [];
      newCauses = [];
      return taken;
    },
  };
}

/**
 * @param {number} tasks @param {Accounted} work
 * @param {ReturnType<typeof createLedger>} ledger @param {() => number} elapsed
 * @returns {(scheduledMs: number, number: number) => Promise<void>} sends an operation
 */
function createSender(tasks, work, ledger, elapsed) {
  const borrows = Array.from({ length: tasks }, (_, task) => borrowOf(work.connections.lease, task));
  const operate = createOperation(work);
  return async (_, number) => {
    ledger.sent(number);
    try {
      const answer = await borrows[number % tasks](async (connection) => operate(connection, number));
      ledger.answered(number, elapsed(), answer);
    } catch (error) {
      ledger.answered(number, elapsed(), messageOf(error));
    }
  };
}

/**
 * @param {Accounted} work
 * @returns {(connection: Connection, number: number) => Promise<number>} does an operation; one of ANSWERS
 */
const createOperation =
  ({ itemOf, cycle, messages }) =>
  async (connection, number) => {
    const item = itemOf(number);
    /** @type {number} */
    let answer = ANSWERS.right;
    for (const step of cycle.next()) {
      const sent = step.send(connection, item);
      messages?.expect(connection);
      const reply = await sent;
      if (!step.accept(reply, item) && answer !== ANSWERS.wrong)
        answer = isNothing(reply) ? ANSWERS.nothing : ANSWERS.wrong;
    }
    return answer;
  };

/** @param {any} reply that was not accepted @returns {boolean} whether it may be of a server without its data */
const isNothing = (reply) =>
  !reply || reply instanceof Error || (typeof reply === 'object' && Object.values(reply).every(isNothing));

/**
 * Notices what would end an application's process: an exception that nobody caught, or a rejection that nobody
 * handled. Here it ends the run, which can still tell of it.
 * @param {() => number} elapsed in milliseconds @param {() => void} onCrash
 */
function watchCrashes(elapsed, onCrash) {
  /** @type {FaultCrash | null} */
  let first = null;
  /** @param {FaultCrash['kind']} kind @returns {(error: unknown) => void} */
  const notice = (kind) => (error) => {
    first ??= { kind, message: messageOf(error), at: placeOf(error), ms: elapsed() };
    onCrash();
  };
  const onException = notice('exception');
  const onRejection = notice('rejection');
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return {
    first: () => first,
    stop() {
      process.off('uncaughtException', onException);
      process.off('unhandledRejection', onRejection);
    },
  };
}

/** A frame of a stack: `at name (file:1:2)` or `at file:1:2`. */
const FRAME = /^\s*at (?:(.*?) \()?((?:file:|node:|\/).*?):(\d+):\d+\)?$/;

/**
 * @param {unknown} error
 * @returns {string | null} the first line of its stack that is not Node's own: `ioredis/built/Redis.js:123 (connect)`
 */
function placeOf(error) {
  const lines = String(/** @type {any} */ (error)?.stack ?? '').split('\n');
  const frames = lines.flatMap((line) => {
    const [, functionName = '', url, lineNumber] = FRAME.exec(line) ?? [];
    return url === undefined ? [] : originOf({ functionName, url, lineNumber: Number(lineNumber) - 1 });
  });
  const own = frames.find(({ part }) => part !== 'node') ?? frames[0];
  if (own === undefined) return null;
  return `${[own.package, own.file].filter(Boolean).join('/')}:${own.line} (${own.name})`;
}
