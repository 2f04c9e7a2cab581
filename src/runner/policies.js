import { areStable } from '../analysis/statistics/enough-runs.js';
import { AGREEING_RUNS, rateSearch } from '../plan/rate-search.js';
import { createRounds } from '../plan/rounds.js';

/** @import { RateRange } from '../options/types.js' */
/** @import { Start } from '../plan/types.js' */
/** @import { Run } from '../results/types.js' */
/** @import { CellRunner } from './run-cell.js' */
/** @import { GroupContext } from './contexts.js' */

/**
 * Measures what a policy asks for until it knows enough.
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
 * @typedef {{run: number, runners: RoundRunner[], orders: RoundRunner[][], isFirst: boolean}} Round what a start measures
 *   next: `orders` of the cells, one for each slice; `isFirst` may turn out to be warm-up
 */
/** @typedef {Pick<CellRunner, 'cell' | 'iterations' | 'slice' | 'slices' | 'forget' | 'endRun' | 'count' | 'end'>} RoundRunner */
/** @typedef {Generator<Round, void, (Run | undefined)[]>} Policy gets undefined for what gave no run */

/**
 * Measures as many rounds as were asked for, or until every cell is as stable as was asked for.
 * @param {Map<RoundRunner, Run[]>} going runs of the cells that have not failed, of all starts; updated here
 * @param {RoundRunner[]} runners @param {Start} start @param {number} slices of each run
 * @param {Pick<GroupContext, 'settings' | 'onEvent'>} context @returns {Policy}
 */
export function* rounds(going, runners, { start, first, last }, slices, { settings, onEvent }) {
  const { runs: fewest, untilStable, seed } = settings;
  // The warm-up has used the first orders of this seed.
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
 * Finds the highest rate that a cell sustains. Each rate is run until enough runs agree, because one disturbed run would
 * send the search the wrong way for good.
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
  // The profile that follows is of the rate that was found.
  if (highest > 0) runner.moveTo(highest);
}
