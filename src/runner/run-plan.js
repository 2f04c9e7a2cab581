import { sweepKeys } from './clean-up.js';
import { createKeyPrefix, createPlacer } from './place.js';
import { runGroup } from './run-group.js';

/**
 * Runs all groups of a plan, one after the other, each on the server of its topology.
 *
 * @param {import('../types.js').Plan} plan
 * @param {Omit<import('../types.js').RunContext, 'server' | 'placer' | 'keyPrefix'> &
 *   {servers: import('../types.js').Server[]}} context
 * @returns {Promise<import('../types.js').PlanOutcome>} with whatever was measured, also when the server was lost
 */
export async function runPlan(plan, { servers, ...context }) {
  const { settings, signal, onEvent } = context;
  const places = await Promise.all(
    servers.map(async (server) => ({ server, placer: await createPlacer(server, settings.pin) })),
  );
  const [{ placer: first }] = places;
  // One that waits for its turn still does its chores, and not on a worker's processor.
  for (const { placer } of places) await placer.pinServer(placer.placements[0]);
  const keyPrefix = createKeyPrefix();
  /** @type {import('../types.js').MeasuredCell[]} */
  const cells = [];
  /** @type {Set<import('../types.js').Server>} */
  const unclean = new Set();
  let lost = null;
  for (const [index, group] of plan.groups.entries()) {
    if (signal.aborted || lost) break;
    onEvent({ type: 'group', index, cells: group });
    const place = places.find(({ server }) => server.topology === group[0].topology) ?? places[0];
    const outcome = await runGroup(group, { ...context, ...place, keyPrefix });
    cells.push(...outcome.cells);
    lost = outcome.lost;
    if (!outcome.keysRemoved) unclean.add(place.server);
  }
  const swept = await Promise.all([...unclean].map((server) => sweepKeys(server, keyPrefix, signal)));
  const warnings = [...servers.flatMap((server) => server.warnings), ...swept.flat()];
  return { cells, lost, placements: first.placements, warnings };
}
