import { setTimeout as sleep } from 'node:timers/promises';
import { onlyReads, prepareData } from './cell.js';
import { createConnections } from './cell-connections.js';
import { describeOptions, loadParts } from './cell-parts.js';
import { createWork } from './cell-work.js';
import { faultRun } from './fault-run.js';
import { openLastingReceiver } from './messages/receiving.js';
import { removeKeys } from './store-data.js';
import { borrowOf } from './uses.js';

/** @import { Lease, WorkloadPlugin } from '../plugins/types.js' */
/** @import { Work } from './cell-work.js' */
/** @import { FaultProgress, FaultRunLength, Job } from './types.js' */

const AGAIN_AFTER_MS = 50;

/**
 * A cell in whose run something breaks, ready to run: its connections are open, and keep their client's own
 * reconnecting, timeouts, retries and queues. It runs once.
 * @param {Job} given
 */
export async function createFaultCell(given) {
  const parts = await loadParts(given);
  const job = { ...(parts.workload.account?.fresh ? withFreshKeys(given) : given), isFollowed: true };
  const work = await createWork(job, parts);
  const startedMs = performance.now();
  const connections = await createConnections(job, parts, work.meter, { recovers: true });
  const { itemOf, keys, evidence } = numberedBy(parts.workload, job, work);
  const messages = parts.workload.receive
    ? await openLastingReceiver(job, parts.workload, { key: keys[0], connect: connections.connectBeside })
    : null;
  const storedKeys = () => [...new Set([...keys, ...work.stored.keys()])];
  // Code makes keys as it goes.
  const areKeysKnown = work.own === null && work.steps.every((step) => step.keys === undefined);
  const control = { stopped: false };
  const facts = await connections.use(async (connection) => {
    await connection.ping();
    const connectMs = performance.now() - startedMs;
    const remarks = await prepareData(connection, job, parts.workload, work);
    return { effectiveOptions: describeOptions(connection.effectiveOptions), remarks, connectMs };
  });
  return {
    facts: {
      ...facts,
      connections: connections.opened(),
      evidence,
      receivers: messages?.receivers ?? 0,
      onlyReads: work.steps.every(onlyReads),
      keys: areKeysKnown ? storedKeys() : null,
    },

    /** @param {FaultRunLength} length @param {(progress: FaultProgress) => void} onProgress */
    run: (length, onProgress) =>
      faultRun(job, { ...work, connections, itemOf, messages, control }, length, onProgress),

    stop() {
      control.stopped = true;
    },

    /**
     * Removes what it stored: by the connection of each task, behind what is still on its way there.
     * @param {() => void} onProgress
     */
    async finish(onProgress) {
      const stored = { keys: storedKeys, all: () => [] };
      const removed = Array.from({ length: job.tasks }, (_, task) =>
        untilDone(borrowOf(connections.lease, task), (connection) =>
          removeKeys(connection, stored, job.removal, onProgress),
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

/**
 * What each operation works on, by its number, and where it is seen at the end whether it was done.
 * @param {WorkloadPlugin} workload @param {Job} job @param {Work} work
 */
const numberedBy = ({ account }, job, { items }) =>
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
