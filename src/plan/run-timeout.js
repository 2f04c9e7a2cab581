/** A run that takes this many times longer than expected is taken to hang. */
const TIMES_EXPECTED = 10;
/** On a busy machine a short run may take much longer than expected, and still end. */
const SHORTEST_MS = 30_000;
/** For the first run of a fixed number of iterations, whose length is not known yet. */
const UNKNOWN_MS = 600_000;

/**
 * The longest that a run may take before it counts as failed.
 *
 * @param {number | undefined} given by the user, in milliseconds
 * @param {number | null} expectedMs null where nothing is known yet
 * @returns {number} milliseconds
 */
export function runTimeout(given, expectedMs) {
  if (given !== undefined) return given;
  return expectedMs === null ? UNKNOWN_MS : Math.max(SHORTEST_MS, expectedMs * TIMES_EXPECTED);
}

/**
 * The longest that anything else may take, such as connecting and storing the data.
 *
 * @param {number | undefined} given for a run, in milliseconds
 * @returns {number} milliseconds
 */
export const prepareTimeout = (given) => (given === undefined ? UNKNOWN_MS : Math.max(given, SHORTEST_MS));
