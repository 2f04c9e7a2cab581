import { sum } from 'simple-statistics';
import { serverKey } from '../axes/server.js';
import { taskShares } from './machines.js';

/**
 * @import { Catalogue } from '../plugins/types.js'
 * @import { Cell, Limits } from './types.js'
 */

/** What a worker has open besides its connections: libraries, pipes, the event loop's own. */
const OWN_FILES = 64;

/**
 * Skips the cells that need more connections than there can be, before anything runs: a limit that is
 * met in the middle of a run looks like an error of the client.
 *
 * @param {Cell[]} cells
 * @param {Catalogue} catalogue
 * @param {Limits} limits
 * @returns {Cell[]}
 */
export function limitCells(cells, catalogue, { files, servers }) {
  /** @type {Map<string, number>} connections that the cells of a group hold on a server, all at the same time */
  const held = new Map();
  return cells.map((cell) => {
    if (cell.skipped !== null) return cell;
    const scenario = catalogue.scenarios.get(cell.scenario);
    const shares = taskShares(cell).map((tasks) => scenario?.connections(tasks, cell.scenarioOptions) ?? 1);
    const ofProcess = Math.max(...shares);
    const connections = sum(shares) * cell.processes;
    const { free = null, nodes = 1 } = servers[serverKey(cell)] ?? {};
    const place = `${cell.group} ${serverKey(cell)}`;
    const before = held.get(place) ?? 0;
    const skipped =
      files !== null && ofProcess * nodes + OWN_FILES > files
        ? tooManyFiles(ofProcess * nodes, files)
        : files !== null && cell.distance && inRelay(before + connections, nodes) + OWN_FILES > files
          ? tooManyInRelay(inRelay(before + connections, nodes), files)
          : free !== null && before + connections > free
            ? tooManyClients(connections, before, free)
            : null;
    if (skipped === null && !scenario?.opensDuringRun) held.set(place, before + connections);
    return { ...cell, skipped };
  });
}

/** @param {number} connections @param {number} files */
const tooManyFiles = (connections, files) =>
  `it needs ${connections} connections in a process, which may have ${files} files open here; ` +
  `raise that with ulimit -n ${2 ** Math.ceil(Math.log2(connections + OWN_FILES))}`;

/** @param {number} connections @param {number} nodes @returns {number} open files: one for each side */
const inRelay = (connections, nodes) => 2 * connections * nodes;

/** @param {number} sockets @param {number} files */
const tooManyInRelay = (sockets, files) =>
  `with it the relay would need ${sockets} sockets, and a process may have ${files} files open here; ` +
  'measure fewer cells at once, or raise that with ulimit -n';

/** @param {number} connections @param {number} before @param {number} free */
const tooManyClients = (connections, before, free) =>
  `it needs ${connections} connections${before > 0 ? ` beside the ${before} of the cells before it` : ''}, and the ` +
  `server takes ${free} more; raise its maxclients, or measure fewer cells at once`;
