import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** @import { Distance } from './types.js' */

/**
 * The delay of each chunk in one direction: half of the round trip, and with jitter up to this part of it more
 * or less, all values alike.
 *
 * @param {Distance} distance
 * @param {number} seed
 * @returns {() => number} milliseconds
 */
export function createDelays({ rttMs, jitterPercent }, seed) {
  const halfMs = rttMs / 2;
  if (jitterPercent === 0) return () => halfMs;
  const random = xoroshiro128plus(seed);
  return () => halfMs * (1 + (jitterPercent / 100) * (2 * uniformFloat64(random) - 1));
}
