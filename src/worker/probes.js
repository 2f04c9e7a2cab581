import { watchGarbage } from './garbage.js';
import { createLoopWatch } from './loop-watch.js';
import { countedBetween, ownCounts } from './own-counts.js';

/** @import { ClientProbe } from './types.js' */

/**
 * Watches this process during a run: its CPU, its event loop, its garbage.
 *
 * @param {() => number} [takeAppWorkUs] CPU time that the application's own work took since the start
 * @returns {{atTurn: (ms: number) => void, atTurnEnd: (ms: number) => void, stop: () => Promise<ClientProbe>}}
 *   `stop` returns what was seen since the start; call `atTurn` at turns of the event loop
 */
export function startProbes(takeAppWorkUs = () => 0) {
  const garbage = watchGarbage();
  const watch = createLoopWatch();
  const counted = ownCounts();
  const cpu = process.cpuUsage();
  const loop = performance.eventLoopUtilization();
  const faults = countPageFaults();
  return {
    atTurn: garbage.atTurn,
    atTurnEnd: watch.endOfTurn,

    async stop() {
      const { user, system } = process.cpuUsage(cpu);
      const counts = countedBetween(counted, ownCounts());
      const { utilization } = performance.eventLoopUtilization(loop);
      return {
        cpuUs: user + system,
        systemUs: system,
        counts,
        appWorkUs: takeAppWorkUs(),
        eventLoopUtilization: utilization,
        loop: watch.probe,
        ...(await garbage.stop()),
        // In KiB, and since the process started.
        peakRssBytes: process.resourceUsage().maxRSS * 1024,
        pageFaults: countPageFaults() - faults,
      };
    },
  };
}

function countPageFaults() {
  const { minorPageFault, majorPageFault } = process.resourceUsage();
  return minorPageFault + majorPageFault;
}
