import { setTimeout as sleep } from 'node:timers/promises';
import { deferred } from '../../process/wait.js';
import { recorderIf } from '../recorder.js';
import { inUnits, readClock, UNITS_PER_MS } from '../turn-clock.js';
import { createLedger, sendThrough } from './ledger.js';
import { receiversOf } from './receiving.js';
import { meetOther } from './wire.js';

/** @import { Commands, MessageLedger } from '../../plugins/types.js' */
/** @import { Messages, Side } from './messages.js' */

/** A receiver that misses the farewell looks around every second. */
const DONE_WITHIN_MS = 5000;

/**
 * Sends what another process receives, which reports when each message arrived, by the shared clock: so a latency ends
 * where the message is, and only the next operation waits for the news.
 * @param {Side} side @returns {Promise<Omit<Messages, 'takeCalls'>>}
 */
export async function createSendingSide(side) {
  const { job, steps, part, key } = side;
  let run = 0;
  const times = createArrivalTimes(job.latency);
  const ledger = createLedger(receiversOf(side), { onArrived: times.count });
  const receiver = await meetReceiver(side.path, ledger);
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
      const done = receiver.done();
      // Where the connection is lost, the run has failed with it.
      await Promise.resolve(side.use(async (to) => send(/** @type {Commands} */ (to), farewell))).catch(
        () => {},
      );
      receiver.tellOver(run);
      await Promise.race([done, sleep(DONE_WITHIN_MS, undefined, { ref: false })]);
    },

    async close() {
      ledger.close();
      receiver.close();
    },
  };
}

/** @param {string} path @param {MessageLedger} ledger */
async function meetReceiver(path, ledger) {
  let reported = deferred();
  const wire = await meetOther(path, {
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
  return {
    /** Resolves when the receiver has reported everything that came in the run. @returns {Promise<void>} */
    done() {
      reported = deferred();
      return reported.promise;
    },
    /** @param {number} run */
    tellOver: (run) => wire.tell(`over ${run}`),
    close: wire.close,
  };
}

/**
 * @import { Recorder } from '../types.js'
 * @typedef {{latencies: Pick<Recorder, 'encode'>, fromSend: Pick<Recorder, 'encode'>, intend: (scheduledAt: number) => void}}
 *   ArrivalTimes `intend`: when the next message was meant to be sent, in units of the turn clock; latencies count from there
 */

/** @param {boolean} latency whether latencies are recorded */
function createArrivalTimes(latency) {
  const create = () => recorderIf(latency, readClock);
  let latencies = create();
  let fromSend = create();
  /** @type {number | null} */
  let scheduledAt = null;
  return {
    /** @returns {ArrivalTimes} of the run that begins */
    begin() {
      latencies = create();
      fromSend = create();
      scheduledAt = null;
      return {
        latencies,
        fromSend,
        intend(at) {
          scheduledAt = at;
        },
      };
    },

    /** How late the next message is. @returns {number} */
    lateMs: () => (scheduledAt === null ? 0 : ((readClock() - scheduledAt) | 0) / UNITS_PER_MS),

    /** @param {number} tookMs @param {number} lateMs */
    count(tookMs, lateMs) {
      fromSend.count(inUnits(tookMs));
      latencies.count(inUnits(tookMs + lateMs));
    },
  };
}
