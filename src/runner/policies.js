import { areStable } from '../analysis/statistics/enough-runs.js';
import { AGREEING_RUNS, rateSearch } from '../plan/rate-search.js';
import { createRounds } from '../plan/rounds.js';

/** @import { RateRange } from '../options/types.js' */
/** @import { Start } from '../plan/types.js' */
/** @import { Run } from '../results/types.js' */
/** @import { CellRunner } from './run-cell.js' */
/** @import { GroupContext } from './contexts.js' */

/**
 * @template Asked, Found, Answer @param {Generator<Asked, Found, Answer>} policy
 * @param {(asked: Asked) => Promise<Answer | null>} measure null ends the policy @returns {Promise<Found | null>}
 */
export async function follow(policy, measure) {
  let next = policy.next();
  while (!next.done) {
    const answer = await measure(next.value);
    if (answer === null) return null;
    next = policy.next(answer);
  }
  return next.value;
}

/**
 * @typedef {{run: number, runners: RoundRunner[], orders: RoundRunner[][], isFirst: boolean}} Round `orders` of the
 *   cells, one per slice; `isFirst` may turn out to be warm-up
 */
/** @typedef {Pick<CellRunner, 'cell' | 'iterations' | 'slice' | 'slices' | 'forget' | 'endRun' | 'end'>} RoundRunner */
/** @typedef {Generator<Round, void, (Run | undefined)[]>} Policy gets undefined for what gave no run */

/**
 * Measures the requested rounds, or until every cell is as stable as requested.
 * @param {Map<RoundRunner, Run[]>} going runs of all starts, without failed cells; updated here
 * @param {RoundRunner[]} runners @param {Start} start @param {number} slices of each run
 * @param {Pick<GroupContext, 'settings' | 'onEvent'>} context @returns {Policy}
 */
export function* rounds(going, runners, { start, first, last }, slices, { settings, onEvent }) {
  const { runs: fewest, untilStable, seed } = settings;
  // The warm-up used the first orders of this seed.
  const orders = createRounds(runners, (last - first + 1) * slices, seed + start);
  for (let run = first; run <= last; run++) {
    if (untilStable !== undefined && run > fewest && areStable(going.values(), untilStable)) return;
    const done = yield { run, runners, orders: orders.splice(0, slices), isFirst: run === first };
    for (const [index, runner] of runners.entries()) {
      const own = done[index];
      if (own?.failed === null) going.get(runner)?.push(own);
      else going.delete(runner);
    }
    onEvent({ type: 'round-end', round: run });
  }
}

/**
 * Finds the highest sustained rate. Each rate is repeated until enough runs agree, because one disturbed run would
 * misdirect the search for good.
 * @param {CellRunner} runner @param {Pick<GroupContext, 'settings' | 'onEvent'>} context @returns {Policy}
 */
export function* highestRate(runner, { settings, onEvent }) {
  const search = rateSearch(/** @type {RateRange} */ (settings.rateSearch));
  let run = 0;
  let highest = 0;
  for (let next = search.next(); !next.done; ) {
    const cell = runner.moveTo(next.value);
    /** @type {Run[]} */
    const runs = [];
    const votes = { held: 0, broken: 0 };
    while (Math.max(votes.held, votes.broken) < AGREEING_RUNS) {
      const [done] = yield { run: ++run, runners: [runner], orders: [[runner]], isFirst: false };
      // It failed for a reason other than its rate.
      if (done?.openLoop == null || done.failed !== null) return;
      runs.push(done);
      votes[done.openLoop.held ? 'held' : 'broken']++;
    }
    const held = votes.held > votes.broken;
    if (held) highest = Math.max(highest, next.value);
    onEvent({ type: 'step', cell, held, runs });
    next = search.next(held);
  }
  // Profile at the rate that was found.
  if (highest > 0) runner.moveTo(highest);
}
