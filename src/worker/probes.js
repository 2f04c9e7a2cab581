import { watchGarbage } from './garbage.js';

/** @import { ClientProbe } from './types.js' */

/**
 * Watches this process during a run: its CPU, its event loop, its garbage.
 *
 * @returns {{atTurn: (ms: number) => void, stop: () => Promise<ClientProbe>}}
 *   `stop` returns what was seen since the start; call `atTurn` at turns of the event loop
 */
export function startProbes() {
  const garbage = watchGarbage();
  const cpu = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  return {
    atTurn: garbage.atTurn,

    async stop() {
      const { user, system } = process.cpuUsage(cpu);
      const { utilization } = performance.eventLoopUtilization(loop);
      return {
        cpuUs: user + system,
        eventLoopUtilization: utilization,
        ...(await garbage.stop()),
        // In KiB, and since the process started.
        peakRssBytes: process.resourceUsage().maxRSS * 1024,
      };
    },
  };
}
