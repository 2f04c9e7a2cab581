import { startMeters } from '../../meters/all-meters.js';
import { startTogether } from '../start-together.js';

/**
 * @import { Metered } from '../../meters/types.js'
 * @import { Messages } from './messages.js'
 */

const NO_OPERATIONS = { position: () => 0, commandsIn: () => ({}) };

/**
 * A run of a process that only receives what another one sends: it has no operations of its own.
 *
 * @param {Metered & {messages: Messages}} work
 * @param {{startAtMs?: number}} length
 */
export async function receivingRun(work, { startAtMs }) {
  const meters = startMeters({ ...work, cycle: NO_OPERATIONS });
  const startedAtMs = await startTogether(startAtMs);
  meters.begin();
  const { lastAtMs } = await /** @type {NonNullable<Messages['receive']>} */ (work.messages.receive)();
  return {
    startedAtMs,
    elapsedMs: Math.max(0, lastAtMs - startedAtMs),
    taskElapsedMs: [],
    taskIterations: [],
    wrongReplies: 0,
    firstWrongReply: null,
    errors: {},
    openLoop: null,
    ...(await meters.take(0)),
    latencyHdr: null,
    commandHdrs: {},
    company: [],
  };
}
