/**
 * @import { Placement } from '../machine/types.js'
 * @import { Server } from '../server/types.js'
 * @import { Place } from './types.js'
 */

/** @param {Pick<Server, 'facts'>} server @returns {number} that read and write */
export const threadsOf = ({ facts }) => Number(facts.config['io-threads'] ?? 1) || 1;

/** @param {Pick<Server, 'facts'>} server @param {Placement} placement @returns {boolean} whether it has fewer processors than threads */
export const isCrowded = (server, { serverCpus }) =>
  serverCpus !== null && threadsOf(server) > serverCpus.length;

/**
 * @param {Place[]} places
 * @returns {string[]} what to say of servers that have fewer processors than threads
 */
export const threadNotes = (places) =>
  places.flatMap(({ server, placer: { placements } }) => {
    const crowded = placements.filter((placement) => isCrowded(server, placement));
    if (crowded.length === 0) return [];
    const cpus = Math.min(...crowded.map(({ serverCpus }) => serverCpus?.length ?? 1));
    const name = server.facts.name === undefined ? 'the server' : `the server '${server.facts.name}'`;
    return [
      `${name} has ${threadsOf(server)} io-threads and ${cpus === 1 ? 'one processor' : `${cpus} processors`} for them: ` +
        'they wait for each other, and what they bring on more processors is not seen here',
    ];
  });
