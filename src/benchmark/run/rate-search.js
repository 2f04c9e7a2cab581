/** @import { RateRange } from '../../options/types.js' */

/** The search ends when the lowest failed rate is this close to the highest sustained one: within the noise of a machine. */
const RESOLUTION = 1.05;

/** Halvings of a factor of two until it is that close, and one more because rates are rounded. */
const MOST_HALVINGS = Math.ceil(Math.log2(Math.log(2) / Math.log(RESOLUTION))) + 1;

/** A step is decided when this many of its runs agree. */
export const AGREEING_RUNS = 2;

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
  while (held > 0 && broken / held > RESOLUTION && broken - held > 1) {
    const middle = between(held, broken);
    if (yield middle) held = middle;
    else broken = middle;
  }
}

/** @param {RateRange} range @returns {number} runs at most */
export const mostSearchRuns = ([low, high]) =>
  (2 * AGREEING_RUNS - 1) * (1 + Math.ceil(Math.log2(high / low)) + MOST_HALVINGS);

/** @param {number} low @param {number} high @returns {number} whole, in three digits where that is still between them */
function between(low, high) {
  const middle = Math.round(Math.sqrt(low * high));
  const round = Number(middle.toPrecision(3));
  return round > low && round < high ? round : middle;
}
