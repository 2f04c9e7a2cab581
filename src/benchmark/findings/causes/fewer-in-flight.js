import { whole } from '../../../core/report/figures.js';
import { fewerInFlight, idleShares, isMostlyIdle, waitsMore } from '../../judge/costs.js';
import { defineCause } from '../define.js';

/** @import { Pair } from '../../judge/costs.js' */

/** Fewer operations are in flight, and the cell waits for round trips. */
export default defineCause({
  id: 'fewer-under-way',
  find(pair) {
    const fewer = fewerInFlight(pair);
    return fewer && (bothWait(pair) || waitsMore(pair)) ? { ...fewer, ...idleShares(pair.cell) } : null;
  },
  times: ({ underWay, againstUnderWay }) => againstUnderWay / underWay,
  multiplies: true,
  // CPU time does not matter if both mostly wait.
  alone: (pair) => bothWait(pair),
  say: ({ underWay, againstUnderWay }) =>
    `at most ${whole(underWay)} in flight instead of ${whole(againstUnderWay)}`,
});

/** @param {Pair} pair */
const bothWait = ({ cell, than }) => isMostlyIdle(cell) && isMostlyIdle(than);
