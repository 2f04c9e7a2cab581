/** A run that takes longer is taken to hang. */
const TIMES_EXPECTED = 10;
/** A short run on a busy machine may take much longer than expected. */
const SHORTEST_MS = 30_000;
/** For a first run of unknown length. */
const UNKNOWN_MS = 600_000;

/** Ms after which a run has failed. @param {number | undefined} given by the user @param {number | null} expectedMs */
export function runTimeout(given, expectedMs) {
  if (given !== undefined) return given;
  return expectedMs === null ? UNKNOWN_MS : Math.max(SHORTEST_MS, expectedMs * TIMES_EXPECTED);
}

/** For anything else, such as connecting and storing data. @param {number | undefined} given */
export const prepareTimeout = (given) => (given === undefined ? UNKNOWN_MS : Math.max(given, SHORTEST_MS));
