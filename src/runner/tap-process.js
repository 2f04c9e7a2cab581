import { startAnswering } from '../process/answering.js';

/**
 * @import { TapJob } from '../relay/types.js'
 * @import { TapProcess } from './types.js'
 */

const NAME = 'the relay, which records the traffic,';
const ENTRY = new URL('../relay/tap-entry.js', import.meta.url);

/**
 * Starts a relay that records, in a process of its own: a program that records itself must not delay its commands.
 *
 * @param {TapJob} job
 * @returns {Promise<TapProcess>}
 * @throws {RunError} when it cannot listen
 */
export async function startTapProcess(job) {
  const tap = startAnswering({ name: NAME, entry: ENTRY }, null);
  try {
    /** @type {{address: string, port: number}} */
    const { address, port } = await tap.call('listen', job);
    return {
      pid: tap.pid,
      host: address,
      port,
      state: () => tap.call('state'),
      stop: (reason) => tap.call('stop', reason),
      kill: tap.kill,
    };
  } catch (error) {
    await tap.kill();
    throw error;
  }
}
