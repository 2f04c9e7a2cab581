import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { countBelow } from './schedule.js';

/** @import { KeyDistribution } from '../options/types.js' */
/** @import { Part } from './types.js' */
/** @import { RandomGenerator } from 'pure-rand/types/RandomGenerator' */

/** The exponent of YCSB: of 1000 keys, the first gets about an eighth of the operations. */
const ZIPF_EXPONENT = 0.99;
/** Random orders are drawn before the run, which must not pay for them, and repeat after so many. */
const MADE = 2 ** 20;

/**
 * Which key comes next.
 * @param {KeyDistribution} distribution
 * @param {number} keys how many there are, at least 2
 * @param {number} seed
 * @param {Part} part which of several processes this is: in sequence each takes every
 *   so many-th key, and their random orders differ
 * @returns {{next: () => number, restart: () => void}} `next` returns an index; after `restart` all come
 *   again in the same order
 */
export function createKeyOrder(distribution, keys, seed, { index, count }) {
  if (distribution === 'sequential') {
    const step = count % keys;
    const before = (index + keys - step) % keys;
    let current = before;
    return {
      next() {
        current += step;
        if (current >= keys) current -= keys;
        return current;
      },
      restart() {
        current = before;
      },
    };
  }
  const random = xoroshiro128plus(seed + index);
  const pick = distribution === 'zipf' ? createZipf(keys, random) : () => uniformInt(random, 0, keys - 1);
  const order = Uint32Array.from({ length: MADE }, pick);
  let position = 0;
  return {
    next: () => order[position++ & (MADE - 1)],
    restart() {
      position = 0;
    },
  };
}

/**
 * Key k comes with a probability in proportion to 1 / (k + 1) ^ 0.99.
 * @param {number} keys @param {RandomGenerator} random
 */
function createZipf(keys, random) {
  const cumulative = new Float64Array(keys);
  let sum = 0;
  for (let index = 0; index < keys; index++) {
    sum += (index + 1) ** -ZIPF_EXPONENT;
    cumulative[index] = sum;
  }
  return () => Math.min(keys - 1, countBelow(cumulative, uniformFloat64(random) * sum));
}
