/**
 * @import { Catalogue } from '../plugins/types.js'
 * @import { Cell, CellPoint } from './types.js'
 */

/** Which write a reply is of stands in its last characters; the first ones tell keys apart. */
const SHORTEST_VALUE = 16;

/**
 * @param {Pick<CellPoint, 'readFrom' | 'topology'>} cell
 * @returns {string[]} what its client must be capable of, to read where it is told to
 */
export const readingNeeds = ({ readFrom, topology }) =>
  readFrom === 'replica' ? [topology === 'cluster' ? 'replicas' : 'standalone-replicas'] : [];

/**
 * @param {CellPoint & Pick<Cell, 'chosen'>} cell
 * @param {Catalogue} catalogue
 * @returns {string | null} why stale replies could not be told from wrong ones
 */
export function readingConflict({ readFrom, chosen, shortestValue }, { workloads }) {
  if (readFrom === undefined) return null;
  const able = [...workloads.values()].filter(({ tellsWrites }) => tellsWrites).map(({ id }) => id);
  if (!able.includes(chosen.workload.id)) {
    return `with --read-from each reply must say which write it is of, as only the workloads ${able.join(', ')} have it`;
  }
  if (shortestValue >= SHORTEST_VALUE) return null;
  return `with --read-from each value holds the number of its write, which takes ${SHORTEST_VALUE} characters at least`;
}
