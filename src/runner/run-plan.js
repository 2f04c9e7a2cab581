import { createKeyPrefix, createPlacer } from '../machine/placer.js';
import { sweepKeys } from './clean-up.js';
import { runGroup } from './run-group.js';

/**
 * @import { Settings } from '../options/types.js'
 * @import { Plan } from '../plan/types.js'
 * @import { Server } from '../server/types.js'
 * @import { Place, PlanOutcome, RunContext } from './types.js'
 */

/**
 * Says for each server where it and its workers run.
 *
 * @param {Server[]} servers
 * @param {Settings} settings
 * @returns {Promise<Place[]>}
 */
export const placeServers = (servers, { pin }) =>
  Promise.all(servers.map(async (server) => ({ server, placer: await createPlacer(server, pin) })));

/**
 * Runs all groups of a plan, one after the other, each on the server of its topology. What is measured
 * is told through `record`, as it is measured.
 *
 * @param {Plan} plan
 * @param {Omit<RunContext, keyof Place | 'keyPrefix'> &
 *   {places: Place[]}} context
 * @returns {Promise<PlanOutcome>} also when the server was lost
 */
export async function runPlan(plan, { places, ...context }) {
  const { signal, onEvent } = context;
  // One that waits for its turn still does its chores, and not on a worker's processor.
  for (const { placer } of places) await placer.pinServer(placer.placements[0]);
  const keyPrefix = createKeyPrefix();
  /** @type {Set<Server>} */
  const unclean = new Set();
  let lost = null;
  for (const [index, group] of plan.groups.entries()) {
    if (signal.aborted || lost) break;
    onEvent({ type: 'group', index, cells: group });
    const place = places.find(({ server }) => server.topology === group[0].topology) ?? places[0];
    const outcome = await runGroup(group, { ...context, ...place, keyPrefix });
    lost = outcome.lost;
    if (!outcome.keysRemoved) unclean.add(place.server);
  }
  const swept = await Promise.all([...unclean].map((server) => sweepKeys(server, keyPrefix, signal)));
  const warnings = [...places.flatMap(({ server }) => server.warnings), ...swept.flat()];
  return { lost, warnings };
}
