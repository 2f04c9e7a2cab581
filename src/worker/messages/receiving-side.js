import { messageOf } from '../../errors.js';
import { deferred } from '../../process/wait.js';
import { sharedClock } from '../../shared-clock.js';
import { openReceiver } from './receiving.js';
import { awaitOther } from './wire.js';

/** @import { MessageLedger } from '../../plugins/types.js' */
/** @import { Messages, Side } from './messages.js' */

/** By then the farewell has long arrived, unless it was lost. */
const FAREWELL_LOST_MS = 1000;

/** Reports each message to the process that sent it. @param {Side} side @returns {Promise<Omit<Messages, 'takeCalls'>>} */
export async function createReceivingSide(side) {
  let lastAtMs = 0;
  const runs = createRuns();
  const wire = await awaitOther(side.path, {
    onLine: (line) => void setTimeout(runs.over, FAREWELL_LOST_MS, Number(line.split(' ')[1])).unref(),
    onEnd: () => runs.over(Number.POSITIVE_INFINITY),
  });
  /** @type {MessageLedger} */
  const ledger = {
    underWay: () => (runs.isRunning() ? 1 : 0),
    send() {
      throw new Error('a process that receives messages sends none');
    },
    arrive(id, receiver, atMs = sharedClock()) {
      if (id < 0) return runs.over(-id);
      lastAtMs = atMs;
      wire.tell(`arrived ${id} ${receiver} ${atMs}`);
    },
    fail(error) {
      wire.tell(`failed ${messageOf(error).replaceAll('\n', ' ')}`);
      runs.over(Number.POSITIVE_INFINITY);
    },
  };
  const receiver = await openReceiver(side, ledger);
  return {
    keys: [],
    settled: async () => {},
    takeLeftovers: () => ({ wrongReplies: 0, firstWrongReply: null }),

    async receive() {
      lastAtMs = sharedClock();
      const ended = runs.begin();
      receiver.expect(/** @type {any} */ (null));
      await ended;
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

/** Knows which runs are over, even one that has not yet begun here. */
function createRuns() {
  let run = 0;
  let lastOver = 0;
  let end = deferred();

  const isRunning = () => run > lastOver;
  return {
    isRunning,

    /** @param {number} ended that run and all before it */
    over(ended) {
      lastOver = Math.max(lastOver, ended);
      if (!isRunning()) end.resolve();
    },

    begin() {
      run++;
      end = deferred();
      if (!isRunning()) end.resolve();
      return end.promise;
    },
  };
}
