import { isOff, latencyOf } from '../analysis/statistics/latency.js';

/** @import { Distance, RelayFigures } from '../relay/types.js' */
/** @import { RelayRun, Run } from './types.js' */

/**
 * @param {Run} run @param {RelayFigures | null} figures of the relay that it went through
 * @param {Distance} [distance] that was asked for @returns {Run} with what the relay did to it
 */
export function withRelay(run, figures, distance) {
  if (figures === null || distance === undefined) return run;
  const late = latencyOf([figures.lateHdr]);
  const relay = {
    roundTrips: late?.count ?? 0,
    lateP50Us: late?.p50Us ?? null,
    lateP99Us: late?.p99Us ?? null,
    pauses: figures.pauses,
  };
  return { ...run, relay, warnings: [...run.warnings, ...distanceWarnings(relay, distance)] };
}

/**
 * What makes the distance of a run doubtful.
 * @param {RelayRun} run @param {Distance} distance that was asked for
 * @returns {string[]} warnings; always in the same words, so that repeats can be merged
 */
function distanceWarnings({ lateP50Us, pauses }, { rttMs }) {
  return [...(isOff(lateP50Us ?? 0, rttMs) ? [TOO_LATE] : []), ...(pauses > 0 ? [NARROW] : [])];
}

const TOO_LATE =
  'the server was farther away than was asked for: in the relay half of the round trips took over 5 % or 50 µs too long; ' +
  'other programs, or this traffic, need too much of its processor';
const NARROW =
  'the relay stopped reading for a while, because no more could wait in it: the line was narrow, not only long';
