import { setTimeout as sleep } from 'node:timers/promises';
import { accountFor } from '../plugins/registry.js';
import { faultRun } from './fault-run.js';
import { onlyReads, removeKeys } from './store-data.js';
import { borrowOf } from './uses.js';

/** @import { Account, Lease, WorkloadPlugin } from '../plugins/types.js' */
/** @import { Connections } from './timed-run.js' */
/** @import { Work } from './cell-work.js' */
/** @import { FaultProgress, FaultRunLength, Job, RunControl } from './types.js' */

const AGAIN_AFTER_MS = 50;

/** @param {Job} job @param {WorkloadPlugin} workload */
export const jobFor = (job, workload) =>
  accountFor(workload, job.workload.parameter)?.fresh ? withFreshKeys(job) : job;

/** @param {Job} job @param {Work & {workload: WorkloadPlugin, connections: Connections, control: RunControl}} work */
export async function followOperations(job, { workload, ...work }) {
  const { connections, own, steps, stored } = work;
  const account = accountFor(workload, job.workload.parameter);
  const { itemOf, keys, evidence, unstored } = numberedBy(account, job, work);
  const storedKeys = () => [...new Set([...keys, ...stored.keys()])];
  // Code makes keys as it goes.
  const areKeysKnown = own === null && steps.every((step) => step.keys === undefined);
  return {
    /** What is stored before the run. */
    stored: { ...stored, all: () => stored.all().filter((item) => !unstored?.has(item)) },

    facts: () => ({
      connections: connections.opened(),
      evidence,
      onlyReads: steps.every(onlyReads),
      keys: areKeysKnown ? storedKeys() : null,
    }),

    /** @param {FaultRunLength} length @param {(progress: FaultProgress) => void} onProgress */
    run: (length, onProgress) => faultRun(job, { ...work, itemOf }, length, onProgress),

    /** By the connection of each task, behind what that still has in flight. @param {() => void} [onProgress] */
    async finish(onProgress) {
      const written = { keys: storedKeys, all: () => [] };
      const removed = Array.from({ length: job.tasks }, (_, task) =>
        untilDone(borrowOf(connections.lease, task), (connection) =>
          removeKeys(connection, written, job.removal, onProgress),
        ),
      );
      await Promise.all(removed);
    },
  };
}

/** @param {Job} job @returns {Job} with keys that no other process has */
function withFreshKeys({ keyPrefix, keySize, part, ...job }) {
  const keys = Math.ceil(job.keys / part.count);
  const prefix = `${keyPrefix}p${part.index}:`;
  return { ...job, part, keys, keyPrefix: prefix, keySize: Math.max(keySize, prefix.length + MOST_DIGITS) };
}
/** Of a key's number, and the tag of a slot. */
const MOST_DIGITS = 12;

/** @param {Account | undefined} account @param {Job} job @param {Pick<Work, 'items'>} work @returns {ReturnType<Account['number']>} */
const numberedBy = (account, job, { items }) =>
  account?.number(job, items, job.workload.parameter) ?? {
    itemOf: () => items.next(),
    keys: [],
    evidence: null,
  };

/** @param {NonNullable<Lease['borrow']>} borrow @param {Parameters<typeof borrow>[0]} use */
async function untilDone(borrow, use) {
  for (;;) {
    try {
      return await borrow(use);
    } catch {
      // The connection that the fault broke comes back.
      await sleep(AGAIN_AFTER_MS);
    }
  }
}
