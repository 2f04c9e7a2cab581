import { allowedCpus, canPin, cpuOfServer, pinProcess } from './processors.js';

/** @import { Pin } from '../../options/types.js' */
/** @import { Server } from '../server/types.js' */
/** @import { NotAwake, Placement, PlacementNote } from './types.js' */

/**
 * Left to the scheduler, processes share a CPU for seconds or not at all; that alone makes runs differ threefold.
 * @param {object} facts @param {'apart' | 'same' | 'off'} facts.pin @param {number[] | null} facts.allowed
 * @param {boolean} facts.canPin @param {'managed' | 'external'} facts.serverKind
 * @param {number | null} facts.serverCpu where an external server last ran
 * @param {boolean} [facts.isUnknown] whether that is a process of this machine, but not said which @param {boolean} [facts.relay]
 * @param {number} [facts.threads] of a managed server; it gets at most half of the CPUs @returns {Placement}
 */
export function placeProcesses({
  pin,
  allowed,
  canPin,
  serverKind,
  serverCpu,
  isUnknown = false,
  relay = false,
  threads = 1,
}) {
  const unpinned = (/** @type {PlacementNote['kind']} */ kind) => ({
    pin,
    serverCpus: null,
    workerCpus: null,
    note: { kind },
  });
  if (pin === 'off') return unpinned('pin-off');
  if (!canPin || allowed === null) return unpinned('no-taskset');
  const serverCpuNow = serverKind === 'managed' ? allowed[0] : serverCpu;
  if (serverCpuNow === null && isUnknown) return unpinned('server-unknown');
  if (serverCpuNow === null) return unpinned('server-elsewhere');
  const most = pin === 'same' ? 1 : Math.max(1, Math.floor(allowed.length / 2));
  const taken = serverKind === 'managed' ? allowed.slice(0, Math.min(threads, most)) : [serverCpuNow];
  const serverCpus = serverKind === 'managed' ? taken : null;
  const others = allowed.filter((cpu) => !taken.includes(cpu));
  /** @type {PlacementNote | null} */
  const note = serverKind === 'external' ? { kind: 'server-not-pinned' } : null;
  if (pin === 'same') {
    const placement = { pin, serverCpus, workerCpus: [serverCpuNow], note };
    return relay ? { ...placement, relayCpus: [others[0] ?? serverCpuNow] } : placement;
  }
  if (others.length === 0) return unpinned('one-cpu');
  if (!relay) return { pin, serverCpus, workerCpus: others, note };
  // The relay never takes the worker's CPU: with two CPUs it shares the server's.
  const ofRelay = others.length > 1 ? others[others.length - 1] : serverCpuNow;
  return { pin, serverCpus, relayCpus: [ofRelay], workerCpus: others.filter((cpu) => cpu !== ofRelay), note };
}

/** @param {Server} server @param {Pin[]} pins @param {{relay?: boolean, threads?: number}} [more] */
export async function createPlacer(server, pins, { relay = false, threads = 1 } = {}) {
  const allowed = await allowedCpus();
  const cpus = new Set(server.isLocal ? await Promise.all(server.pids.map(cpuOfServer)) : []);
  const facts = {
    relay,
    threads,
    allowed,
    canPin: await canPin(allowed),
    serverKind: server.kind,
    isUnknown: server.isLocal && server.pids.length === 0,
    // Not if its processes ran on several.
    serverCpu: cpus.size === 1 ? [...cpus][0] : null,
  };
  const placements = pins.map((pin) => placeProcesses({ pin, ...facts }));
  let serverIsOn = facts.allowed?.join();
  return {
    placements,

    /** The CPUs that server and workers use where these are pinned: an external server may use any. @returns {number[] | NotAwake} */
    pinned() {
      if (placements.some(({ note }) => note?.kind === 'server-elsewhere'))
        return { reason: 'server-elsewhere' };
      return placements.some(({ workerCpus }) => workerCpus !== null)
        ? (allowed ?? [])
        : { reason: 'not-pinned' };
    },

    /** @param {Pin} pin */
    placementFor: (pin) => /** @type {Placement} */ (placements.find((each) => each.pin === pin)),

    /** Moves a managed server to its CPUs unless it is there. @param {Placement} placement */
    async pinServer({ serverCpus }) {
      const cpus = serverCpus ?? facts.allowed;
      if (server.kind === 'external' || !facts.canPin || cpus === null) return;
      if (cpus.join() === serverIsOn) return;
      await Promise.all(server.pids.map((pid) => pinProcess(pid, cpus)));
      serverIsOn = cpus.join();
    },
  };
}
