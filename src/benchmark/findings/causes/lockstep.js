import { percent } from '../../../core/report/figures.js';
import { fewerInFlight, idleShares, lockstepOf, timesIdle, waitsMore } from '../../judge/costs.js';
import { defineCause } from '../define.js';

/** Commands that arrive in one read are answered in one write: client and server alternate, and neither is saturated. */
export default defineCause({
  id: 'in-step',
  find(pair) {
    const inStep = lockstepOf(pair.cell);
    if (inStep === null || !waitsMore(pair) || fewerInFlight(pair)) return null;
    return { ...inStep, ...idleShares(pair.cell) };
  },
  times: (_, pair) => timesIdle(pair),
  multiplies: true,
  say: ({ tasks, clientBusyShare, serverBusyShare }) =>
    `its ${tasks} tasks run in lockstep: client ${percent(clientBusyShare)} busy, server ${percent(serverBusyShare)}`,
});
