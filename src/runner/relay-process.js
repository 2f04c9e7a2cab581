import { startAnswering } from '../process/answering.js';

/**
 * @import { RelayFigures, RelayJob } from '../relay/types.js'
 * @import { RelayProcess } from './types.js'
 */

const NAME = 'the relay, which keeps the server at a distance,';
const ENTRY = new URL('../relay/relay-entry.js', import.meta.url);

/**
 * Starts a relay, which listens on 127.0.0.1.
 *
 * @param {RelayJob} job
 * @param {number[] | null} cpus the processors it may use; null for all
 * @returns {Promise<RelayProcess>}
 * @throws {RunError} when it ends at once
 */
export async function startRelayProcess(job, cpus) {
  const relay = startAnswering({ name: NAME, entry: ENTRY }, cpus);
  /** @type {number[]} */
  const ports = await relay.call('listen', job);
  return {
    pid: relay.pid,
    ports,
    /** @returns {Promise<RelayFigures>} */
    takeFigures: () => relay.call('figures'),
    move: (distance) => relay.call('move', distance),
    correct: (us) => relay.call('correct', us),
    fault: (fault) => relay.call('fault', fault),
    kill: relay.kill,
  };
}
