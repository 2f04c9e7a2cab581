/** @import { MessageTools, WorkloadPlugin } from '../../plugins/types.js' */
/** @import { Job } from '../types.js' */

/** @param {Job} job @param {WorkloadPlugin} workload @returns {number} how many times each message arrives */
export const receiversOf = (job, workload) => workload.receivers?.(job.workload.parameter) ?? 1;

/** @param {Job} job @param {WorkloadPlugin} workload one of messages @param {MessageTools} tools */
export const openReceiver = (job, workload, tools) =>
  /** @type {NonNullable<typeof workload.receive>} */ (workload.receive)(job.workload.parameter, tools);
