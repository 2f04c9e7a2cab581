import { sum } from 'simple-statistics';
import { taskShares } from './machines.js';
import { longestValue, ownSizes } from './own-sizes.js';

/**
 * @import { Catalogue } from '../plugins/types.js'
 * @import { Cell } from './types.js'
 */

/**
 * What a key takes besides its characters: its entry, objects, headers, and its share of a hash table
 * that is being doubled. Measured with Redis 7.0: 60 to 130 bytes.
 */
const KEY_BYTES = 150;
/** An allocator's size classes are up to a quarter apart (jemalloc). */
const ROUNDED_UP = 1.25;
/** Buffers of a connection. Measured with Redis 7.0: 2 to 40 KB. */
const CONNECTION_BYTES = 40_000;
/** Of one command that stands beside, as many are under way at most (worker/company.js). */
const MOST_BESIDE = 10;
/** Workers store their data in batches of 200 items or 4 MB, four workers at a time. */
const STORING = { workers: 4, items: 200, bytes: 4e6 };

/**
 * The most that a plan takes of a server's memory at once. Each group removes its keys before the next
 * one stores its own, and the cells of a group share theirs.
 *
 * @param {Cell[][]} groups of one server
 * @param {Catalogue} catalogue
 * @returns {{bytes: number, data: string}} and a description of what is stored
 */
export function storedBytes(groups, catalogue) {
  const needs = groups.map((cells) => groupBytes(cells, catalogue));
  return needs.reduce((most, need) => (need.bytes > most.bytes ? need : most));
}

/**
 * @param {Cell[]} cells
 * @param {Catalogue} catalogue
 */
function groupBytes(cells, catalogue) {
  const data = cells.map((cell) => dataBytes(cell, catalogue));
  const largest = cells[data.indexOf(Math.max(...data))];
  const { keys, keySize, valueSize } = largest;
  const bytes =
    Math.max(...data) +
    cells.reduce((sum, cell) => sum + connectionBytes(cell, catalogue), 0) +
    Math.max(...cells.map((cell) => flightBytes(cell, catalogue))) +
    STORING.workers * Math.min(STORING.bytes, Math.min(keys, STORING.items) * (keySize + valueSize));
  return {
    bytes,
    data:
      keys === 1
        ? `a key of ${keySize} with a value of ${valueSize} bytes`
        : `${keys} keys of ${keySize} with values of ${valueSize} bytes`,
  };
}

/** @param {Cell} cell @param {Catalogue} catalogue */
const dataBytes = (cell, catalogue) =>
  sum(
    [cell, ...ownSizes(cell, catalogue), ...besides(cell)].map(
      ({ keys, valueSize }) => keys * (KEY_BYTES + ROUNDED_UP * (cell.keySize + valueSize)),
    ),
  );

/** @param {Cell} cell @returns {{keys: number, valueSize: number}[]} a key for each command that stands beside */
const besides = ({ beside }) => beside.map(({ bytes }) => ({ keys: 1, valueSize: bytes ?? 1 }));

/**
 * @param {Cell} cell
 * @param {Catalogue} catalogue
 */
function connectionBytes({ scenario, scenarioOptions, ...cell }, { scenarios }) {
  const plugin = scenarios.get(scenario);
  const connections = sum(taskShares(cell).map((tasks) => plugin?.connections(tasks, scenarioOptions) ?? 1));
  return connections * cell.processes * CONNECTION_BYTES;
}

/**
 * Commands and replies that wait in the server's buffers.
 *
 * @param {Cell} cell
 * @param {Catalogue} catalogue
 */
function flightBytes(cell, catalogue) {
  const { chosen, openLoop, tasks, processes, keySize } = cell;
  const { pipelining } = catalogue;
  const batch = pipelining.get(chosen.pipelining.id)?.batchSize?.(chosen.pipelining.parameter) ?? 1;
  const commands = openLoop?.maxInFlight ?? tasks * processes * batch;
  const company = sum(cell.beside.map(({ bytes }) => MOST_BESIDE * (bytes ?? 0)));
  return (commands * (keySize + longestValue(cell, catalogue)) + company) * ROUNDED_UP;
}
