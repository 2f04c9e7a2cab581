import { placeProcesses } from './placement.js';
import { allowedCpus, canPin, cpuOfServer, pinProcess } from './processors.js';

/** @import { Pin } from '../options/types.js' */
/** @import { Server } from '../server/types.js' */
/** @import { Placement, Placer } from './types.js' */

/**
 * Decides where server and workers run, and moves a managed server there.
 *
 * @param {Server} server
 * @param {Pin[]} pins
 * @param {{relay?: boolean, threads?: number}} [more] whether some cells reach the server through a relay, and how
 *   many processors it can use
 * @returns {Promise<Placer>}
 */
export async function createPlacer(server, pins, { relay = false, threads = 1 } = {}) {
  const allowed = await allowedCpus();
  const facts = {
    relay,
    threads,
    allowed,
    canPin: await canPin(allowed),
    serverKind: server.kind,
    serverCpu: server.isLocal ? await cpuOfAll(server.pids) : null,
  };
  const placements = pins.map((pin) => placeProcesses({ pin, ...facts }));
  let serverIsOn = facts.allowed?.join();
  return {
    placements,

    placementFor: (pin) => /** @type {Placement} */ (placements.find((each) => each.pin === pin)),

    async pinServer({ serverCpus }) {
      const cpus = serverCpus ?? facts.allowed;
      if (server.kind === 'external' || !facts.canPin || cpus === null) return;
      if (cpus.join() === serverIsOn) return;
      await Promise.all(server.pids.map((pid) => pinProcess(pid, cpus)));
      serverIsOn = cpus.join();
    },
  };
}

/**
 * @param {number[]} pids
 * @returns {Promise<number | null>} the processor on which all of them last ran; null where they differ
 */
async function cpuOfAll(pids) {
  const cpus = new Set(await Promise.all(pids.map(cpuOfServer)));
  const [first = null] = cpus;
  return cpus.size === 1 ? first : null;
}
