import { duration, tenths } from '../../../core/report/figures.js';
import { costsOf, fewerInFlight, isMostlyIdle, NOTABLE, roundTripUsOf } from '../../judge/costs.js';
import { defineCause } from '../define.js';

/** On a local server a round trip is mostly work of both sides, and the commands say more. */
const FAR_US = 200;

/** A way to code a request that waits for the server more often. */
export default defineCause({
  id: 'more-round-trips',
  find(pair) {
    const { cell, than, carried } = pair;
    const roundTripUs = roundTripUsOf(cell);
    if (cell.way === than.way || !isMostlyIdle(cell) || fewerInFlight(pair)) return null;
    if (!(Number(carried.roundTrips?.ratio) >= NOTABLE) || roundTripUs < FAR_US) return null;
    const [perOp, againstPerOp] = costsOf('roundTrips', pair);
    return { perOp, againstPerOp, roundTripUs };
  },
  times: (_, { carried }) => Number(carried.roundTrips?.ratio),
  alone: () => true,
  say: ({ perOp, againstPerOp, roundTripUs }) =>
    `${tenths(perOp)} round trips of ${duration(roundTripUs)} per operation instead of ${tenths(againstPerOp)}`,
});
