import { messageOf } from '../errors.js';
import { createKeyPrefix, createPlacer } from './place.js';
import { runGroup } from './run-group.js';

/**
 * Runs all groups of a plan on a server, one after the other.
 *
 * @param {import('../types.js').Plan} plan
 * @param {Omit<import('../types.js').RunContext, 'placer' | 'keyPrefix'>} context
 * @returns {Promise<import('../types.js').PlanOutcome>} with whatever was measured, also when the server was lost
 */
export async function runPlan(plan, context) {
  const { server, settings, signal, onEvent } = context;
  const placer = await createPlacer(server, settings.pin);
  const keyPrefix = createKeyPrefix();
  /** @type {import('../types.js').MeasuredCell[]} */
  const cells = [];
  let lost = null;
  let keysRemoved = true;
  for (const [index, group] of plan.groups.entries()) {
    if (signal.aborted || lost) break;
    onEvent({ type: 'group', index, cells: group });
    const outcome = await runGroup(group, { ...context, placer, keyPrefix });
    cells.push(...outcome.cells);
    lost = outcome.lost;
    keysRemoved &&= outcome.keysRemoved;
  }
  const warnings = keysRemoved ? [] : await sweep(server, keyPrefix);
  return { cells, lost, placements: placer.placements, warnings };
}

/**
 * Removes the keys of a worker that died. A managed server takes them with it.
 *
 * @param {import('../types.js').Server} server
 * @param {string} keyPrefix
 * @returns {Promise<string[]>} a warning where they had to stay
 */
async function sweep(server, keyPrefix) {
  if (server.kind === 'managed') return [];
  try {
    await server.control.removeKeys(keyPrefix);
    return [];
  } catch (error) {
    return [`keys that start with '${keyPrefix}' may be left on the server: ${messageOf(error)}`];
  }
}
