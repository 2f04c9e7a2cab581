import { createConnections } from './cell-connections.js';
import { loadConnectingParts } from './cell-parts.js';
import { describeOptions } from './describe-options.js';
import { faultRun } from './fault-run.js';
import { createNumbered } from './numbered.js';

/** @import { FaultProgress, FaultRunLength, Job } from './types.js' */

/** Nothing is batched by the tool in such runs. */
const NO_METER = { sent() {} };

/**
 * A cell in whose run something breaks, ready to run: its connections are open, and keep their client's own
 * reconnecting, timeouts, retries and queues. It runs once.
 *
 * @param {Job} job
 */
export async function createFaultCell(job) {
  const parts = await loadConnectingParts(job);
  const connections = await createConnections(job, parts, NO_METER, { recovers: true });
  const numbered = createNumbered(job);
  const control = { stopped: false };
  const effectiveOptions = await connections.use(async (connection) => {
    await connection.ping();
    return describeOptions(connection.effectiveOptions);
  });
  return {
    facts: {
      connections: connections.opened(),
      effectiveOptions,
      remarks: [],
      /** What it writes to, and the length of each entry. */
      keys: numbered.keys,
      entrySize: numbered.entrySize,
    },

    /**
     * @param {FaultRunLength} length
     * @param {(progress: FaultProgress) => void} onProgress
     */
    run: (length, onProgress) =>
      faultRun(job, { lease: connections.lease, numbered, control }, length, onProgress),

    stop() {
      control.stopped = true;
    },
  };
}
