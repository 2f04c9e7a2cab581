import { costsOf, NOTABLE } from '../../judge/costs.js';
import { defineCause } from '../define.js';

const MORE_SLEEPS = 0.1;

/** Waking another processor is work of the writer, so the client takes more CPU as well. */
export default defineCause({
  id: 'server-sleeps',
  find(pair) {
    const { sleeps, clientCpu } = pair.carried;
    if (![sleeps, clientCpu].every((carried) => Number(carried?.ratio) >= NOTABLE)) return null;
    const [sleepsPerCommand, againstSleepsPerCommand] = costsOf('sleeps', pair);
    if (sleepsPerCommand - againstSleepsPerCommand < MORE_SLEEPS) return null;
    return { sleepsPerCommand, againstSleepsPerCommand };
  },
  say: ({ sleepsPerCommand, againstSleepsPerCommand }) =>
    `the server is woken ${sleepsPerCommand.toFixed(2)} times per command instead of ${againstSleepsPerCommand.toFixed(2)}`,
});
