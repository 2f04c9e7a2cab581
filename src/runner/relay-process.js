import { startAnswering } from '../process/answering.js';

/** @import { RelayJob } from '../relay/types.js' */
/** @import { RelayProcess } from './types.js' */

const ENTRY = new URL('../relay/relay-entry.js', import.meta.url);

/**
 * Starts a relay, in a process of its own: a program that records itself must not delay its commands.
 * @param {RelayJob} job @param {number[] | null} cpus the processors it may use; null for all
 * @returns {Promise<RelayProcess>} @throws {RunError} when it ends at once, or cannot listen
 */
export async function startRelayProcess(job, cpus) {
  const does = job.recording ? 'records the traffic' : 'keeps the server at a distance';
  const relay = startAnswering({ name: `the relay, which ${does},`, entry: ENTRY }, cpus);
  try {
    /** @type {{host: string, ports: number[]}} */
    const { host, ports } = await relay.call('listen', job);
    return {
      pid: relay.pid,
      host,
      ports,
      takeFigures: () => relay.call('figures'),
      move: (distance) => relay.call('move', distance),
      correct: (us) => relay.call('correct', us),
      fault: (fault) => relay.call('fault', fault),
      state: () => relay.call('state'),
      stop: (reason) => relay.call('stop', reason),
      kill: relay.kill,
    };
  } catch (error) {
    await relay.kill();
    throw error;
  }
}
