import { choicesOf } from '../../options/plugin-names.js';
import { UsageError } from '../errors.js';
import { batchSizeOf } from './loads.js';

/** @import { Settings } from '../../options/types.js' */
/** @import { Catalogue } from '../plugins/types.js' */
/** @import { Fleet } from '../../agents/types.js' */

/** Smaller batches than the cell's name says are refused. @param {Settings} settings @param {Catalogue} catalogue */
export function checkBatches(settings, catalogue) {
  const { iterations, smoke } = settings;
  if (typeof iterations !== 'number' || smoke) return;
  for (const [name, mode] of choicesOf(settings, catalogue).pipelining) {
    const size = batchSizeOf(mode, catalogue) ?? 1;
    if (size > iterations) {
      throw new UsageError(
        `--iterations ${iterations} never fills a batch of ${name}; expected at least ${size} iterations, or smaller batches`,
      );
    }
  }
}

/**
 * The settings of a benchmark whose load comes from agents.
 * @param {Settings} settings @param {Fleet} fleet @returns {Settings} @throws {UsageError} for what agents cannot do
 */
export function withMachines(settings, { agents, areLocal }) {
  const { machines = [agents.length] } = settings;
  if (Math.max(...machines) > agents.length) {
    throw new UsageError(
      `--machines: expected at most ${agents.length}, as many agents as there are (${agents.map(({ name }) => name).join(', ')}), got '${machines.join()}'`,
    );
  }
  if (!areLocal) refuseElsewhere(settings);
  return { ...settings, machines };
}

/** @param {Settings} settings @throws {UsageError} for what is only possible on this machine */
function refuseElsewhere({ rtt, pin, nodeBin, clients }) {
  if (rtt.some((each) => each !== 0))
    throw new UsageError(
      '--rtt: the relay stands on this machine, and what agents send from others does not pass it; leave --rtt out (agents have a distance of their own)',
    );
  if (pin.includes('same'))
    throw new UsageError(
      '--pin same: the workers of agents run on other machines than the server; leave it out',
    );
  if (nodeBin !== undefined)
    throw new UsageError(
      '--node-bin names files of this machine; start the agents with the Node that is to be measured',
    );
  const released = clients.find((client) => client.includes('@'));
  if (released !== undefined)
    throw new UsageError(
      `--clients ${released}: releases are installed on this machine only; install the release where the agents run, and name the client without it`,
    );
}
