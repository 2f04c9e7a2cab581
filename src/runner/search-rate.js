import { AGREEING_RUNS, rateSearch } from '../plan/rate-search.js';

/**
 * @import { RateRange } from '../options/types.js'
 * @import { Run } from '../results/types.js'
 * @import { createCellRunner } from './run-cell.js'
 * @import { GroupContext } from './types.js'
 */

/**
 * Looks for the highest rate that a cell holds. Each rate is run until enough runs agree on whether it
 * was held; otherwise one disturbed run would send the search the wrong way for good.
 *
 * @param {ReturnType<typeof createCellRunner>} runner
 * @param {GroupContext} context
 */
export async function searchRate(runner, { settings, onEvent }) {
  const { durationMs } = settings;
  const search = rateSearch(/** @type {RateRange} */ (settings.rateSearch));
  let round = 0;
  let highest = 0;
  for (let next = search.next(); !next.done; ) {
    const cell = runner.moveTo(next.value);
    /** @type {Run[]} */
    const runs = [];
    const votes = { held: 0, broken: 0 };
    while (Math.max(votes.held, votes.broken) < AGREEING_RUNS) {
      const run = await runner.run(++round, { durationMs });
      // Interrupted, or failed for another reason than its rate.
      if (run?.openLoop == null || run.failed !== null) return;
      runs.push(run);
      votes[run.openLoop.held ? 'held' : 'broken']++;
    }
    const held = votes.held > votes.broken;
    if (held) highest = Math.max(highest, next.value);
    onEvent({ type: 'step', cell, held, runs });
    next = search.next(held);
  }
  // What comes now, a profile, is of the rate that was found.
  if (highest > 0) runner.moveTo(highest);
}
