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
 * @typedef {{keys: string[], takeCalls: () => Record<string, number>, settled: () => Promise<void>,
 *   takeLeftovers: () => Leftovers, close: () => Promise<void>, elsewhere?: {part: Part, begin: () => ArrivalTimes},
 *   receive?: () => Promise<{lastAtMs: number}>}} Messages of a cell's process. `keys`: that they go through; `takeCalls`:
 *   commands besides those of the operations, since the last call; `settled`: at the end of a run, when the receivers have
 *   nothing left to do; `elsewhere`: where another process receives them, `part` among those that send; `receive`: where
 *   another process sends them, the last of a run at that time of the shared clock
 * @typedef {MessageContext & ReturnType<typeof meetingOf> & {calls: ReturnType<typeof createCallCounts>}} Side
 */

/**
 * @typedef {{job: Job, workload: WorkloadPlugin, steps: Step[], connect: () => Promise<Connection>,
 *   use: <T>(use: (connection: Connection) => Promise<T>) => PromiseLike<T>}} MessageContext `steps` are changed
 */

/** @param {MessageContext} context of a workload of messages @returns {Promise<Messages>} */
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
  const key = `${keyPrefix}${oneSlot ? '{s}' : ''}m${part.index}-${token}`;
  return { part, path: `${meeting}-${part.index}`, key };
}

/** @param {Side} side of a process that sends and receives @returns {Promise<Omit<Messages, 'takeCalls'>>} */
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
