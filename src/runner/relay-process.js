import { startAnswering } from '../process/answering.js';

/** @import { Distance, RelayFault, RelayFigures, RelayJob, RelayRecording, Struck } from '../relay/types.js' */
/** @import { EndReason } from '../traffic/types.js' */

/** @typedef {Awaited<ReturnType<typeof startRelayProcess>>} RelayProcess */

const ENTRY = new URL('../relay/relay-entry.js', import.meta.url);

/**
 * Starts a relay, in a process of its own: a program that records itself must not delay its commands.
 * @param {RelayJob} job @param {number[] | null} cpus the processors it may use; null for all
 * @throws {RunError} when it ends at once, or cannot listen
 */
export async function startRelayProcess(job, cpus) {
  const does = job.recording ? 'records the traffic' : 'delays the traffic';
  const relay = startAnswering({ name: `the relay, which ${does},`, entry: ENTRY }, cpus);
  try {
    /** @type {{host: string, ports: number[]}} */
    const { host, ports } = await relay.call('listen', job);
    return {
      pid: relay.pid,
      host,
      ports,
      /** Of the traffic since the last call. @returns {Promise<RelayFigures>} */
      takeFigures: () => relay.call('figures'),
      /** Keeps its upstreams at another distance. @param {Distance} distance @returns {Promise<void>} */
      move: (distance) => relay.call('move', distance),
      /** Takes off what a PING took too long. @param {number} us @returns {Promise<void>} */
      correct: (us) => relay.call('correct', us),
      /** Breaks something, or mends it. @param {RelayFault} fault @returns {Promise<Struck>} */
      fault: (fault) => relay.call('fault', fault),
      /** @returns {Promise<RelayRecording>} */
      state: () => relay.call('state'),
      /** Ends the recording and closes all connections. @param {EndReason} reason @returns {Promise<RelayRecording>} */
      stop: (reason) => relay.call('stop', reason),
      kill: relay.kill,
    };
  } catch (error) {
    await relay.kill();
    throw error;
  }
}
