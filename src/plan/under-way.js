/**
 * @import { Catalogue, Chosen } from '../plugins/types.js'
 * @import { Cell, CellPoint } from './types.js'
 */

/**
 * How many operations a process can have under way; in a closed loop this and the round-trip time limit the
 * rate.
 *
 * @param {Pick<CellPoint, 'scenario' | 'scenarioOptions' | 'tasks'>} cell
 * @param {Chosen | undefined} chosen pipelining mode
 * @param {Catalogue} catalogue
 * @returns {Cell['underWay']} null where the scenario does not say
 */
export function underWayIn({ scenario, scenarioOptions, tasks }, chosen, catalogue) {
  const plugin = catalogue.scenarios.get(scenario);
  const mode = catalogue.pipelining.get(chosen?.id ?? '');
  if (!plugin?.tasksAtOnce || !mode) return null;
  const busy = Math.min(tasks, plugin.tasksAtOnce(tasks, scenarioOptions));
  const connections = plugin.connections(tasks, scenarioOptions);
  return {
    atOnce: mode.takesTurns ? Math.min(busy, connections) : busy,
    batch: mode.batchSize?.(chosen?.parameter) ?? 1,
  };
}
