import { isOff, latencyOf } from '../analysis/statistics/latency.js';
import { withWarnings } from './run-record.js';

/** @import { Distance, RelayFigures } from '../relay/types.js' */
/** @import { RelayRun, Run, RunWarning } from './types.js' */

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
  return withWarnings({ ...run, relay }, distanceWarnings(relay, distance));
}

/** @param {RelayRun} run @param {Distance} distance that was asked for @returns {RunWarning[]} */
const distanceWarnings = ({ lateP50Us, pauses }, { rttMs }) => [
  ...(isOff(lateP50Us ?? 0, rttMs) ? [/** @type {const} */ ({ kind: 'farther-than-asked' })] : []),
  ...(pauses > 0 ? [/** @type {const} */ ({ kind: 'narrow-line' })] : []),
];
