import { createCallCounts } from '../../call-counts.js';
import { onlyReceives, roleOf } from '../role.js';
import { createLedger, sendThrough } from './ledger.js';
import { openReceiver, receiversOf } from './receiving.js';
import { createReceivingSide } from './receiving-side.js';
import { createSendingSide } from './sending-side.js';

/** @import { Connection, Step, WorkloadPlugin } from '../../plugins/types.js' */
/** @import { Job, Leftovers, Part } from '../types.js' */
/** @import { ArrivalTimes } from './sending-side.js' */

/**
 * @typedef {object} Messages of a cell's process
 * @property {string[]} keys that they go through
 * @property {() => Record<string, number>} takeCalls commands besides those of the operations, since the last call
 * @property {() => Promise<void>} settled at the end of a run: when the receivers have nothing left to do
 * @property {() => Leftovers} takeLeftovers
 * @property {() => Promise<void>} close
 * @property {ReceivedElsewhere} [elsewhere] where another process receives them
 * @property {() => Promise<{lastAtMs: number}>} [receive] where another process sends them: receives those of one run,
 *   the last at that time of the clock that all processes share
 *
 * @typedef {object} ReceivedElsewhere
 * @property {Part} part among the processes that send
 * @property {() => ArrivalTimes} begin a run
 *
 * @typedef {{part: Part, path: string, key: string}} Pair of processes, one of which sends. `part`: among such pairs;
 *   `path`: where they meet
 */

/**
 * @typedef {object} MessageContext
 * @property {Job} job
 * @property {WorkloadPlugin} workload
 * @property {Step[]} steps those of the workload, which are changed
 * @property {() => Promise<Connection>} connect
 * @property {<T>(use: (connection: Connection) => Promise<T>) => PromiseLike<T>} use one of the tasks' connections
 */

/**
 * Makes the operations of a workload of messages: an operation ends when its message has arrived everywhere, and the
 * command that sent it is answered.
 * @param {MessageContext} context of a workload of messages @returns {Promise<Messages>}
 */
export async function createMessages(context) {
  const { job } = context;
  if (job.meeting === undefined) return createHere(context);
  const { part } = roleOf(job.part, 2);
  const pair = {
    part,
    path: `${job.meeting}-${part.index}`,
    key: keyOf(job, `${part.index}-${tokenOf(job.meeting)}`),
  };
  return onlyReceives(job) ? createReceivingSide(context, pair) : createSendingSide(context, pair);
}

/**
 * Nobody else may take a process's messages: its name is in the key. On a cluster, all that one process sends is in one slot.
 * @param {Job} job @param {string} name
 */
const keyOf = ({ keyPrefix, oneSlot }, name) => `${keyPrefix}${oneSlot ? '{s}' : ''}m${name}`;

/** @param {string} meeting a path */
const tokenOf = (meeting) => meeting.slice(-TOKEN_LENGTH);
const TOKEN_LENGTH = 8;

/** The same process sends and receives. @param {MessageContext} context @returns {Promise<Messages>} */
async function createHere({ job, workload, steps, connect }) {
  const key = keyOf(job, `${job.part.index}-${process.pid}`);
  const ledger = createLedger(receiversOf(job, workload));
  const calls = createCallCounts();
  const receiver = await openReceiver(job, workload, { key, connect, ledger, count: calls.count });
  sendThrough(steps, { key, ledger, onSent: receiver.expect });
  return {
    keys: [key],
    takeCalls: calls.take,
    settled: receiver.settled,
    takeLeftovers: ledger.takeLeftovers,
    async close() {
      ledger.close();
      await receiver.close();
    },
  };
}
