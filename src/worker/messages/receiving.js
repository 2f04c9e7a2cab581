/** @import { MessageLedger } from '../../plugins/types.js' */
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
