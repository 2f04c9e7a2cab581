/** @import { Capacity, Cell } from './types.js' */

/** Measured: 200 idle workers took 5 GB; one that has run for a while takes half as much again. */
const WORKER_BYTES = 40e6;
/** Beyond this many bytes, values repeat and share their memory. */
const MOST_VALUE_BYTES = 64e6;
/** What an item takes in a worker besides its characters. */
const ITEM_BYTES = 150;
/** The server, the page cache and the system need memory as well. */
const SHARE = 0.5;

/**
 * Divides a group into turns whose workers this machine can hold at once. The cells of a turn are
 * interleaved; those of different turns are measured one after the other.
 *
 * @param {Cell[]} cells of one group
 * @param {Capacity} capacity
 * @returns {Cell[][]} one turn wherever all of them fit
 */
export function turnsOf(cells, capacity) {
  /** @type {Cell[][]} */
  const turns = [[]];
  let bytes = 0;
  let processes = 0;
  for (const cell of cells) {
    const turn = turns[turns.length - 1];
    bytes += workerBytes(cell);
    processes += cell.processes;
    if (turn.length === 0 || (bytes <= capacity.bytes * SHARE && processes <= capacity.processes)) {
      turn.push(cell);
      continue;
    }
    turns.push([cell]);
    bytes = workerBytes(cell);
    processes = cell.processes;
  }
  return turns;
}

/** @param {Cell} cell */
const workerBytes = ({ processes, keys, keySize, valueSize }) =>
  processes * (WORKER_BYTES + keys * (keySize + ITEM_BYTES) + Math.min(keys * valueSize, MOST_VALUE_BYTES));
