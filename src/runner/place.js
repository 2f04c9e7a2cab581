import { randomInt } from 'node:crypto';
import { allowedCpus, cpuOfServer, hasTaskset, pinProcess } from './cpus.js';
import { placeProcesses } from './placement.js';

/**
 * Finds out where server and workers are to run, and pins a managed server there.
 *
 * @param {import('../types.js').Server} server
 * @param {import('../types.js').Pin} pin
 * @returns {Promise<import('../types.js').Placement>}
 */
export async function place(server, pin) {
  const placement = placeProcesses({
    pin,
    allowed: await allowedCpus(),
    canPin: await hasTaskset(),
    serverKind: server.kind,
    serverCpu: server.isLocal ? await cpuOfServer(server.pid) : null,
  });
  if (placement.serverCpus && server.pid !== null) await pinProcess(server.pid, placement.serverCpus);
  return placement;
}

/** @returns {string} `rpb:` and four characters that no other invocation is likely to have drawn */
export const createKeyPrefix = () =>
  `rpb:${randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0')}`;
