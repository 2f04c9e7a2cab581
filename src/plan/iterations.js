import { withFewest } from './slices.js';

/** @import { Settings } from '../options/types.js' */

/** A cell that would take longer than this many times the run time gets a count of its own. */
const LONGEST = 4;

/**
 * The iterations of each task in a run of each cell of a group.
 *
 * With `auto`, the group's fastest cell takes about the run time and the others do the same work, unless that
 * takes them over four times as long: those get a count with which they take the run time too, otherwise one
 * slow scenario would take most of the benchmark.
 *
 * @param {Settings['iterations']} wanted
 * @param {{runTimeMs: number, slices: number}} run what is found out is divided evenly among its slices
 * @param {{id: string, keySize: number, valueSize: number, perMs: number | null, batchSize?: number}[]} cells
 *   with the iterations that one task did in a millisecond of the warm-up, null where it failed, and those that
 *   it sends together: fewer would be smaller batches than the cell is named by
 * @param {number} [known] the counts of cells of the group that were measured before these
 * @returns {Map<string, number>} by cell id
 */
export function sizeIterations(wanted, { runTimeMs, slices }, cells, known) {
  if (wanted !== 'auto') return new Map(cells.map((cell) => [cell.id, fixed(wanted, cell)]));
  const fastest = Math.max(...cells.map((cell) => cell.perMs ?? 0));
  const sliceMs = runTimeMs / slices;
  const common = known === undefined ? rounded(fastest * sliceMs) : Math.ceil(known / slices);
  return new Map(
    cells.map(({ id, perMs, batchSize = 1 }) => {
      const slow = perMs !== null && common / perMs > LONGEST * sliceMs;
      const count = withFewest(slow ? rounded(perMs * sliceMs) : common, perMs);
      return [id, Math.max(1, Math.round(count / batchSize)) * batchSize * slices];
    }),
  );
}

/**
 * @param {Exclude<Settings['iterations'], 'auto'>} wanted
 * @param {{keySize: number, valueSize: number}} cell
 */
function fixed(wanted, { keySize, valueSize }) {
  if (typeof wanted === 'number') return wanted;
  // Key and value travel once each; if they have the same length this is the suite's formula.
  const size = (keySize + valueSize) / 2;
  return Math.max(1, Math.floor(wanted.budget / (wanted.perOperation + wanted.perByte * size)));
}

/** @param {number} count @returns {number} with two significant digits, because it is an estimate */
const rounded = (count) => Math.max(1, Math.round(Number(count.toPrecision(2))));
