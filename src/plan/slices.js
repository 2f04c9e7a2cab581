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

/**
 * Divides the iterations of a run among its slices, in whole batches.
 *
 * @param {number} iterations
 * @param {number} slices
 * @param {number} batchSize
 * @returns {number[]} as even as whole batches allow; the last one takes what is left of a batch
 */
export function sliceIterations(iterations, slices, batchSize) {
  const batches = Math.ceil(iterations / batchSize);
  const upTo = (/** @type {number} */ slice) =>
    Math.min(iterations, Math.floor((slice * batches) / slices) * batchSize);
  return Array.from({ length: slices }, (_, slice) =>
    slice === slices - 1 ? iterations - upTo(slice) : upTo(slice + 1) - upTo(slice),
  );
}
