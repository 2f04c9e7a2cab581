import { messageOf } from '../../errors.js';
import { sharedClock } from '../../shared-clock.js';
import { createCallCount, openReceiver } from './receiving.js';
import { awaitOther } from './wire.js';

/**
 * @import { MessageLedger } from '../../plugins/types.js'
 * @import { MessageContext, Messages, Pair } from './messages.js'
 */

/** By then its farewell is long here, unless it was lost. */
const FAREWELL_LOST_MS = 1000;

/**
 * The process that receives what another one sends, and tells it of each message that came.
 *
 * @param {MessageContext} context
 * @param {Pair} pair
 * @returns {Promise<Messages>}
 */
export async function createReceivingSide({ job, workload, connect }, { path, key }) {
  let run = 0;
  let saidFarewell = 0;
  let lastAtMs = 0;
  let end = () => {};
  let waits = false;
  const calls = createCallCount();

  /** @param {number} ended */
  function over(ended) {
    saidFarewell = Math.max(saidFarewell, ended);
    if (saidFarewell >= run) end();
  }
  const wire = await awaitOther(path, {
    onLine: (line) => void setTimeout(over, FAREWELL_LOST_MS, Number(line.split(' ')[1])).unref(),
    onEnd: () => over(Number.POSITIVE_INFINITY),
  });
  /** @type {MessageLedger} */
  const ledger = {
    underWay: () => (waits ? 1 : 0),
    send() {
      throw new Error('a process that receives messages sends none');
    },
    arrive(id, receiver, atMs = sharedClock()) {
      if (id < 0) return over(-id);
      lastAtMs = atMs;
      wire.tell(`arrived ${id} ${receiver} ${atMs}`);
    },
    fail(error) {
      wire.tell(`failed ${messageOf(error).replaceAll('\n', ' ')}`);
      over(run);
    },
  };
  const receiver = await openReceiver(job, workload, { key, connect, ledger, count: calls.count });
  return {
    keys: [],
    takeCalls: calls.take,
    settled: async () => {},
    takeLeftovers: () => ({ wrongReplies: 0, firstWrongReply: null }),

    async receive() {
      run++;
      lastAtMs = sharedClock();
      const ended = new Promise((/** @type {(none: void) => void} */ resolve) => {
        end = () => {
          waits = false;
          resolve();
        };
      });
      waits = true;
      over(saidFarewell);
      receiver.expect(/** @type {any} */ (null));
      await ended;
      await receiver.settled();
      wire.tell(`done ${run}`);
      return { lastAtMs };
    },

    async close() {
      wire.close();
      await receiver.close();
    },
  };
}
