import { UsageError } from '../errors.js';

/** @import { Fleet } from '../../agents/types.js' */
/** @import { Settings } from '../../options/types.js' */

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
