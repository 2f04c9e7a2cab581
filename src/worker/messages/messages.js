import { createLedger } from './ledger.js';

/**
 * @import { Connection, Item, MessageReceiver, Step, WorkloadPlugin } from '../../plugins/types.js'
 * @import { Job, Leftovers } from '../types.js'
 */

/**
 * @typedef {object} Messages of a cell's process: it sends them, and receives its own
 * @property {string[]} keys that they go through
 * @property {() => Record<string, number>} takeCalls commands of the receivers since the last call
 * @property {() => Promise<void>} settled when the receivers have nothing left to do
 * @property {() => Leftovers} takeLeftovers
 * @property {() => Promise<void>} close
 */

/**
 * Makes the operations of a workload of messages: an operation ends when its message has arrived everywhere, and the
 * command that sent it is answered.
 *
 * @param {Job} job
 * @param {WorkloadPlugin} workload
 * @param {Step[]} steps those of the workload, which are changed
 * @param {() => Promise<Connection>} connect
 * @returns {Promise<Messages | null>} null for a workload without messages
 */
export async function createMessages(job, workload, steps, connect) {
  if (workload.receive === undefined) return null;
  // Nobody else may take this process's messages: its name is in the key.
  const key = `${job.keyPrefix}m${job.part.index}-${process.pid}`;
  const ledger = createLedger(workload.receivers?.(job.workload.parameter) ?? 1);
  /** @type {Record<string, number>} */
  let calls = {};
  /** @type {MessageReceiver} */
  const receiver = await workload.receive(job.workload.parameter, {
    key,
    connect,
    ledger,
    count(command) {
      calls[command] = (calls[command] ?? 0) + 1;
    },
  });
  for (const step of steps) follow(step, key, ledger, receiver);
  return {
    keys: [key],
    takeCalls() {
      const taken = calls;
      calls = {};
      return taken;
    },
    settled: receiver.settled,
    takeLeftovers: ledger.takeLeftovers,
    async close() {
      ledger.close();
      await receiver.close();
    },
  };
}

/**
 * @param {Step} step
 * @param {string} key
 * @param {ReturnType<typeof createLedger>} ledger
 * @param {MessageReceiver} receiver
 */
function follow(step, key, ledger, receiver) {
  const { send } = step;
  step.send = async (connection, /** @type {Item} */ item) => {
    const { id, arrived } = ledger.send();
    const reply = send(connection, { ...item, key, value: `${id}:${item.value}` });
    receiver.expect(/** @type {Connection} */ (connection));
    const answer = await reply;
    await arrived;
    return answer;
  };
}
