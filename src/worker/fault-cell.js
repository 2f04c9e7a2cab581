import { setTimeout as sleep } from 'node:timers/promises';
import { NO_METER } from './batch-meter.js';
import { createConnections } from './cell-connections.js';
import { describeOptions, loadConnectingParts } from './cell-parts.js';
import { faultRun } from './fault-run.js';
import { borrowOf } from './uses.js';

/** @import { Lease } from '../plugins/types.js' */
/** @import { FaultProgress, FaultRunLength, Job } from './types.js' */

const AGAIN_AFTER_MS = 50;

/**
 * A cell in whose run something breaks, ready to run: its connections are open, and keep their client's own
 * reconnecting, timeouts, retries and queues. It runs once.
 * @param {Job} job
 */
export async function createFaultCell(job) {
  const parts = await loadConnectingParts(job);
  const startedMs = performance.now();
  const connections = await createConnections(job, parts, NO_METER, { recovers: true });
  const numbered = createNumbered(job);
  const control = { stopped: false };
  const effectiveOptions = await connections.use(async (connection) => {
    await connection.ping();
    return describeOptions(connection.effectiveOptions);
  });
  const connectMs = performance.now() - startedMs;
  return {
    facts: {
      connectMs,
      connections: connections.opened(),
      effectiveOptions,
      remarks: [],
      keys: numbered.keys,
      entrySize: numbered.entrySize,
    },

    /** @param {FaultRunLength} length @param {(progress: FaultProgress) => void} onProgress */
    run: (length, onProgress) =>
      faultRun(job, { lease: connections.lease, numbered, control }, length, onProgress),

    stop() {
      control.stopped = true;
    },

    /**
     * Removes what it stored: each task's key by the connection of that task, behind what is still on its way there.
     * @param {() => void} onProgress
     */
    async finish(onProgress) {
      const removed = numbered.keys.map((key, task) =>
        untilRemoved(borrowOf(connections.lease, task), key, job.removal).then(onProgress),
      );
      await Promise.all(removed);
    },
  };
}

/**
 * @param {NonNullable<Lease['borrow']>} borrow @param {string} key
 * @param {string[]} removal the command, and what follows the key
 */
async function untilRemoved(borrow, key, [name, ...rest]) {
  for (;;) {
    try {
      return await borrow((connection) => connection.command([name, key, ...rest]));
    } catch {
      // The connection that the fault broke comes back.
      await sleep(AGAIN_AFTER_MS);
    }
  }
}

/**
 * The operations of a run in which something breaks: each is an APPEND of its own number to the key of its task, so
 * that the server's data tells at the end which were done, and how often.
 * @param {object} job @param {string} job.keyPrefix @param {number} job.keySize
 * @param {number} job.valueSize of an entry, at least
 * @param {boolean} job.oneSlot @param {number} job.tasks @param {{index: number}} job.part
 */
export function createNumbered({ keyPrefix, keySize, valueSize, oneSlot, tasks, part }) {
  const keys = Array.from({ length: tasks }, (_, task) =>
    `${keyPrefix}${oneSlot ? '{s}' : ''}p${part.index}t${task}:`.padEnd(keySize, '-'),
  );
  const entrySize = Math.max(SHORTEST_ENTRY, valueSize);
  return {
    keys,
    entrySize,

    /** @param {number} number @returns {[string, ...string[]]} its command */
    commandOf: (number) => [
      'APPEND',
      keys[number % tasks],
      `${String(number).padStart(DIGITS, '0')},`.padEnd(entrySize, '.'),
    ],

    /** @param {unknown} reply @returns {boolean} whether it may be the length of one of these keys */
    accept: (reply) => Number(reply) >= entrySize && Number(reply) % entrySize === 0,
  };
}

/** More operations than any run has. */
const DIGITS = 8;
const SHORTEST_ENTRY = DIGITS + 1;
