import { setTimeout as sleep } from 'node:timers/promises';
import { createNoRecorder, createRecorder } from '../recorder.js';
import { inUnits, readClock, UNITS_PER_MS } from '../turn-clock.js';
import { createLedger } from './ledger.js';
import { createCallCount, receiversOf } from './receiving.js';
import { meetOther } from './wire.js';

/**
 * @import { Commands, Item } from '../../plugins/types.js'
 * @import { Recorder } from '../types.js'
 * @import { MessageContext, Messages, Pair } from './messages.js'
 */

/** A receiver that misses the farewell looks around every second. */
const DONE_WITHIN_MS = 5000;

/**
 * The process that sends what another one receives. It hears of each arrival, and when that was by the clock that both
 * share: so a latency ends where the message is, and only the next operation waits for the news.
 *
 * @param {MessageContext} context
 * @param {Pair} pair
 * @returns {Promise<Messages>}
 */
export async function createSendingSide({ job, workload, steps, use }, { part, path, key }) {
  let run = 0;
  let runDone = () => {};
  /** @type {(tookMs: number, lateMs: number) => void} */
  let onArrived = () => {};
  const calls = createCallCount();
  const ledger = createLedger(receiversOf(job, workload), {
    onArrived: (tookMs, lateMs) => onArrived(tookMs, lateMs),
  });
  const wire = await meetOther(path, {
    onLine(line) {
      const [what, id, receiver, atMs] = line.split(' ');
      if (what === 'arrived') ledger.arrive(Number(id), Number(receiver), Number(atMs));
      else if (what === 'failed') ledger.fail(new Error(line.slice('failed '.length)));
      else runDone();
    },
    onEnd() {
      ledger.fail(new Error('the process that receives the messages is gone'));
      runDone();
    },
  });
  /** @type {number | null} */
  let scheduledAt = null;
  const { command, send: farewell } = steps[0];
  for (const step of steps) {
    const { send } = step;
    step.send = async (connection, /** @type {Item} */ item) => {
      const { id, arrived } = ledger.send(scheduledAt === null ? 0 : since(scheduledAt));
      const answer = await send(connection, { ...item, key, value: `${id}:${item.value}` });
      await arrived;
      return answer;
    };
  }
  return {
    keys: [key],
    takeCalls: calls.take,
    takeLeftovers: ledger.takeLeftovers,

    elsewhere: {
      part,
      begin() {
        run++;
        scheduledAt = null;
        const latencies = recorderFor(job.latency);
        const fromSend = recorderFor(job.latency);
        onArrived = (tookMs, lateMs) => {
          fromSend.count(inUnits(tookMs));
          latencies.count(inUnits(tookMs + lateMs));
        };
        return {
          latencies,
          fromSend,
          intend(at) {
            scheduledAt = at;
          },
        };
      },
    },

    async settled() {
      const done = new Promise((/** @type {(none: void) => void} */ resolve) => {
        runDone = resolve;
      });
      calls.count(command);
      // The farewell of a run goes the way of its messages, which count from 0: so a receiver that waits on the server is woken.
      const last = { index: 0, hash: '', key, value: `${-run}:` };
      // Where the connection is lost, the run has failed with it.
      await Promise.resolve(use(async (to) => farewell(/** @type {Commands} */ (to), last))).catch(() => {});
      wire.tell(`over ${run}`);
      await Promise.race([done, sleep(DONE_WITHIN_MS, undefined, { ref: false })]);
    },

    async close() {
      ledger.close();
      wire.close();
    },
  };
}

/** @param {number} scheduledAt in units of the turn clock @returns {number} milliseconds */
const since = (scheduledAt) => ((readClock() - scheduledAt) | 0) / UNITS_PER_MS;

/** @param {boolean} latency @returns {Recorder} */
const recorderFor = (latency) => (latency ? createRecorder(readClock) : createNoRecorder(readClock));
