import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { sum } from 'simple-statistics';

/**
 * A run is executed in slices, and the slices of all cells take turns: noise that lasts longer than a slice
 * falls on all cells alike. Measured with five benchmarks each on a shared machine, ratios to the fastest cell
 * were 15 to 31 % off with 5 runs of 300 ms, and 9 to 17 % with 30 of 50 ms.
 */

/** Of the group's fastest cell. */
export const SLICE_MS = 60;
/**
 * Iterations of each task in a slice, at least: slices of a dozen cost open-and-close 15 % more CPU an
 * operation.
 */
const FEWEST_ITERATIONS = 25;
/** As long a slice may become for the sake of those. */
const LONGEST_SLICE_MS = 4 * SLICE_MS;
const MOST_SLICES = 50;

/**
 * @param {object} run
 * @param {number} run.expectedMs how long a run of the fastest cell takes
 * @param {number | null} run.iterations of each task, where the user fixed them
 * @param {boolean} run.divisible whether a run may be interrupted at all
 * @returns {number} slices of a run
 */
export function slicesPerRun({ expectedMs, iterations, divisible }) {
  if (!divisible) return 1;
  const byTime = Math.round(expectedMs / SLICE_MS);
  const byIterations = iterations === null ? byTime : Math.floor(iterations / FEWEST_ITERATIONS);
  return Math.max(1, Math.min(byTime, byIterations, MOST_SLICES));
}

/**
 * @param {number} count iterations in a slice, by the time that they take
 * @param {number | null} perMs iterations of a task in a millisecond; null where unknown
 * @returns {number} with the fewest that make a slice
 */
export const withFewest = (count, perMs) =>
  Math.max(count, Math.min(FEWEST_ITERATIONS, Math.floor((perMs ?? 0) * LONGEST_SLICE_MS)));

/**
 * @param {number} iterationMs how long an iteration takes at least
 * @returns {number} how long a slice of such iterations becomes
 */
export const leastSliceMs = (iterationMs) =>
  Math.max(SLICE_MS, Math.min(FEWEST_ITERATIONS * iterationMs, LONGEST_SLICE_MS), iterationMs);

/** A slice may be longer or shorter than the average by this part. */
const VARIES_BY = 1 / 3;

/**
 * How the slices of a run share its length. Slices of one length would keep step with another benchmark on this
 * machine, and the same cell would be disturbed each time.
 *
 * @param {number} slices
 * @param {number} seed
 * @returns {number[]} parts of the run, 1 together, the same for all cells
 */
export function drawShares(slices, seed) {
  const random = xoroshiro128plus(seed);
  const weights = Array.from(
    { length: slices },
    () => 1 + VARIES_BY * (uniformInt(random, -STEPS, STEPS) / STEPS),
  );
  const all = sum(weights);
  return weights.map((weight) => weight / all);
}

/** Of a draw. */
const STEPS = 1000;
/** On average in a slice; a slice may be half as long as that. */
const FEWEST_BATCHES = 2;

/**
 * Divides the iterations of a run among its slices, in whole batches.
 *
 * @param {number} iterations
 * @param {number[]} shares of the slices, 1 together
 * @param {number} batchSize
 * @returns {number[]} as near to the shares as whole batches allow; the last one takes what is left of a batch
 */
export function sliceIterations(iterations, shares, batchSize) {
  const batches = Math.ceil(iterations / batchSize);
  const slices = shares.length;
  // With fewer, a short slice would have none.
  const isEven = batches < FEWEST_BATCHES * slices;
  let upTo = 0;
  return shares.map((_, slice) => {
    const before = upTo;
    const part = isEven ? (slice + 1) / slices : sum(shares.slice(0, slice + 1));
    upTo = slice === slices - 1 ? iterations : Math.min(iterations, Math.floor(part * batches) * batchSize);
    return upTo - before;
  });
}
