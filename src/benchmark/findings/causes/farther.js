import { duration } from '../../../core/report/figures.js';
import { MOSTLY_IDLE, NOTABLE } from '../../judge/costs.js';
import { defineCause } from '../define.js';

/** @import { Pair } from '../../judge/costs.js' */

/** Smaller differences are lost in the noise of a PING. */
const NOTABLE_US = 200;

/** Its server is farther away. */
export default defineCause({
  id: 'farther',
  find: (pair) => farther(pair),
  times: ({ roundTripUs, againstRoundTripUs }, { than }) =>
    roundTripUs / (than.summary.latency?.p50Us ?? againstRoundTripUs),
  alone: () => true,
  say: ({ roundTripUs, againstRoundTripUs }) =>
    `its server's fastest PING takes ${duration(roundTripUs)} instead of ${duration(againstRoundTripUs)}`,
});

/** By the fastest PINGs to either; null also if either side has much to do. @param {Pair} pair */
export function farther({
  cell: { roundTripUs = 0, summary },
  than: { roundTripUs: againstRoundTripUs = 0 },
}) {
  const isFarther = roundTripUs >= Math.max(NOTABLE * againstRoundTripUs, againstRoundTripUs + NOTABLE_US);
  const busy = Math.max(summary.bottleneck.clientBusy, summary.bottleneck.serverBusy ?? 0);
  if (!isFarther || againstRoundTripUs === 0 || busy >= MOSTLY_IDLE) return null;
  return { roundTripUs, againstRoundTripUs };
}
