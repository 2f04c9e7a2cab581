/** @import { Placement } from '../machine/types.js' */
/** @import { Settings } from '../../options/types.js' */
/** @import { Cell } from '../plan/types.js' */
/** @import { Notice } from '../store/types.js' */
/** @import { Server } from './types.js' */
/** @import { Place } from '../run/types.js' */

/** @param {Pick<Server, 'facts'>} server @returns {number} I/O threads */
const threadsOf = ({ facts }) => Number(facts.config['io-threads'] ?? 1) || 1;

/** @param {Pick<Server, 'facts'>} server @returns {number} per primary */
const replicasOf = ({ facts }) => (facts.replicas?.length ?? 0) / (facts.nodes?.length ?? 1);

/** @param {Pick<Server, 'facts'>} server @returns {number} CPUs that it and its replicas can use */
export const processorsFor = (server) => threadsOf(server) * (1 + replicasOf(server));

/** Whether it has fewer CPUs than it can use. @param {Pick<Server, 'facts'>} server @param {Placement} placement */
export const isCrowded = (server, { serverCpus }) =>
  serverCpus !== null && processorsFor(server) > serverCpus.length;

/**
 * Notes servers with fewer CPUs than threads, if that limits what is measured.
 * @param {Pick<Place, 'server' | 'placer'>[]} places @param {Cell[]} cells @param {Pick<Settings, 'replicas'>} settings
 * @returns {Notice[]}
 */
export function threadNotes(places, cells, { replicas }) {
  // Faults are measured at a rate that needs only part of a CPU.
  if (cells.every(({ fault }) => fault !== undefined)) return [];
  // Sentinels have replicas in any case.
  const areUsed = replicas > 0 || cells.some(({ readFrom }) => readFrom === 'replica');
  return places.flatMap(({ server, placer: { placements } }) => {
    const used = threadsOf(server) * (areUsed ? 1 + replicasOf(server) : 1);
    const cpus = Math.min(...placements.map(({ serverCpus }) => serverCpus?.length ?? used));
    const [name, threads, own] = [server.facts.name ?? null, threadsOf(server), replicasOf(server)];
    return cpus >= used
      ? []
      : { kind: 'few-processors', server: name, threads, replicas: areUsed ? own : 0, cpus };
  });
}
