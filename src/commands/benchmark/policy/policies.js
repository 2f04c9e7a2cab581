import { MEASURING } from '../../../method.js';
import { behind, openIn } from '../../../statistics/race.js';

/** @import { RateRange } from '../../../options/types.js' */
/** @import { Cell } from '../../../run/plan/types.js' */
/** @import { Run } from '../../../store/types.js' */
/** @import { CellRunner } from '../run-cell.js' */
/** @import { GroupContext } from '../../../run/types.js' */

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

/** @typedef {{cell: Cell, runs: Run[]}} Racer with the runs of all its starts so far */
/** @typedef {Generator<{racing: Racer[], runs: number}, void, void>} Race a start of some cells, and its runs in each state */

/**
 * As many starts for each cell, as far as there is time.
 * @param {Racer[]} racers @param {number[]} starts runs of each @param {() => number} leftMs of the user's budget @returns {Race}
 */
export function* fixedStarts(racers, starts, leftMs) {
  // The first is made, however late it is.
  let tookMs = Number.NEGATIVE_INFINITY;
  let racing = racers;
  for (const runs of starts) {
    const before = leftMs();
    if (before < tookMs) return;
    yield { racing, runs };
    racing = racing.filter(hasNotFailed);
    if (racing.length === 0) return;
    tookMs = before - leftMs();
  }
}

/**
 * One start for each cell, then more for those near the best, until the order at the top is decided, a tie is known, or
 * the time is over. After the second start none gives way before the last one: starts that all have in common tell most.
 * What gave way for lack of time has what is left of it once the others are decided.
 * @param {Racer[]} racers @param {() => number} leftMs of the budget of this group
 * @param {boolean} [isStrict] whether the user set it; otherwise two cells at least have two starts, for one claims nothing @returns {Race}
 */
export function* race(racers, leftMs, isStrict = true) {
  let racing = racers;
  /** @type {Racer[]} */
  let waiting = [];
  for (let start = 1; start <= MEASURING.mostStarts; start++) {
    const before = leftMs();
    yield { racing, runs: MEASURING.runs };
    racing = racing.filter(hasNotFailed);
    if (racing.length === 0) return;
    const eachMs = (before - leftMs()) / racing.length;
    const nextMs = eachMs * (start === 1 ? MEASURING.laterCost : 1);
    if (start === 1) {
      racing = withTwo(racing, behind(racing, 'surely'));
      // Some give way where there is no time to start all of them often enough.
      const time = leftMs() / (MEASURING.leastStarts - 1);
      const near = racing;
      racing = without(near, behind(near, 'likely'), time / nextMs);
      waiting = near.filter((racer) => !racing.includes(racer));
    } else if (start % MEASURING.lookEvery === 0) {
      const decided = racing;
      racing = openIn(decided, racers, start / MEASURING.lookEvery);
      if (racing.length === 0 && waiting.length > 0) {
        const slower = behind(decided, 'somewhat');
        racing = [...decided.filter((racer) => !slower.includes(racer)), ...waiting];
        waiting = [];
      }
    }
    if (racing.length === 0) return;
    // The last start is for as many as there is time for.
    if (leftMs() < 2 * nextMs && (isStrict || start > 1)) return;
    racing = without(racing, behind(racing, 'somewhat'), leftMs() / nextMs);
  }
}

/** @param {Racer[]} racing @param {Racer[]} behind the slowest last @param {number} most that there is time for @returns {Racer[]} */
function without(racing, behind, most) {
  const tooMany = racing.length - Math.max(2, Math.floor(most));
  return tooMany > 0 ? withTwo(racing, behind.slice(-tooMany)) : racing;
}

/**
 * Two cells at least, because one alone does not show how much starts differ.
 * @param {Racer[]} racing @param {Racer[]} behind the slowest last @returns {Racer[]}
 */
const withTwo = (racing, behind) =>
  racing.filter((each) => !behind.slice(Math.max(0, 2 - (racing.length - behind.length))).includes(each));

/** After a start; a cell for which there was no time has no run. @param {Racer} racer */
const hasNotFailed = ({ runs }) => runs.length > 0 && runs.every(({ failed }) => failed === null);

/**
 * @typedef {Generator<{run: number, rate: number}, void, Run | undefined>} Search
 *
 * Finds the highest sustained rate. Each rate is repeated until enough runs agree, because one disturbed run would
 * misdirect the search for good.
 * @param {Pick<CellRunner, 'moveTo'>} runner @param {Pick<GroupContext, 'settings' | 'onEvent'>} context @returns {Search}
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
    while (Math.max(votes.held, votes.broken) < MEASURING.search.agreeingRuns) {
      const done = yield { run: ++run, rate: next.value };
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

/**
 * Doubles the rate while it is sustained, then tries halfway (by ratio) between the highest sustained and the lowest that
 * was not.
 * @param {RateRange} range @returns {Generator<number, void, boolean>} yields a rate, and gets whether it was sustained
 */
export function* rateSearch([low, high]) {
  let held = 0;
  let broken = 0;
  for (let rate = low; broken === 0; rate = Math.min(rate * 2, high)) {
    if (yield rate) held = rate;
    else broken = rate;
    if (held === high) return;
  }
  while (held > 0 && broken / held > MEASURING.search.resolution && broken - held > 1) {
    const middle = between(held, broken);
    if (yield middle) held = middle;
    else broken = middle;
  }
}

/** @param {number} low @param {number} high @returns {number} whole, in three digits where that is still between them */
function between(low, high) {
  const middle = Math.round(Math.sqrt(low * high));
  const round = Number(middle.toPrecision(3));
  return round > low && round < high ? round : middle;
}
