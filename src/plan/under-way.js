import { sum } from 'simple-statistics';
import { taskShares } from './machines.js';

/**
 * @import { Catalogue, Chosen } from '../plugins/types.js'
 * @import { Cell, CellPoint } from './types.js'
 */

/**
 * How many operations a process can have under way; in a closed loop this and the round-trip time limit the
 * rate.
 *
 * @param {Pick<CellPoint, 'scenario' | 'scenarioOptions' | 'tasks' | 'machines'>} cell
 * @param {Chosen | undefined} chosen pipelining mode
 * @param {Catalogue} catalogue
 * @returns {Cell['underWay']} null where the scenario does not say
 */
export function underWayIn({ scenario, scenarioOptions, ...cell }, chosen, catalogue) {
  const plugin = catalogue.scenarios.get(scenario);
  const mode = catalogue.pipelining.get(chosen?.id ?? '');
  if (!plugin?.tasksAtOnce || !mode) return null;
  const { tasksAtOnce, connections } = plugin;
  const onMachine = (/** @type {number} */ tasks) => {
    const busy = Math.min(tasks, tasksAtOnce(tasks, scenarioOptions));
    return mode.takesTurns ? Math.min(busy, connections(tasks, scenarioOptions)) : busy;
  };
  return {
    atOnce: sum(taskShares(cell).map(onMachine)),
    batch: mode.batchSize?.(chosen?.parameter) ?? 1,
  };
}
