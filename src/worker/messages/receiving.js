import { setTimeout as sleep } from 'node:timers/promises';
import { createCallCounts } from '../../call-counts.js';
import { messageOf } from '../../errors.js';

/** @import { Connection, MessageLedger } from '../../plugins/types.js' */
/** @import { ReceiverCall } from '../types.js' */
/** @import { Side } from './messages.js' */

/** How many times each message arrives. @param {Pick<Side, 'job' | 'workload'>} side @returns {number} */
export const receiversOf = ({ job, workload }) => workload.receivers?.(job.workload.parameter) ?? 1;

/** @param {Pick<Side, 'job' | 'workload' | 'key' | 'connect' | 'calls'>} side @param {MessageLedger} ledger */
export const openReceiver = ({ job, workload, key, connect, calls }, ledger) =>
  /** @type {NonNullable<typeof workload.receive>} */ (workload.receive)(job.workload.parameter, {
    key,
    connect,
    ledger,
    count: calls.count,
  });

const AGAIN_AFTER_MS = 50;

/** They go on after an error, as a service does. @param {Pick<Side, 'job' | 'workload' | 'key' | 'connect'>} side */
export async function openLastingReceiver(side) {
  const calls = createCallCounts();
  const watch = createCallWatch();
  /** @type {(number: number, receiver: number) => void} */
  let onArrival = () => {};
  /** @type {MessageLedger} */
  const ledger = {
    underWay: () => 1,
    send() {
      throw new Error('operations of a run with a fault are numbered by their account');
    },
    arrive: (number, receiver) => onArrival(number, receiver),
    fail: () => sleep(AGAIN_AFTER_MS),
  };
  const connect = async () => watch.watched(await side.connect());
  const receiver = await openReceiver({ ...side, connect, calls }, ledger);
  return {
    receivers: receiversOf(side),
    takeCalls: calls.take,
    expect: receiver.expect,
    longestCall: watch.longest,

    /** @param {typeof onArrival} listener */
    begin(listener) {
      onArrival = listener;
    },
  };
}

/** Finds the command that took longest, which may be one that never came back. */
function createCallWatch() {
  /** @type {Set<{command: string, fromMs: number}>} */
  const open = new Set();
  /** @type {(ReceiverCall & {fromMs: number}) | null} */
  let longest = null;

  /** @param {{command: string, fromMs: number}} call @param {string | null} error @param {boolean} ended */
  function note({ command, fromMs }, error, ended) {
    const ms = performance.now() - fromMs;
    if (ms > (longest?.ms ?? 0)) longest = { command, fromMs, ms, error, ended, atMs: 0 };
  }
  return {
    /** @param {Connection} connection @returns {Connection} */
    watched(connection) {
      const send = connection.command.bind(connection);
      connection.command = (args) => {
        const call = { command: args[0], fromMs: performance.now() };
        open.add(call);
        const end = (/** @type {unknown} */ error) => {
          open.delete(call);
          note(call, error === null ? null : messageOf(error), true);
        };
        const reply = send(args);
        reply.then(() => end(null), end);
        return reply;
      };
      return connection;
    },

    /** @param {number} startedAtMs of the run @returns {ReceiverCall | null} */
    longest(startedAtMs) {
      for (const call of open) note(call, null, false);
      if (longest === null) return null;
      const { fromMs, ...call } = longest;
      return { ...call, atMs: fromMs - startedAtMs };
    },
  };
}
