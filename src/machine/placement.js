import { present } from '../collections.js';
import { allowedCpus, canPin, cpuOfServer, pinProcess } from './processors.js';

/** @import { Pin } from '../options/types.js' */
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
export function placeProcesses(facts) {
  const { pin, allowed, relay = false, threads = 1 } = facts;
  const isManaged = facts.serverKind === 'managed';
  /** @param {PlacementNote['kind']} kind */
  const unpinned = (kind) => ({ pin, serverCpus: null, workerCpus: null, note: { kind } });
  if (pin === 'off') return unpinned('pin-off');
  if (!facts.canPin || allowed === null) return unpinned('no-taskset');
  const serverCpu = isManaged ? allowed[0] : facts.serverCpu;
  if (serverCpu === null) return unpinned(facts.isUnknown ? 'server-unknown' : 'server-elsewhere');
  const most = pin === 'same' ? 1 : Math.max(1, Math.floor(allowed.length / 2));
  const taken = isManaged ? allowed.slice(0, Math.min(threads, most)) : [serverCpu];
  const others = allowed.filter((cpu) => !taken.includes(cpu));
  if (pin === 'apart' && others.length === 0) return unpinned('one-cpu');
  // The relay never takes the CPU of a worker that is apart: with two CPUs it shares the server's.
  const free = pin === 'same' ? others[0] : others.slice(1).at(-1);
  const relayCpus = [free ?? serverCpu];
  return {
    pin,
    serverCpus: isManaged ? taken : null,
    ...(relay && { relayCpus }),
    workerCpus: pin === 'same' ? [serverCpu] : others.filter((cpu) => !relay || !relayCpus.includes(cpu)),
    note: isManaged ? null : { kind: 'server-not-pinned' },
  };
}

/** @param {Server} server @param {Pin[]} pins @param {{relay?: boolean, threads?: number}} [more] */
export async function createPlacer(server, pins, { relay = false, threads = 1 } = {}) {
  const allowed = allowedCpus();
  const cpus = new Set(server.isLocal ? server.pids.map(cpuOfServer) : []);
  const facts = {
    relay,
    threads,
    allowed,
    canPin: pins.some((pin) => pin !== 'off') && (await canPin(allowed)),
    serverKind: server.kind,
    isUnknown: server.isLocal && server.pids.length === 0,
    // Null if its processes ran on several.
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
    placementFor: (pin) => present(placements.find((each) => each.pin === pin)),

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
