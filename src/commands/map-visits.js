import { decidePoint } from '../analysis/findings/decide-point.js';
import { leftOutIn } from '../analysis/findings/map-findings.js';
import { UsageError } from '../errors.js';
import { turnsOf } from '../plan/capacity.js';
import { visitPoints } from '../plan/visits.js';

/**
 * @import { Settings } from '../options/types.js'
 * @import { Capacity, Cell, Plan } from '../plan/types.js'
 * @import { ResultRecord, Run } from '../results/types.js'
 */

/**
 * What is measured next in a map: decided by what was recorded until then.
 *
 * @param {Plan} plan
 * @param {Settings & {budgetMs: number}} settings
 * @param {Capacity} capacity
 * @param {ResultRecord[]} records of the runs so far; grows meanwhile
 * @param {() => number} elapsedMs of the budget
 * @throws {UsageError} where the choices of a point cannot be compared in one go
 */
export function visitsOfMap({ groups }, { budgetMs, smoke }, capacity, records, elapsedMs) {
  const largest = groups.reduce((most, group) => (group.length > most.length ? group : most));
  if (turnsOf(largest, capacity).length > 1) {
    throw new UsageError(
      `a map compares all choices of a point at once, and this machine cannot hold ${largest.length} worker processes; give fewer --clients or --scenarios`,
    );
  }
  return visitPoints(groups, {
    budgetMs,
    elapsedMs,
    verdictOf(cells) {
      if (smoke) return { left: [], isTied: false };
      const { left, state } = decidePoint(withRuns(cells, records));
      return { left, isTied: state === 'tied' };
    },
    leftOutOf: ([{ group }]) => leftOutIn(withRuns(groups.flat(), records))(group),
  });
}

/** @param {Cell[]} cells @param {ResultRecord[]} records of all cells */
function withRuns(cells, records) {
  /** @type {Map<string, Run[]>} */
  const runs = new Map(cells.map(({ id }) => [id, []]));
  /** @type {Map<string, boolean | undefined>} */
  const warm = new Map();
  for (const record of records) {
    if (record.type === 'run') runs.get(record.cell)?.push(record.run);
    if (record.type === 'cell') warm.set(record.cell, record.warm);
  }
  return cells.map((cell) => ({ ...cell, runs: runs.get(cell.id) ?? [], warm: warm.get(cell.id) }));
}
