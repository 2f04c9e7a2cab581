/** The rates that a search for the highest sustained one tries. Pure. */
import { MEASURING } from '../../../method.js';

/** @import { RateRange } from '../../../options/types.js' */

/** @typedef {{rate: number, held: boolean}} Tried `held`: whether the rate was sustained */

/**
 * Doubles the rate while it is sustained, then tries halfway (by ratio) between the highest sustained and the lowest that
 * was not.
 * @param {RateRange} range
 * @param {Tried[]} tried so far
 * @returns {number | null} null once the search is over
 */
export function nextRate([low, high], tried) {
  if (tried.length === 0) return low;
  const held = highestHeld(tried);
  const broken = Math.min(...tried.flatMap((each) => (each.held ? [] : each.rate)));
  if (broken === Number.POSITIVE_INFINITY) return held === high ? null : Math.min(held * 2, high);
  const isClose = broken / held <= MEASURING.search.resolution || broken - held <= 1;
  return held === 0 || isClose ? null : between(held, broken);
}

/** @param {Tried[]} tried @returns {number} 0 if none was sustained */
export const highestHeld = (tried) => Math.max(0, ...tried.flatMap(({ rate, held }) => (held ? rate : [])));

/**
 * Each rate is repeated until enough runs agree, because one disturbed run would misdirect the search for good.
 * @param {boolean[]} votes of its runs
 * @returns {boolean | null} whether the rate is sustained; null while too few agree
 */
export function agreedOn(votes) {
  const held = votes.filter(Boolean).length;
  if (Math.max(held, votes.length - held) < MEASURING.search.agreeingRuns) return null;
  return held > votes.length - held;
}

/** @param {number} low @param {number} high @returns {number} whole, in three digits where that is still between them */
function between(low, high) {
  const middle = Math.round(Math.sqrt(low * high));
  const round = Number(middle.toPrecision(3));
  return round > low && round < high ? round : middle;
}
