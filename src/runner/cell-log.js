import { atRate } from '../plan/cells.js';

/**
 * @import { Cell } from '../plan/types.js'
 * @import { CellRecord, ResultRecord, Run } from '../results/types.js'
 */

/**
 * What is recorded of a cell. In a search its rate changes, and each rate is a cell of its own.
 *
 * @param {Cell} cell
 * @param {(record: ResultRecord) => void} record
 */
export function createCellLog(cell, record) {
  let current = cell;
  const planned = new Set([cell.id]);
  /** @type {Omit<CellRecord, 'type' | 'cell'>} */
  const facts = { iterations: null, effectiveOptions: {} };
  const recordFacts = () => record({ type: 'cell', cell: current.id, ...facts });
  return {
    facts,
    current: () => current,
    recordFacts,

    /** @param {Run} run */
    keep: (run) => record({ type: 'run', cell: current.id, at: new Date().toISOString(), run }),

    /**
     * @param {number} ratePerSecond of the runs that follow
     * @returns {Cell} that they belong to
     */
    moveTo(ratePerSecond) {
      if (ratePerSecond === current.openLoop?.ratePerSecond) return current;
      current = atRate(cell, ratePerSecond);
      if (planned.has(current.id)) return current;
      planned.add(current.id);
      record({ type: 'planned', cell: current });
      recordFacts();
      return current;
    },
  };
}
