import { createProbes } from '../probes.js';
import { startTogether } from '../start-together.js';

/** @import { Messages } from './messages.js' */

/**
 * A run of a process that only receives what another one sends: it has no operations of its own.
 *
 * @param {Messages} messages
 * @param {{startAtMs?: number}} length
 */
export async function receivingRun({ receive, takeCalls }, { startAtMs }) {
  takeCalls();
  const probes = createProbes();
  const startedAtMs = await startTogether(startAtMs);
  probes.begin();
  const { lastAtMs } = await /** @type {NonNullable<typeof receive>} */ (receive)();
  return {
    startedAtMs,
    elapsedMs: Math.max(0, lastAtMs - startedAtMs),
    taskElapsedMs: [],
    taskIterations: [],
    wrongReplies: 0,
    firstWrongReply: null,
    errors: {},
    openLoop: null,
    calls: takeCalls(),
    answers: null,
    client: await probes.stop(),
    connectionsOpened: 0,
    answeredByCaches: null,
    latencyHdr: null,
    commandHdrs: {},
    batches: null,
    company: [],
  };
}
