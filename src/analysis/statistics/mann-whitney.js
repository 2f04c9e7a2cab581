import { LEVEL } from './interval.js';
import { rareUs, tailOfU } from './u-distribution.js';

/** @import { Shift } from '../types.js' */

/** Halvings after which a bound is as exact as a double can be. */
const HALVINGS = 60;

/**
 * The Mann-Whitney test, and the interval that belongs to it for the shift between the samples (Hodges and
 * Lehmann). It assumes nothing about the shape of the noise, only that without a difference each run could as
 * well have been the other cell's.
 *
 * @param {number[]} a
 * @param {number[]} b
 * @returns {Shift} how far a lies above b
 */
export function mannWhitney(a, b) {
  const [x, y] = [a, b].map((values) => Float64Array.from(values).sort());
  const pairs = a.length * b.length;
  const below = (countShifts(x, y, 0, false) + countShifts(x, y, 0, true)) / 2;
  const smallerU = Math.min(below, pairs - below);
  return {
    p: Math.min(1, 2 * tailOfU(smallerU, a.length, b.length, tieSizes(x, y))),
    interval() {
      // On each side, as many shifts lie outside as there are values of U that the test would reject.
      const outside = rareUs(1 - LEVEL, a.length, b.length);
      if (outside === 0) return { low: -Infinity, high: Infinity };
      return { low: shiftAt(x, y, outside), high: shiftAt(x, y, pairs + 1 - outside) };
    },
  };
}

/**
 * @param {Float64Array} x ascending
 * @param {Float64Array} y ascending
 * @param {number} rank from 1
 * @returns {number} the shift of that rank among all x - y, without making a list of them
 */
function shiftAt(x, y, rank) {
  let low = x[0] - /** @type {number} */ (y.at(-1));
  let high = /** @type {number} */ (x.at(-1)) - y[0];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (countShifts(x, y, middle, true) >= rank) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * @param {Float64Array} x ascending
 * @param {Float64Array} y ascending
 * @param {number} limit
 * @param {boolean} inclusive
 * @returns {number} how many of all x - y are below the limit, or at it
 */
function countShifts(x, y, limit, inclusive) {
  let place = 0;
  let count = 0;
  for (const value of x) {
    while (place < y.length && (inclusive ? y[place] < value - limit : y[place] <= value - limit)) place++;
    count += y.length - place;
  }
  return count;
}

/**
 * @param {Float64Array} x ascending
 * @param {Float64Array} y ascending
 * @returns {number[]} how often each value that comes more than once does
 */
function tieSizes(x, y) {
  const values = new Float64Array(x.length + y.length);
  values.set(x);
  values.set(y, x.length);
  values.sort();
  const sizes = [];
  let first = 0;
  for (let place = 1; place <= values.length; place++) {
    if (values[place] === values[first]) continue;
    if (place - first > 1) sizes.push(place - first);
    first = place;
  }
  return sizes;
}
