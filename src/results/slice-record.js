import { sum } from 'simple-statistics';
import { ownCpuUs } from '../metrics/client-figures.js';

/** @import { SeenSlice, WatchedRun } from '../runner/types.js' */
/** @import { ClientProbe } from '../meters/types.js' */
/** @import { FixedCost, Slice } from './types.js' */

/**
 * The share of a slice that worker and server together may wait for CPU or lose to CPU steal. Measured on 2 cores: of
 * 1,800 slices on a quiet machine, 99 % waited for less than 6.6 % and 3 for more than 10 %; with three busy loops, 886
 * of 900 exceeded 10 %, half of them 40 %. Steal comes in steps of 10 ms: 20 of 1,034 slices of a quiet map had any. A
 * minute later, with 50 % steal and operations up to 50x slower, nearly all of 300 had, and hardly any waiting.
 */
const DISTURBED = 0.1;

/** Includes application work. @param {WatchedRun['measured']} measured @param {FixedCost | null} fixed */
export function operationsCpuUs({ client, taskIterations }, fixed) {
  const operations = sum(taskIterations);
  const own = ownCpuUs(client);
  if (fixed === null || operations <= fixed.operations || own <= fixed.cpuUs) return client.cpuUs;
  return ((own - fixed.cpuUs) / (operations - fixed.operations)) * operations + client.appWorkUs;
}

/** @param {WatchedRun['measured']} measured @param {FixedCost | null} fixed @returns {ClientProbe['counts']} */
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
 * @param {number | null} ownCpus CPUs reserved for the worker; null if it shares them @returns {Slice}
 */
export function sliceFigures({ measured, seen, runQueue, relay }, ownCpus) {
  const { elapsedMs, client } = measured;
  const { workerQueuedMs, workerRanMs, serverQueuedMs, stolenMs } = runQueue;
  // On a single CPU, the worker also waits for its own helper threads, those of the garbage collector.
  const helpersMs =
    ownCpus === 1 && workerRanMs !== null ? Math.max(0, client.cpuUs / 1000 - workerRanMs) : 0;
  // On shared CPUs, worker and server wait for each other.
  const waitedMs =
    workerQueuedMs === null || ownCpus === null ? null : Math.max(0, workerQueuedMs - helpersMs);
  // A relay may share the server's CPU, so the server's waiting is normal.
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
