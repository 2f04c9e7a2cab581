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

/** @param {WatchedRun['measured']} measured @param {FixedCost | null} fixed @returns {ClientProbe['contextSwitches']} */
export function operationsSwitches({ client: { contextSwitches }, taskIterations }, fixed) {
  const operations = sum(taskIterations);
  if (contextSwitches === null || fixed === null || fixed.contextSwitches === null) return contextSwitches;
  if (operations <= fixed.operations) return contextSwitches;
  return (
    (Math.max(0, contextSwitches - fixed.contextSwitches) * operations) / (operations - fixed.operations)
  );
}

/**
 * @param {Pick<SeenSlice, 'measured' | 'runQueue' | 'relay'>} of
 * @param {number | null} ownCpus CPUs reserved for the worker; null if it shares them @returns {Slice}
 */
export function sliceFigures({ measured, runQueue, relay }, ownCpus) {
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
    waitedMs,
    serverWaitedMs,
    stolenMs,
    disturbed:
      waitedMs !== null && waitedMs + (serverWaitedMs ?? 0) + (stolenMs ?? 0) > DISTURBED * elapsedMs,
    repeats: 0,
  };
}
