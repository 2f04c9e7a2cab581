import { serverKey } from '../../axes/client-and-server.js';
import { groupBy } from '../../collections.js';
import { sum } from '../../descriptive-statistics.js';
import { batchSizeOf, requestSizeOf, skip, taskShares } from './loads.js';
import { longestValue, ownSizes } from './sizes.js';

/** @import { Capacity, Cell, Limits, MemoryNeed } from './types.js' */
/** @import { Catalogue } from '../../plugins/types.js' */

/** Open files of a worker besides its connections. */
const OWN_FILES = 64;
/** A server may still hold each closed connection when the next one comes. */
const WITH_CLOSING = 2;

/**
 * Skips the cells that need more connections than there can be: in the middle of a run, a limit looks like an error of
 * the client.
 * @param {Cell[]} cells @param {Catalogue} catalogue @param {Limits} limits @returns {Cell[]}
 */
export function limitCells(cells, catalogue, { files, servers }) {
  /** @type {Map<string, number>} connections that the cells of a group hold on a server, all at the same time */
  const opened = new Map();
  const opens = (/** @type {Cell} */ { scenario }) =>
    Boolean(catalogue.scenarios.get(scenario)?.opensDuringRun);
  const limited = (/** @type {Cell} */ cell) => {
    if (cell.skipped !== null) return cell;
    const shares = connectionsOf(cell, catalogue);
    const connections = sum(shares) * cell.processes;
    const { free = null, nodes = 1 } = servers[serverKey(cell)] ?? {};
    const place = `${cell.group} ${serverKey(cell)}`;
    const before = opened.get(place) ?? 0;
    const skipped = lackOf({
      files,
      free,
      before,
      connections,
      closing: opens(cell) ? connections / WITH_CLOSING : 0,
      ofProcess: Math.max(...shares) * nodes,
      // Each connection through a relay has two sockets.
      sockets: cell.distance ? 2 * (before + connections) * nodes : 0,
    });
    if (skipped === null && !opens(cell)) opened.set(place, before + connections);
    return { ...cell, skipped };
  };
  // What opens connections in a run does so beside all that the others hold.
  const holding = cells.map((cell) => (opens(cell) ? cell : limited(cell)));
  return holding.map((cell) => (opens(cell) ? limited(cell) : cell));
}

/** @param {Cell} cell @param {Catalogue} catalogue @returns {number[]} of a process on each machine */
function connectionsOf({ scenario, scenarioOptions, chosen, ...cell }, { scenarios, workloads }) {
  const { connections = () => 1, opensDuringRun = false } = scenarios.get(scenario) ?? {};
  const { id, parameter } = chosen.workload;
  const { receive, receivers = () => 1 } = workloads.get(id) ?? {};
  const ofReceivers = receive === undefined ? 0 : receivers(parameter);
  const factor = opensDuringRun ? WITH_CLOSING : 1;
  return taskShares(cell).map((tasks) => factor * connections(tasks, scenarioOptions) + ofReceivers);
}

/**
 * @param {Record<'connections' | 'before' | 'ofProcess' | 'sockets', number> & Record<'files' | 'free', number | null>
 *   & {closing?: number}} needed `closing`: of these connections
 */
function lackOf({ files, free, connections, closing = 0, before, ofProcess, sockets }) {
  if (files !== null && ofProcess + OWN_FILES > files) {
    const enough = 2 ** Math.ceil(Math.log2(ofProcess + OWN_FILES));
    return skip('too-many-files', { connections: ofProcess, files, enough });
  }
  if (files !== null && sockets > 0 && sockets + OWN_FILES > files)
    return skip('too-many-sockets', { sockets, files });
  return free === null || before + connections <= free
    ? null
    : skip('too-many-clients', { connections, before, free, ...(closing > 0 && { closing }) });
}

/** Measured: 200 idle workers took 5 GB; one that has run for a while takes half as much again. */
export const WORKER_BYTES = 40e6;
/** Beyond this many bytes, values repeat and share their memory. */
const MOST_VALUE_BYTES = 64e6;
/** An item takes so much in a worker, besides its characters. */
const ITEM_BYTES = 150;
/** The rest is for the server, the page cache and the system. */
const SHARE = 0.5;

/**
 * Divides a group into turns whose workers this machine can hold at once. Cells of different turns are not interleaved.
 * @param {Cell[]} cells of one group @param {Capacity} capacity @returns {Cell[][]}
 */
export function turnsOf(cells, { bytes, processes }) {
  const fits = (/** @type {Cell[]} */ turn) =>
    sum(turn.map(workerBytes)) <= bytes * SHARE && sum(turn.map((cell) => cell.processes)) <= processes;
  /** @type {Cell[][]} */
  const turns = [[]];
  for (const cell of cells) {
    const turn = turns[turns.length - 1];
    if (turn.length === 0 || fits([...turn, cell])) turn.push(cell);
    else turns.push([cell]);
  }
  return turns;
}

/** @param {Cell} cell */
const workerBytes = ({ processes, keys, keySize, valueSize }) =>
  processes * (WORKER_BYTES + keys * (keySize + ITEM_BYTES) + Math.min(keys * valueSize, MOST_VALUE_BYTES));

/** A key takes so much besides its characters. Measured with Redis 7.0: 60 to 130 bytes, more while a hash table is doubled. */
const KEY_BYTES = 150;
/** An allocator's size classes are up to a quarter apart (jemalloc). */
const ROUNDED_UP = 1.25;
/** Buffers of a connection. Measured with Redis 7.0: 2 to 40 KB. */
const CONNECTION_BYTES = 40_000;
/** Workers store their data in batches of 200 items or 4 MB, four workers at a time. */
const STORING = { workers: 4, items: 200, bytes: 4e6 };

/**
 * The most memory that a plan takes on a server at once. Each group removes its keys before the next one stores its own,
 * and the cells of a group share theirs, unless they store something different.
 * @param {Cell[][]} groups of one server @param {Catalogue} catalogue @returns {{bytes: number, data: MemoryNeed}}
 */
export function storedBytes(groups, catalogue) {
  const needs = groups.map((cells) => groupBytes(cells, catalogue));
  return needs.reduce((most, need) => (need.bytes > most.bytes ? need : most));
}

/** @param {Cell[]} cells @param {Catalogue} catalogue */
function groupBytes(cells, catalogue) {
  const data = cells.map((cell) => dataBytes(cell, catalogue));
  const largest = cells[data.indexOf(Math.max(...data))];
  const { keys, keySize, valueSize } = largest;
  // Cells whose keys nothing distinguishes share them.
  const sharing = groupBy([...cells.keys()], (index) => `${cells[index].keyMark} ${cells[index].encode}`);
  const bytes =
    sum(sharing.map((own) => Math.max(...own.map((index) => data[index])))) +
    sum(cells.map((cell) => sum(connectionsOf(cell, catalogue)) * cell.processes * CONNECTION_BYTES)) +
    Math.max(...cells.map((cell) => flightBytes(cell, catalogue))) +
    STORING.workers * Math.min(STORING.bytes, Math.min(keys, STORING.items) * (keySize + valueSize));
  return { bytes, data: { keys, keySize, valueSize } };
}

/** @param {Cell} cell @param {Catalogue} catalogue */
const dataBytes = (cell, catalogue) =>
  sum(
    [cell, ...ownSizes(cell, catalogue)].map(
      ({ keys, valueSize }) => keys * (KEY_BYTES + ROUNDED_UP * (cell.keySize + valueSize)),
    ),
  );

/** What the buffers of a cell take on its server while it runs. @param {Cell} cell @param {Catalogue} catalogue */
export const bufferBytes = (cell, catalogue) =>
  sum(connectionsOf(cell, catalogue)) * cell.processes * CONNECTION_BYTES + flightBytes(cell, catalogue);

/** Commands and replies that wait in the server's buffers. @param {Cell} cell @param {Catalogue} catalogue */
const flightBytes = (cell, catalogue) =>
  waitingBytes(cell, catalogue, cell.keySize + longestValue(cell, catalogue));

/** @param {Cell} cell @param {Catalogue} catalogue @param {number} each bytes of a command and its reply, or of one of them */
export function waitingBytes({ chosen, openLoop, tasks, processes }, catalogue, each) {
  const batch = batchSizeOf(chosen.pipelining, catalogue) ?? requestSizeOf(chosen.workload, catalogue);
  return (openLoop?.maxInFlight ?? tasks * processes * batch) * each * ROUNDED_UP;
}
