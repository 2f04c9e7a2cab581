import { AGREEING_RUNS, rateSearch } from '../plan/rate-search.js';

/**
 * Looks for the highest rate that a cell holds. Each rate is run until enough runs agree on whether it
 * was held: what disturbs a machine for a moment would otherwise send the search the wrong way for good.
 *
 * @param {ReturnType<typeof import('./run-cell.js').createCellRunner>} runner
 * @param {import('../types.js').RunContext} context
 */
export async function searchRate(runner, { settings, onEvent }) {
  const { durationMs } = settings;
  const search = rateSearch(/** @type {import('../types.js').RateRange} */ (settings.rateSearch));
  let round = 0;
  for (let next = search.next(); !next.done; ) {
    const cell = runner.moveTo(next.value);
    /** @type {import('../types.js').Run[]} */
    const runs = [];
    const votes = { held: 0, broken: 0 };
    while (Math.max(votes.held, votes.broken) < AGREEING_RUNS) {
      const run = await runner.run(++round, { durationMs });
      // It was interrupted, or has failed for a reason that is not the rate.
      if (run?.openLoop == null || run.failed !== null) return;
      runs.push(run);
      votes[run.openLoop.held ? 'held' : 'broken']++;
    }
    const held = votes.held > votes.broken;
    onEvent({ type: 'step', cell, held, runs });
    next = search.next(held);
  }
}
