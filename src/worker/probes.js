import { watchGarbage } from './garbage.js';
import { createLoopWatch } from './loop-watch.js';
import { countedBetween, ownCounts } from './own-counts.js';

/** @import { ClientProbe } from './types.js' */

/**
 * Watches this process during a run: its CPU, its event loop, its garbage. What takes time is done before `begin`:
 * processes that start together may share a processor, and the second waits for the first.
 *
 * @param {() => number} [takeAppWorkUs] CPU time that the application's own work took since the start
 * @returns {{begin: () => void, atTurn: (ms: number) => void, atTurnEnd: (ms: number) => void,
 *   stop: () => Promise<ClientProbe>}} `stop` returns what was seen since `begin`; call `atTurn` at turns of the
 *   event loop
 */
export function createProbes(takeAppWorkUs = () => 0) {
  const garbage = watchGarbage();
  const watch = createLoopWatch();
  // Waiting for a common start reads and writes nothing.
  const counted = ownCounts();
  let cpu = process.cpuUsage();
  let loop = performance.eventLoopUtilization();
  let faults = countPageFaults();
  return {
    begin() {
      garbage.begin();
      faults = countPageFaults();
      loop = performance.eventLoopUtilization();
      cpu = process.cpuUsage();
    },

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
