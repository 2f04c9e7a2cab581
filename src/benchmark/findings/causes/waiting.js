import { percent } from '../../../core/report/figures.js';
import { fewerInFlight, idleShares, lockstepOf, timesIdle, waitsMore } from '../../judge/costs.js';
import { defineCause } from '../define.js';

/** Neither side is saturated, and the figures do not show more. */
export default defineCause({
  id: 'waiting',
  find: (pair) =>
    waitsMore(pair) && !fewerInFlight(pair) && lockstepOf(pair.cell) === null ? idleShares(pair.cell) : null,
  times: (_, pair) => timesIdle(pair),
  multiplies: true,
  say: ({ clientBusyShare, serverBusyShare }) =>
    `it waits: client ${percent(clientBusyShare)} busy, server ${percent(serverBusyShare)}`,
});
