import { serverKey } from '../axes/server.js';

/**
 * @import { Topology } from '../options/types.js'
 * @import { Cell, CellPoint } from './types.js'
 */

export { serverKey };

/**
 * Which servers cells need.
 *
 * @template {Pick<CellPoint, 'server' | 'serverConfig' | 'serverCopy'>} Source
 * @param {Source[]} sources
 * @param {Topology[]} topologies
 * @param {Pick<Cell, 'topology' | 'transport' | 'server' | 'serverConfig' | 'serverCopy'>[]} cells
 * @returns {{source: Source, topology: Topology, key: string, withTls: boolean}[]} at least one, because a report names its server
 */
export function serversNeeded(sources, topologies, cells) {
  const all = sources.flatMap((source) =>
    topologies.map((topology) => {
      const key = serverKey({ ...source, topology });
      const own = cells.filter((cell) => serverKey(cell) === key);
      const withTls = own.some(({ transport }) => transport === 'tls');
      return { source, topology, key, withTls, isNeeded: own.length > 0 };
    }),
  );
  const needed = all.filter(({ isNeeded }) => isNeeded);
  return (needed.length > 0 ? needed : all.slice(0, 1)).map(({ isNeeded: _, ...each }) => each);
}
