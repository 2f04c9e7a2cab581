import { startAnswering } from '../process/answering.js';

/** @import { Distance, RelayFault, RelayFigures, RelayJob, RelayRecording, Struck } from './types.js' */
/** @import { EndReason } from '../../traffic/types.js' */

/** @typedef {Awaited<ReturnType<typeof startRelayProcess>>} RelayProcess */

const ENTRY = new URL('./relay-entry.js', import.meta.url);

/** A program that records itself must not delay its commands. @param {RelayJob} job @param {number[] | null} cpus */
export async function startRelayProcess(job, cpus) {
  const does = job.recording ? 'records the traffic' : 'delays the traffic';
  const { pid, call, kill } = startAnswering({ name: `the relay, which ${does},`, entry: ENTRY }, cpus);
  try {
    /** @type {{host: string, ports: number[]}} */
    const places = await call('listen', job);
    return {
      pid,
      ...places,
      /** For traffic since the last call. @returns {Promise<RelayFigures>} */
      takeFigures: () => call('figures'),
      /** @param {Distance} distance @returns {Promise<void>} */
      move: (distance) => call('move', distance),
      /** Subtracts a PING's excess time. @param {number} us @returns {Promise<void>} */
      correct: (us) => call('correct', us),
      /** Breaks or repairs something. @param {RelayFault} fault @returns {Promise<Struck>} */
      fault: (fault) => call('fault', fault),
      /** @returns {Promise<RelayRecording>} */
      state: () => call('state'),
      /** Ends the recording and closes all connections. @param {EndReason} reason @returns {Promise<RelayRecording>} */
      stop: (reason) => call('stop', reason),
      kill,
    };
  } catch (error) {
    await kill();
    throw error;
  }
}
