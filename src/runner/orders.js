import { RunError } from '../errors.js';
import { startAnswering } from '../process/answering.js';

/** @import { FaultPlan } from '../plan/types.js' */
/** @import { Target } from '../server/types.js' */
/** @import { Strike } from './types.js' */

const ENTRY = new URL('./order-entry.js', import.meta.url);
/** Sentinels are slow to accept a returning primary. */
const GRACE_S = 240;

/** Outlives this process until everything is restored. @param {FaultPlan} fault @param {Target} target */
export async function startOrders(fault, target) {
  const operator = startAnswering({ name: 'the operator process', entry: ENTRY, graceS: GRACE_S }, null);
  /** @type {Promise<void> | undefined} */
  let isBack;
  const putBack = () =>
    (isBack ??= operator.call('putBack').catch((error) => {
      throw new RunError(
        `--fault ${fault.name} changed your servers, and they are not as before: ${error.message}`,
      );
    }));
  try {
    await operator.call('prepare', { target, fault });
  } catch (error) {
    await operator.kill();
    throw error;
  }
  return {
    /** @param {number} atMs @returns {Promise<Strike>} */
    strike: (atMs) => operator.call('strike', atMs),
    putBack,
    /** @throws {RunError} if it could not be restored */
    async end() {
      try {
        await putBack();
      } finally {
        await operator.kill();
      }
    },
  };
}
