import { monitorEventLoopDelay } from 'node:perf_hooks';
import calculateSlot from 'cluster-key-slot';
import { present } from '../../collections.js';
import { messageOf } from '../../errors.js';
import { accountFor } from '../../plugins/registry.js';
import { createWork, prepareData } from '../../worker/cell.js';
import { loadParts } from '../../worker/cell-parts.js';
import { borrowOf, createConnections, leaseFor } from '../../worker/connections.js';
import { startMeters } from '../../worker/meters/all-meters.js';
import { keepPace, startTurns } from '../../worker/paced-loop.js';
import { createSchedule, startTogether, withPause } from '../../worker/schedule.js';
import { onlyReads } from '../../worker/store-data.js';

/** @import { Account, Connection, Item, WorkloadPlugin } from '../../plugins/types.js' */
/** @import { FaultOperation } from './account.js' */
/** @import { RunWork, Work } from '../../worker/cell.js' */
/** @import { Sending } from '../../worker/paced-loop.js' */
/** @import { Emitted, Job, RunControl } from '../../worker/types.js' */
/** @import { FaultCrash } from './types.js' */

/**
 * `pause`: in which nothing is sent; of no length where there is none; `settleMs`: how long answers are waited for after
 * that; `startAtMs`: by the shared clock
 * @typedef {{durationMs: number, pause: {atMs: number, ms: number}, settleMs: number, startAtMs: number}} FaultRunLength
 */

/**
 * What a process reports while something breaks; counts are from the start, lists since its last report.
 * @typedef {Pick<Sending, 'scheduled' | 'dropped' | 'unsent'> & ReturnType<typeof noNews> & {
 *   elapsedMs: number, rssBytes: number, emitted: Emitted | null}} FaultProgress
 */

/** @typedef {Job & {brokenSlots?: number}} FaultJob `brokenSlots`: on the node of a cluster that breaks are those below this */

/** @param {FaultJob} given */
export async function open(given) {
  const parts = await loadParts(given);
  const { workload } = parts;
  const account = accountFor(workload, given.workload.parameter);
  const job = { ...(account?.fresh ? withFreshKeys(given) : given), isFollowed: true };
  const work = await createWork(job, parts);
  const opened = await createConnections(job, parts, work.meter, { recovers: true });
  const connections = { ...opened, lease: leaseFor(opened.lease, parts) };
  const { steps } = work;
  const { itemOf, evidence, unstored } = numberedBy(account, job, work);
  const before = { ...work.stored, all: () => work.stored.all().filter((item) => !unstored?.has(item)) };
  const isOnBroken = brokenBy(job, workload, work);
  /** @type {RunControl} */
  const control = { stopped: false };
  return {
    async prepare() {
      const known = await connections.use(async (connection) => {
        await connection.ping();
        return prepareData(connection, job, { ...work, stored: before });
      });
      return {
        ...known,
        connections: connections.connected(),
        evidence,
        onlyReads: steps.every(onlyReads),
      };
    },

    /** @param {FaultRunLength} length @param {(news: {progress: FaultProgress}) => void} onNews */
    run: (length, onNews) =>
      faultRun(job, { ...work, itemOf, isOnBroken, connections, control }, length, (progress) =>
        onNews({ progress }),
      ),

    stop() {
      control.stopped = true;
      control.onStop?.();
    },
  };
}

/** @param {Job} job @returns {Job} with keys that no other process has */
function withFreshKeys({ keyPrefix, keySize, part, ...job }) {
  const keys = Math.ceil(job.keys / part.count);
  const prefix = `${keyPrefix}p${part.index}:`;
  return { ...job, part, keys, keyPrefix: prefix, keySize: Math.max(keySize, prefix.length + MOST_DIGITS) };
}
/** A key's number and the tag of a slot have no more. */
const MOST_DIGITS = 12;

/** @param {Account | undefined} account @param {Job} job @param {Pick<Work, 'items' | 'cycle'>} work @returns {ReturnType<Account['number']>} */
const numberedBy = (account, job, { items, cycle }) =>
  account?.number(job, items, job.workload.parameter) ?? {
    // Each share of a mix has its own items. Numbers go on where operations are dropped, turns would not.
    itemOf: (number) => (cycle.at?.(number)[0].items ?? items).next(),
    evidence: null,
  };

/**
 * @param {FaultJob} job @param {WorkloadPlugin} workload @param {Work} work
 * @returns {(item: Item) => boolean | undefined} whether an operation needs the node that breaks; undefined where no one
 *   node does, or where that is unknown
 */
function brokenBy({ brokenSlots, workload: { parameter } }, { request }, { own, steps, items }) {
  if (brokenSlots === undefined || own !== null) return () => undefined;
  const isBroken = (/** @type {string} */ key) => calculateSlot(key) < brokenSlots;
  if (steps.some(({ byHash }) => byHash)) return ({ hash }) => isBroken(hash);
  const asked = request?.(parameter);
  const count = asked === undefined || asked.kind.parts ? 1 : asked.count;
  const all = items.all();
  return ({ index, key }) => {
    if (count === 1) return isBroken(key);
    return Array.from({ length: count }, (_, at) => all[(index + at) % all.length].key).some(isBroken);
  };
}

/** A process that dies loses no more than this from its record. */
const REPORT_EVERY_MS = 50;
const LOOK_EVERY_MS = 5;
const SHORTEST_SLEEP_MS = 1;

/**
 * @typedef {Omit<RunWork, 'onSecond' | 'delivery'> & {itemOf: (number: number) => Item,
 *   isOnBroken: (item: Item) => boolean | undefined}} Accounted
 */

/**
 * An open loop that goes on whatever happens, and reports when and how each operation was answered. It ends when all are
 * answered, or settleMs after its time.
 * @param {Job} job @param {Accounted} work
 * @param {FaultRunLength} length @param {(progress: FaultProgress) => void} onProgress
 * @typedef {Awaited<ReturnType<typeof faultRun>>} FaultEnd
 */
async function faultRun(job, work, length, onProgress) {
  const { durationMs, settleMs, startAtMs, pause } = length;
  const { control } = work;
  const load = present(job.load);
  const schedule = withPause(createSchedule({ ...load, seed: job.seed, part: job.part }), pause);
  const delays = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
  const meters = startMeters({ ...work, delivery: null });
  // On a busy machine it may begin late; the fault does not.
  const lateMs = (await startTogether(startAtMs)) - startAtMs;
  meters.begin();
  const turn = startTurns();
  const elapsed = () => performance.now() - turn.startedAtMs + lateMs;
  const ledger = createLedger((number) => schedule.at(number) + lateMs);
  const crashes = watchCrashes(elapsed, () => {
    control.stopped = true;
  });
  delays.enable();
  let reportedMs = 0;
  /** @param {Pick<FaultProgress, 'scheduled' | 'dropped' | 'unsent'>} counts */
  function tell({ scheduled, dropped, unsent }) {
    reportedMs = elapsed();
    const rssBytes = process.memoryUsage.rss();
    const emitted = work.connections.takeEmitted();
    onProgress({ ...ledger.take(), scheduled, dropped, unsent, elapsedMs: reportedMs, rssBytes, emitted });
  }
  const ended = await keepPace(turn, {
    schedule,
    whenFull: load.whenFull,
    sender: {
      start: createSender(job.tasks, work, ledger, elapsed),
      hasRoom: () => ledger.waiting() < load.maxInFlight,
      inFlight: () => (control.stopped || elapsed() >= durationMs + settleMs ? 0 : ledger.waiting()),
    },
    durationMs,
    drainMs: settleMs,
    control,
    waits: 'timers',
    lookEveryMs: SHORTEST_SLEEP_MS,
    onLook(_, counts) {
      if (elapsed() - reportedMs >= REPORT_EVERY_MS) tell(counts());
    },
  });
  delays.disable();
  tell(ended);
  crashes.stop();
  const { calls, client } = await meters.take(ledger.acknowledged());
  return { loopDelayMaxMs: delays.max / 1e6, crash: crashes.first(), calls, client };
}

/** @param {(number: number) => number} scheduledMs */
function createLedger(scheduledMs) {
  /** @type {Set<number>} */
  const waiting = new Set();
  let acknowledged = 0;
  let news = noNews();
  return {
    waiting: () => waiting.size,

    /** @param {number} number @param {boolean} [isOnBroken] */
    sent(number, isOnBroken) {
      waiting.add(number);
      news.sent.push([number, scheduledMs(number), isOnBroken]);
    },

    /** @param {number} number @param {number} atMs @param {Answer} answer */
    answered(number, atMs, answer) {
      waiting.delete(number);
      if (answer === RIGHT) acknowledged++;
      news.answered.push([number, atMs, answer]);
    },
    acknowledged: () => acknowledged,

    /** @returns {ReturnType<typeof noNews>} since the last call */
    take() {
      const taken = news;
      news = noNews();
      return taken;
    },
  };
}

/** @typedef {Partial<Pick<FaultOperation, 'cause' | 'wrong'>>} Answer */

/** @type {Answer} */
const RIGHT = {};

const noNews = () => ({
  /** When each was meant to start. @type {[number: number, scheduledMs: number, isOnBroken?: boolean][]} */
  sent: [],
  /** @type {[number: number, atMs: number, answer: Answer][]} */
  answered: [],
});

/**
 * @param {number} tasks @param {Accounted} work @param {ReturnType<typeof createLedger>} ledger
 * @param {() => number} elapsed @returns {(scheduledMs: number, number: number) => Promise<void>}
 */
function createSender(tasks, { connections, itemOf, isOnBroken, cycle }, ledger, elapsed) {
  const borrows = Array.from({ length: tasks }, (_, task) => borrowOf(connections.lease, task));

  /** @param {Connection} connection @param {number} number @param {Item} item @returns {Promise<Answer>} */
  async function operate(connection, number, item) {
    let answer = RIGHT;
    for (const step of cycle.at?.(number) ?? cycle.next()) {
      const reply = await step.send(connection, item);
      if (step.accept(reply, item) || answer.wrong === 'value') continue;
      const isEmpty = isNothing(step.wrongAmong ? step.wrongAmong(reply, item) : reply);
      answer = { wrong: isEmpty ? 'nothing' : 'value' };
    }
    return answer;
  }
  return async (_, number) => {
    const item = itemOf(number);
    ledger.sent(number, isOnBroken(item));
    try {
      const answer = await borrows[number % tasks](async (connection) => operate(connection, number, item));
      ledger.answered(number, elapsed(), answer);
    } catch (error) {
      ledger.answered(number, elapsed(), { cause: messageOf(error) });
    }
  };
}

/** @param {unknown} reply that was not accepted @returns {boolean} whether a server without its data may have sent it */
const isNothing = (reply) =>
  !reply || reply instanceof Error || (typeof reply === 'object' && Object.values(reply).every(isNothing));

/**
 * Notices what would end an application's process: an uncaught exception, or an unhandled rejection. Here it ends the
 * run, which can still report it. @param {() => number} elapsed in milliseconds @param {() => void} onCrash
 */
function watchCrashes(elapsed, onCrash) {
  /** @type {FaultCrash | null} */
  let first = null;
  /** @param {FaultCrash['kind']} kind @returns {(error: unknown) => void} */
  const notice = (kind) => (error) => {
    first ??= { kind, message: messageOf(error), at: lineOf(error), ms: elapsed() };
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

/** A frame of a stack that is not Node's: its function, the file from its package on or its name alone, and the line. */
const FRAME = /^ *at (?:(.*?) \()?(?:file:\/\/)?\/(?:.*node_modules\/|.*\/)(.*?):(\d+):\d+\)?$/m;

/** @param {unknown} error @returns {string | null} the first line that is not Node's: `ioredis/built/Redis.js:123 (connect)` */
function lineOf(error) {
  const [, name = '(anonymous)', file, line] = FRAME.exec(String(Object(error).stack ?? '')) ?? [];
  return file === undefined ? null : `${file}:${line} (${name})`;
}
