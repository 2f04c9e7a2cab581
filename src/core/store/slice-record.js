import { sum } from 'simple-statistics';
import { MEASURING } from '../method.js';
import { ownCpuUs } from './fields.js';

/** @import { SeenSlice, WatchedRun } from '../run/types.js' */
/** @import { ClientProbe } from '../worker/types.js' */
/** @import { FixedCost, Slice } from './types.js' */

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
      waitedMs !== null &&
      waitedMs + (serverWaitedMs ?? 0) + (stolenMs ?? 0) > MEASURING.disturbed * elapsedMs,
    repeats: 0,
  };
}
