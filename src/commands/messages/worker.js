import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '../../collections.js';
import { messageOf } from '../../errors.js';
import { createCallCounts } from '../../plugins/shared/call-counts.js';
import { sharedClock } from '../../process/shared-clock.js';
import { deferred } from '../../process/wait.js';
import { ONE_SLOT } from '../../server/one-slot.js';
import { open as openCell, roleOf } from '../../worker/cell.js';
import { inUnits, readClock, recorderIf, UNITS_PER_MS } from '../../worker/recorder.js';
import { awaitOther, meetOther } from './wire.js';

/** @import { Step, Ledger, Item } from '../../plugins/types.js' */
/** @import { ArrivalTimes, Delivery, Job, OnStage, OpenDelivery } from '../../worker/types.js' */

/** @typedef {Parameters<OpenDelivery>[0]} Context */
/** @typedef {Context & ReturnType<typeof meetingOf> & {calls: ReturnType<typeof createCallCounts>}} Side */

/**
 * @param {Job} job whose operations are messages; a process that only receives them has one task
 * @param {OnStage} [onStage]
 */
export const open = (job, onStage) =>
  openCell(onlyReceives(job) ? { ...job, tasks: 1 } : job, onStage, createMessages);

/** @param {Job} job @returns {boolean} whether this process only receives the messages that another one sends */
const onlyReceives = (job) => job.meeting !== undefined && roleOf(job.part, 2).role === 1;

/** @type {OpenDelivery} */
export async function createMessages(context) {
  const { job } = context;
  const calls = createCallCounts();
  const createElsewhere = onlyReceives(job) ? createReceivingSide : createSendingSide;
  const create = job.meeting === undefined ? createHere : createElsewhere;
  return { takeCalls: calls.take, ...(await create({ ...context, ...meetingOf(job), calls })) };
}

const TOKEN_LENGTH = 8;

/** Nobody else may take the messages of this key; on a cluster, each process has one slot. @param {Job} job */
function meetingOf({ keyPrefix, oneSlot, meeting, ...job }) {
  const { part } = roleOf(job.part, meeting === undefined ? 1 : 2);
  const token = meeting?.slice(-TOKEN_LENGTH) ?? process.pid;
  const key = `${keyPrefix}${oneSlot ? ONE_SLOT : ''}m${part.index}-${token}`;
  return { part, path: `${meeting}-${part.index}`, key };
}

/** @param {Side} side of a process that sends and receives @returns {Promise<Omit<Delivery, 'takeCalls'>>} */
async function createHere(side) {
  const { key, steps } = side;
  const ledger = createLedger(receiversOf(side));
  const receiver = await openReceiver(side, ledger);
  sendThrough(steps, { key, ledger, onSent: receiver.expect });
  return {
    keys: [key],
    settled: receiver.settled,
    takeLeftovers: ledger.takeLeftovers,
    async close() {
      ledger.close();
      await receiver.close();
    },
  };
}

/** A farewell has long arrived after this, unless it was lost. */
const FAREWELL_LOST_MS = 1000;

/** Reports each message to the process that sent it. @param {Side} side @returns {Promise<Omit<Delivery, 'takeCalls'>>} */
async function createReceivingSide(side) {
  let lastAtMs = 0;
  let run = 0;
  let lastOver = 0;
  let end = deferred();
  const isRunning = () => run > lastOver;
  /** @param {number} ended that run and all before it are over, even where it has not yet begun here */
  function onOver(ended) {
    lastOver = Math.max(lastOver, ended);
    if (!isRunning()) end.resolve();
  }
  const wire = await awaitOther(side.path, {
    onLine: (line) => void setTimeout(onOver, FAREWELL_LOST_MS, Number(line.split(' ')[1])).unref(),
    onEnd: () => onOver(Number.POSITIVE_INFINITY),
  });
  /** @type {Ledger} */
  const ledger = {
    inFlight: () => (isRunning() ? 1 : 0),
    arrive(id, receiver, atMs = sharedClock()) {
      if (id < 0) return onOver(-id);
      lastAtMs = atMs;
      wire.tell(`arrived ${id} ${receiver} ${atMs}`);
    },
    fail(error) {
      wire.tell(`failed ${messageOf(error).replaceAll('\n', ' ')}`);
      onOver(Number.POSITIVE_INFINITY);
    },
  };
  const receiver = await openReceiver(side, ledger);
  return {
    keys: [],
    settled: async () => {},
    takeLeftovers: () => ({ wrongReplies: 0, firstWrongReply: null }),

    async receive() {
      lastAtMs = sharedClock();
      run++;
      end = deferred();
      onOver(lastOver);
      receiver.expect();
      await end.promise;
      await receiver.settled();
      wire.tell('done');
      return { lastAtMs };
    },

    async close() {
      wire.close();
      await receiver.close();
    },
  };
}

/** A receiver that misses the farewell looks around every second. */
const DONE_WITHIN_MS = 5000;

/**
 * Sends what another process receives, which reports when each message arrived, by the shared clock: so a latency ends
 * where the message is, and only the next operation waits for the news.
 * @param {Side} side @returns {Promise<Omit<Delivery, 'takeCalls'>>}
 */
async function createSendingSide(side) {
  const { job, steps, part, key } = side;
  let run = 0;
  /** When the receiver has reported everything that came in the run. */
  let reported = deferred();
  const times = createArrivalTimes(job.latency);
  const ledger = createLedger(receiversOf(side), { onArrived: times.count });
  const wire = await meetOther(side.path, {
    onLine(line) {
      const [what, id, receiver, atMs] = line.split(' ');
      if (what === 'arrived') ledger.arrive(Number(id), Number(receiver), Number(atMs));
      else if (what === 'failed') ledger.fail(new Error(line.slice('failed '.length)));
      else reported.resolve();
    },
    onEnd() {
      ledger.fail(new Error('the process that receives the messages is gone'));
      reported.resolve();
    },
  });
  const { command, send } = steps[0];
  sendThrough(steps, { key, ledger, lateMs: times.lateMs });
  return {
    keys: [key],
    takeLeftovers: ledger.takeLeftovers,

    elsewhere: {
      part,
      begin() {
        run++;
        return times.begin();
      },
    },

    async settled() {
      side.calls.count(command);
      // The farewell of a run goes the way of its messages, which count from 0, to wake a receiver that waits on the server.
      const farewell = { index: 0, hash: '', key, value: `${-run}:` };
      // The receiver may report before the farewell's own reply is here.
      reported = deferred();
      // Where the connection is lost, the run has failed with it.
      const sent = side.use(async (to) => send(to, farewell));
      await Promise.allSettled([sent]);
      wire.tell(`over ${run}`);
      await Promise.race([reported.promise, sleep(DONE_WITHIN_MS, undefined, { ref: false })]);
    },

    async close() {
      ledger.close();
      wire.close();
    },
  };
}

/** @param {boolean} latency whether latencies are recorded */
function createArrivalTimes(latency) {
  const create = () => ({
    latencies: recorderIf(latency, readClock),
    fromSend: recorderIf(latency, readClock),
  });
  let run = create();
  /** @type {number | null} */
  let scheduledAt = null;
  return {
    /** @returns {ArrivalTimes} of the run that begins */
    begin() {
      run = create();
      scheduledAt = null;
      return {
        ...run,
        intend(at) {
          scheduledAt = at;
        },
      };
    },

    /** How late the next message is. @returns {number} */
    lateMs: () => (scheduledAt === null ? 0 : ((readClock() - scheduledAt) | 0) / UNITS_PER_MS),

    /** @param {number} tookMs @param {number} lateMs */
    count(tookMs, lateMs) {
      run.fromSend.count(inUnits(tookMs));
      run.latencies.count(inUnits(tookMs + lateMs));
    },
  };
}

/** How many times each message arrives. @param {Pick<Side, 'job' | 'workload'>} side @returns {number} */
const receiversOf = ({ job, workload }) => workload.receivers?.(job.workload.parameter) ?? 1;

/** @param {Pick<Side, 'job' | 'workload' | 'key' | 'connect' | 'calls'>} side @param {Ledger} ledger */
const openReceiver = ({ job, workload, key, connect, calls }, ledger) =>
  present(workload.receive)(job.workload.parameter, {
    key,
    connect,
    ledger,
    count: calls.count,
  });

/** On one machine, a message that takes longer than this is lost. */
const LOST_AFTER_MS = 5000;
const LOOK_EVERY_MS = 1000;

/**
 * @typedef {{atMs: number, lateMs: number, missing: number, has: boolean[], resolve: () => void,
 *   reject: (error: unknown) => void}} Sent `lateMs` later than intended; `missing`: receivers that do not have it yet
 */

/**
 * Knows of each message whether it has arrived once, not at all, or more than once.
 * @param {number} receivers that each message must reach
 * @param {{lostAfterMs?: number, lookEveryMs?: number, onArrived?: (tookMs: number, lateMs: number) => void}} [options]
 */
export function createLedger(
  receivers,
  { lostAfterMs = LOST_AFTER_MS, lookEveryMs = LOOK_EVERY_MS, onArrived = () => {} } = {},
) {
  /** @type {Map<number, Sent>} */
  const inFlight = new Map();
  let next = 0;
  let wrong = 0;
  /** @type {string | null} */
  let first = null;
  /** @type {{error: unknown} | null} */
  let broken = null;

  /** @param {string} text */
  function complain(text) {
    wrong++;
    first ??= text;
  }

  const look = setInterval(() => {
    const before = sharedClock() - lostAfterMs;
    for (const [id, { atMs, missing, reject }] of inFlight) {
      if (atMs > before) break;
      inFlight.delete(id);
      const where = receivers === 1 ? '' : ` in ${missing} of ${receivers} subscribers`;
      reject(new Error(`a message was lost: it had not arrived${where} after ${lostAfterMs / 1000} s`));
    }
  }, lookEveryMs);
  look.unref();

  return {
    inFlight: () => inFlight.size,

    /** For a message that is sent `lateMs` after its scheduled time; `arrived` rejects when it is lost. */
    send(lateMs = 0) {
      const id = next++;
      const arrived = new Promise((/** @type {(none: void) => void} */ resolve, reject) => {
        if (broken !== null) reject(broken.error);
        else inFlight.set(id, { atMs: sharedClock(), lateMs, missing: receivers, has: [], resolve, reject });
      });
      // Its producer may fail before anybody waits for this.
      arrived.catch(() => {});
      return { id, arrived };
    },

    /** @param {number} id @param {number} receiver from 0 @param {number} [atMs] by the clock that processes share */
    arrive(id, receiver, atMs = sharedClock()) {
      const sent = inFlight.get(id);
      if (sent === undefined || sent.has[receiver]) {
        const known = Number.isInteger(id) && id >= 0 && id < next;
        complain(known ? `message ${id} arrived twice` : 'a message arrived that was never sent');
        return;
      }
      sent.has[receiver] = true;
      sent.missing--;
      if (sent.missing > 0) return;
      inFlight.delete(id);
      onArrived(atMs - sent.atMs, sent.lateMs);
      sent.resolve();
    },

    /** A receiver failed: all messages fail from now on. @param {unknown} error */
    fail(error) {
      broken ??= { error };
      for (const { reject } of inFlight.values()) reject(error);
      inFlight.clear();
    },

    takeLeftovers() {
      const leftovers = { wrongReplies: wrong, firstWrongReply: first };
      wrong = 0;
      first = null;
      return leftovers;
    },

    close: () => clearInterval(look),
  };
}

/**
 * An operation ends when its message has arrived everywhere, and the command that sent it is answered.
 * @param {Step[]} steps are changed
 * @param {{key: string, ledger: ReturnType<typeof createLedger>, lateMs?: () => number, onSent?: () => void}} way
 */
function sendThrough(steps, { key, ledger, lateMs = () => 0, onSent = () => {} }) {
  for (const step of steps) {
    const { send } = step;
    step.send = async (connection, /** @type {Item} */ item) => {
      const { id, arrived } = ledger.send(lateMs());
      const reply = send(connection, { ...item, key, value: `${id}:${item.value}` });
      onSent();
      const answer = await reply;
      await arrived;
      return answer;
    };
  }
}
