import { sum } from 'simple-statistics';
import { ownCpuUs } from '../metrics/client-figures.js';

/** @import { SeenSlice, WatchedRun } from '../runner/types.js' */
/** @import { ClientProbe } from '../meters/types.js' */
/** @import { FixedCost, Slice } from './types.js' */

/**
 * A slice counts as disturbed when worker and server together waited for a processor, or had it stolen by the
 * hypervisor, for longer than this part of it. Measured on 2 cores: of 1,800 slices on a quiet machine 99 % waited
 * for less than 6.6 % and 3 for more than 10 %; next to three busy loops 886 of 900 did, half of them for more than
 * 40 %. Stolen time is counted in steps of 10 ms: of 1,034 slices of a quiet map 20 had any, and of 300 made a minute
 * later, when the hypervisor took half of the time and operations were up to 50 times slower, nearly all; they had
 * hardly waited.
 */
const DISTURBED = 0.1;

/**
 * The CPU time of a slice's operations alone: what it cost to start and end it is known from slices of one iteration.
 * @param {WatchedRun['measured']} measured @param {FixedCost | null} fixed
 * @returns {number} µs, the application's own work included
 */
export function operationsCpuUs({ client, taskIterations }, fixed) {
  const operations = sum(taskIterations);
  const own = ownCpuUs(client);
  if (fixed === null || operations <= fixed.operations || own <= fixed.cpuUs) return client.cpuUs;
  return ((own - fixed.cpuUs) / (operations - fixed.operations)) * operations + client.appWorkUs;
}

/**
 * What the system counted of a slice's operations alone.
 * @param {WatchedRun['measured']} measured @param {FixedCost | null} fixed @returns {ClientProbe['counts']}
 */
export function operationsCounts({ client: { counts }, taskIterations }, fixed) {
  const operations = sum(taskIterations);
  if (counts === null || !fixed?.counts || operations <= fixed.operations) return counts;
  const share = operations / (operations - fixed.operations);
  /** @type {Record<string, number>} */
  const once = fixed.counts;
  const ofAll = Object.entries(counts).map(([name, count]) => [
    name,
    Math.max(0, count - once[name]) * share,
  ]);
  return Object.fromEntries(ofAll);
}

/**
 * @param {Pick<SeenSlice, 'measured' | 'seen' | 'runQueue' | 'relay'>} seen
 * @param {number | null} ownCpus how many processors the worker has for itself; null where it shares them
 * @returns {Slice}
 */
export function sliceFigures({ measured, seen, runQueue, relay }, ownCpus) {
  const { elapsedMs, client } = measured;
  const { workerQueuedMs, workerRanMs, serverQueuedMs, stolenMs } = runQueue;
  // On one processor the client's own helper threads, the garbage collector's, keep it waiting as well.
  const helpersMs =
    ownCpus === 1 && workerRanMs !== null ? Math.max(0, client.cpuUs / 1000 - workerRanMs) : 0;
  // Where they share processors, worker and server wait for each other.
  const waitedMs =
    workerQueuedMs === null || ownCpus === null ? null : Math.max(0, workerQueuedMs - helpersMs);
  // For its relay a server waits as a matter of course, where the two share a processor.
  const serverWaitedMs = relay === null ? serverQueuedMs : null;
  return {
    elapsedMs,
    operations: sum(measured.taskIterations),
    cpuUs: ownCpuUs(client),
    serverCpuUs: seen?.mainThreadCpuUs ?? null,
    waitedMs,
    serverWaitedMs,
    stolenMs,
    pageFaults: client.pageFaults,
    disturbed:
      waitedMs !== null && waitedMs + (serverWaitedMs ?? 0) + (stolenMs ?? 0) > DISTURBED * elapsedMs,
    repeats: 0,
  };
}
